package input_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/input/inputtest"
)

// numberOf returns a column's number of a row, by its definition.
func numberOf(s *input.Set, all []data.Field, column int, row []float64) float64 {
	return inputtest.Values(s, all, func(f int32) uint32 {
		switch x := row[f]; {
		case math.IsNaN(x):
			return data.MissingCode
		case x < 0:
			return data.UnseenCode
		default:
			return uint32(x)
		}
	}, func(f int32) float64 { return row[f] })[column]
}

// TestWitnesses: a witness has the number that it is said to have, whatever the set.
func TestWitnesses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := fields(rapid.SliceOfN(rapid.SampledFrom([]int{-1, 0, 1, 3, 70}), 1, 4).Draw(t, "levels")...)
		s := inputtest.Set(all).Draw(t, "set")
		points := rapid.SliceOfN(rapid.Float64Range(-9, 9), 0, 3).Draw(t, "points")
		for c := range s.Len() {
			if s.OfNumber(c) {
				continue
			}
			least, greatest := s.Range(c)
			last := math.Inf(-1)
			for _, w := range s.Witnesses(c, all, points) {
				row := slices.Repeat([]float64{math.NaN()}, len(all))
				for i, f := range s.Sources(c) {
					row[f] = w.Values[i]
				}
				if got := numberOf(&s, all, c, row); got != w.Number || w.Number < last ||
					w.Number < least || w.Number > greatest {
					t.Fatalf("column %d: %v has %v; between %v and %v, after %v", c, w, got, least, greatest, last)
				}
				last = w.Number
			}
		}
	})
}

// TestWitnessesOfCombinations: the categories of keys are found for combinations of several
// columns and conditions, next to every point.
func TestWitnessesOfCombinations(t *testing.T) {
	all := fields(300, 500, 40, -1, 7)
	category := func(f int32) input.Element { return input.Element{Source: f} }
	above := input.Element{Kind: input.Above, Source: 3, SplitPoint: 2.5, Missing: true}
	equal := input.Element{Kind: input.Equal, Source: 4, Code: 3}
	for name, elements := range map[string][]input.Element{
		"one": {category(1)}, "pair": {category(0), category(1)},
		"triple": {category(2), category(0), category(1)}, "condition": {category(0), above},
		"conditions alone": {above, equal}, "everything": {category(0), equal, above, category(1)},
	} {
		t.Run(name, func(t *testing.T) {
			s := combinationOf(all, elements)
			points := []float64{-0.5, 2, 9.5, 100}
			found := s.Witnesses(0, all, points)
			numbers := map[float64]bool{}
			for _, w := range found {
				numbers[w.Number] = true
			}
			n := len(s.Combinations[0].Key)
			for _, x := range []int{0, 2, 3, 9, 10, n - 1} {
				if x < n && !numbers[float64(x)] {
					t.Errorf("no witness of the number %d: %v", x, found)
				}
			}
			if !numbers[-1] && name != "conditions alone" {
				t.Error("no witness without a key")
			}
		})
	}
}

// combinationOf returns a set of one combination. The numbers of its keys, which are those of rows,
// count from 0, and rows without a key have -1.
func combinationOf(all []data.Field, elements []input.Element) *input.Set {
	s := &input.Set{Combinations: []input.Combination{{Elements: elements, Absent: []float64{-1}}}}
	c := &s.Combinations[0]
	for i := range 60 {
		row := make([]float64, len(all))
		for f := range row {
			if n := len(all[f].Levels); n > 0 {
				row[f] = float64((7*i + 11*f) % n)
			} else {
				row[f] = float64(i%2) * 5
			}
		}
		key := inputtest.Hash(c, all, func(f int32) uint32 { return uint32(row[f]) },
			func(f int32) float64 { return row[f] })
		if at, twice := slices.BinarySearch(c.Key, key); !twice {
			c.Key = slices.Insert(c.Key, at, key)
		}
	}
	for i := range c.Key {
		c.Value = append(c.Value, float64(i))
	}
	return s
}

// A key that belongs to no categories is left out.
func TestWitnessesOfUnknownKeys(t *testing.T) {
	all := fields(300, 500)
	s := &input.Set{Combinations: []input.Combination{{Key: []uint64{12345},
		Elements: []input.Element{{Source: 0}, {Source: 1}}, Value: []float64{2}, Absent: []float64{1}}}}
	found := s.Witnesses(0, all, []float64{1.5})
	if len(found) != 2 || found[0].Number != 1 || found[1].Number != 1 {
		t.Errorf("witnesses %v", found)
	}
}
