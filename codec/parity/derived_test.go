package parity_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/input/inputtest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// statistics is a reference whose columns are derived by their definitions.
type statistics struct {
	plain
	inputs *input.Set
	fields []data.Field
}

func (p *statistics) derive(row []float64) []float64 {
	return append(slices.Clone(row), inputtest.Values(p.inputs, p.fields, func(f int32) uint32 {
		switch x := row[f]; {
		case math.IsNaN(x):
			return data.MissingCode
		case x < 0:
			return data.UnseenCode
		default:
			return uint32(x)
		}
	}, func(f int32) float64 { return row[f] })...)
}

func (p *statistics) Raw(dst, row []float64)            { p.plain.Raw(dst, p.derive(row)) }
func (p *statistics) Response(dst, row []float64)       { p.Raw(dst, row) }
func (p *statistics) Leaves(dst []int32, row []float64) { p.plain.Leaves(dst, p.derive(row)) }

// ofStatistics returns a model of 40 categories in one column and 30 in another, whose trees test
// statistics of each, of both, and of one with a condition. Half of the combinations have numbers.
func ofStatistics(t *testing.T) *model.Ensemble {
	t.Helper()
	m := ensemble()
	s := &m.Meta.Schema
	for i := range 40 {
		s.Fields[1].Levels = append(s.Fields[1].Levels, strings.Repeat("x", i+1))
	}
	second := data.Field{Name: "d", Kind: data.Categorical}
	for i := range 30 {
		second.Levels = append(second.Levels, strings.Repeat("y", i+1))
	}
	s.Fields = append(s.Fields, second)
	c, d := input.Element{Source: 1}, input.Element{Source: 3}
	above := input.Element{Kind: input.Above, Source: 0, SplitPoint: 1.5}
	for _, elements := range [][]input.Element{{c}, {d}, {c, d}, {d, above}} {
		m.Inputs.Combinations = append(m.Inputs.Combinations, combination(s.Fields, elements))
	}
	number := func(feature int32, at float64) tree.Split {
		return tree.Split{Kind: tree.Numeric, Feature: feature, SplitPoint: at}
	}
	splits := []tree.Split{number(4, 10.5), number(5, 3.5), number(6, 90.5),
		{Kind: tree.SetFirst, Feature: 1, Set: []uint64{0b0110}}, number(4, 20.5), number(0, 1),
		number(7, 15.5), number(6, 99.5)}
	slices.Reverse(splits)
	m.Trees = []*tree.Tree{chain(t, splits[:4]), chain(t, splits[4:]), chain(t, splits)}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// combination returns a combination whose keys are those of rows, with numbers that count from 0 in
// the order of keys; rows without one have -1.
func combination(fields []data.Field, elements []input.Element) input.Combination {
	c := input.Combination{Elements: elements, Absent: []float64{-1}}
	for i := range 600 {
		key := inputtest.Hash(&c, fields, func(f int32) uint32 {
			return uint32((i*i + i/7*int(f)) % len(fields[f].Levels))
		}, func(int32) float64 { return float64(i % 3) })
		if at, twice := slices.BinarySearch(c.Key, key); !twice {
			c.Key = slices.Insert(c.Key, at, key)
		}
	}
	for i := range c.Key {
		c.Value = append(c.Value, float64(i))
	}
	return c
}

// TestProbesOfStatistics: nodes that test statistics of categories have rows on both sides, whose
// numbers are the nearest ones, and every change of a table or a split point there is found.
func TestProbesOfStatistics(t *testing.T) {
	m := ofStatistics(t)
	p := parity.Make(m, parity.DefaultRows)
	if p.Probed != p.Splits || p.Splits != 16 || p.Unprobed != nil {
		t.Errorf("%d of %d splits are probed; not %v", p.Probed, p.Splits, p.Unprobed)
	}
	ref := func() *statistics {
		inputs := m.Inputs
		inputs.Combinations = slices.Clone(inputs.Combinations)
		return &statistics{plain{m.Trees, 0.5}, &inputs, m.Meta.Schema.Fields}
	}
	cert, err := parity.Compare(t.Context(), m, ref(), false, p)
	if err != nil || cert.Largest != 0 || cert.Unprobed != nil {
		t.Errorf("certificate %+v, %v", cert, err)
	}
	swap := func(c, a int) func(r *statistics) { // the numbers a and a + 1
		return func(r *statistics) {
			of := &r.inputs.Combinations[c]
			of.Value = slices.Clone(of.Value)
			of.Value[a], of.Value[a+1] = of.Value[a+1], of.Value[a]
		}
	}
	for name, change := range map[string]func(r *statistics){
		"a category below a split point": swap(0, 10), "another column": swap(1, 3),
		"a pair": swap(2, 90), "a pair at another node": swap(2, 99), "a condition": swap(3, 15),
		"rows without a key": func(r *statistics) {
			r.inputs.Combinations[2].Absent = []float64{95}
		},
		"the condition's border": func(r *statistics) {
			e := slices.Clone(r.inputs.Combinations[3].Elements)
			e[1].SplitPoint = math.Nextafter(1.5, 2)
			r.inputs.Combinations[3].Elements = e
		},
	} {
		other := ref()
		change(other)
		var different *parity.DifferenceError
		if _, err := parity.Compare(t.Context(), m, other, false, p); !errors.As(err, &different) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNodesOfStatisticsAreReached: rows go through several tests of statistics of the same columns,
// to all leaves that any row reaches.
func TestNodesOfStatisticsAreReached(t *testing.T) {
	m := ofStatistics(t)
	ref := &statistics{plain{m.Trees, 0.5}, &m.Inputs, m.Meta.Schema.Fields}
	leaves := make([]int32, len(m.Trees))
	p, reached := parity.Make(m, parity.DefaultRows), map[[2]int32]bool{}
	for i := range p.Rows() {
		ref.Leaves(leaves, p.Row(i))
		for k, leaf := range leaves {
			reached[[2]int32{int32(k), leaf}] = true
		}
	}
	for c := range len(m.Meta.Schema.Fields[1].Levels) + 2 {
		for d := range len(m.Meta.Schema.Fields[3].Levels) + 2 {
			for _, x := range []float64{0, 1.25, 2, math.NaN()} {
				row := []float64{x, float64(c - 1), 0, float64(d - 1)}
				for _, f := range []int{1, 3} {
					if int(row[f]) == len(m.Meta.Schema.Fields[f].Levels) {
						row[f] = math.NaN()
					}
				}
				ref.Leaves(leaves, row)
				for k, leaf := range leaves {
					if !reached[[2]int32{int32(k), leaf}] {
						t.Fatalf("no row reaches leaf %d of tree %d, as %v does", leaf, k, row)
					}
				}
			}
		}
	}
}

// TestUnprobed: what no rows can be made for is named.
func TestUnprobed(t *testing.T) {
	m := ensemble()
	m.Inputs.Combinations = []input.Combination{{Elements: []input.Element{{Source: 1}},
		Key: []uint64{1, 2}, Value: []float64{1, 5}, Absent: []float64{0}}} // the keys of no category
	m.Trees = []*tree.Tree{chain(t, []tree.Split{
		{Kind: tree.Numeric, Feature: 3, SplitPoint: 2}, {Kind: tree.Numeric, Feature: 0},
		{Kind: tree.Oblique, Direction: []tree.Term{{Feature: 0, Coef: 1}, {Feature: 2, Coef: 2}}}})}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	p := parity.Make(m, parity.DefaultRows)
	want := []string{"1 split at directions of several columns", "1 split at statistic(c)"}
	if p.Splits != 3 || p.Probed != 1 || !slices.Equal(p.Unprobed, want) {
		t.Errorf("%d of %d probed, not %q", p.Probed, p.Splits, p.Unprobed)
	}
}
