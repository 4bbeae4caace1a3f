// Package inputtest owns random derived columns for property tests. Packages that compute or store
// them are tested on these.
package inputtest

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
)

// Set generates valid sets: on the categorical fields up to 3 tables of up to 12 keys, each with up
// to 3 columns; on the numeric fields up to 3 columns; and up to 2 combinations of up to 4
// elements.
func Set(fields []data.Field) *rapid.Generator[input.Set] {
	var nominal, numeric []int32
	for i := range fields {
		switch fields[i].Kind {
		case data.Categorical:
			nominal = append(nominal, int32(i))
		case data.Numeric:
			numeric = append(numeric, int32(i))
		}
	}
	if len(nominal) == 0 && len(numeric) == 0 {
		return rapid.Just(input.Set{})
	}
	return rapid.Custom(func(t *rapid.T) input.Set {
		var s input.Set
		if len(numeric) > 0 {
			for _, f := range rapid.SliceOfN(rapid.SampledFrom(numeric), 0, 3).Draw(t, "numbers") {
				s.Numbers = append(s.Numbers, input.Number{Kind: input.Nonzero, Source: f})
			}
		}
		for range rapid.IntRange(0, 2).Draw(t, "combinations") {
			s.Combinations = append(s.Combinations, randomCombination(t, fields))
		}
		if len(nominal) == 0 {
			return s
		}
		for range rapid.IntRange(0, 3).Draw(t, "tables") {
			outputs := rapid.IntRange(0, 2).Draw(t, "outputs")
			table := randomTable(t, fields, nominal, outputs)
			for range rapid.IntRange(0, 3).Draw(t, "columns") {
				c := input.Column{Kind: input.Count, Table: int32(len(s.Tables)),
					Prior: rapid.SampledFrom([]float64{0, 0, 7.5}).Draw(t, "count of other keys")}
				if table.Outputs() > 0 && rapid.Bool().Draw(t, "target") {
					c.Kind, c.Output = input.Target,
						int32(rapid.IntRange(0, outputs-1).Draw(t, "output"))
					c.Shift = rapid.SampledFrom([]float64{0, 0, -1.25}).Draw(t, "shift of other keys")
					c.Prior, c.Weight = rapid.Float64Range(-3, 3).Draw(t, "prior"),
						rapid.Float64Range(0, 9).Draw(t, "weight")
				}
				s.Columns = append(s.Columns, c)
			}
			s.Tables = append(s.Tables, table)
		}
		return s
	})
}

func randomTable(t *rapid.T, fields []data.Field, nominal []int32, outputs int) input.Table {
	var table input.Table
	table.Source = slices.Clone(rapid.Permutation(nominal).Draw(t,
		"sources")[:rapid.IntRange(1, min(len(nominal), input.MaxSources)).Draw(t, "number")])
	slices.Sort(table.Source)
	keys, _ := input.Keys(fields, table.Source)
	table.Key = rapid.SliceOfNDistinct(rapid.Uint64Range(0, keys-1), 0, int(min(keys, 12)),
		rapid.ID).Draw(t, "keys")
	slices.Sort(table.Key)
	n := len(table.Key)
	table.Count = rapid.SliceOfN(rapid.Float64Range(0.5, 100), n, n).Draw(t, "counts")
	table.Sum = rapid.SliceOfN(rapid.Float64Range(-100, 100), n*outputs, n*outputs).Draw(t, "sums")
	return table
}

// Values returns the numbers of all columns for one row, by their definition. category is the code
// of a field in the row, number its number.
func Values(
	s *input.Set, fields []data.Field, category func(field int32) uint32,
	number func(field int32) float64,
) []float64 {
	values := make([]float64, s.Len())
	for i, n := range s.Numbers {
		x := number(n.Source)
		if bound := float64(float32(1e-35)); x >= -bound && x <= bound {
			x = math.NaN()
		}
		values[len(s.Columns)+i] = x
	}
	at := len(s.Columns) + len(s.Numbers)
	for i := range s.Combinations {
		c := &s.Combinations[i]
		key := slices.Index(c.Key, Hash(c, fields, category, number))
		for output, x := range c.Absent {
			if key >= 0 {
				x = c.Value[output*len(c.Key)+key]
			}
			values[at] = x
			at++
		}
	}
	for i := range s.Columns {
		c := &s.Columns[i]
		t := &s.Tables[c.Table]
		values[i] = c.Unseen()
		if at := place(t, fields, category); at >= 0 && c.Kind == input.Target {
			values[i] = c.Value(t.Count[at], t.Sum[int(c.Output)*len(t.Key)+at])
		} else if at >= 0 {
			values[i] = t.Count[at]
		}
	}
	return values
}

// place returns where a row's key is among those of a table, -1 where it is not.
func place(t *input.Table, fields []data.Field, category func(field int32) uint32) int {
	key := uint64(0)
	for _, f := range t.Source {
		key *= uint64(len(fields[f].Levels)) + 1
		switch code := category(f); code {
		case data.MissingCode:
		case data.UnseenCode:
			return -1
		default:
			key += uint64(code) + 1
		}
	}
	return slices.Index(t.Key, key)
}
