package quality

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// Checks read sparse columns by their stored values, and results do not depend on the storage.

// key is a value of a column as a number that is equal for equal values; all missing ones are
// equal.
func key(c *data.Column, row int32) uint64 {
	if c.Codes() != nil {
		return uint64(c.Code(int(row)))
	}
	return numberKey(c.Number(int(row)))
}

// numberKey is the key of a number.
func numberKey(v float64) uint64 {
	switch {
	case math.IsNaN(v):
		return math.Float64bits(math.NaN())
	case v == 0:
		return 0 // -0 too
	}
	return math.Float64bits(v)
}

// keys returns the keys of some rows of a column.
func keys(c *data.Column, rows []int32) []uint64 {
	if c.Codes() == nil {
		return keysOf(numbers(c, rows))
	}
	keys := make([]uint64, len(rows))
	for i, row := range rows {
		keys[i] = key(c, row)
	}
	return keys
}

// keysOf returns the keys of numbers.
func keysOf(values []float64) []uint64 {
	keys := make([]uint64, len(values))
	for i, v := range values {
		keys[i] = numberKey(v)
	}
	return keys
}

// numbers returns the values of some rows of a column of numbers.
func numbers(c *data.Column, rows []int32) []float64 {
	values := make([]float64, len(rows))
	c.PickNumbers(values, rows)
	return values
}

// stored returns the places in rows that a sparse column stores, and their values. ascend reports
// whether the rows do.
func stored(c *data.Column, rows []int32, ascend bool) (at []int32, value []float64) {
	if ascend {
		return c.AppendStored(nil, nil, rows)
	}
	_, _, absent, _ := c.Stored()
	usual := numberKey(absent)
	for i, v := range numbers(c, rows) {
		if numberKey(v) != usual {
			at, value = append(at, int32(i)), append(value, v)
		}
	}
	return at, value
}

// constant reports whether a column has one value in some rows.
func constant(c *data.Column, rows []int32) bool {
	first := key(c, rows[0])
	if row, value, absent, sparse := c.Stored(); sparse && first == numberKey(absent) {
		// Stored rows alone can differ. Most columns have one of another value near the start.
		for i, r := range row {
			if numberKey(value[i]) != first {
				if _, found := slices.BinarySearch(rows, r); found {
					return false
				}
			}
		}
		return slices.IsSorted(rows) || !differs(c, rows, first)
	}
	return !differs(c, rows, first)
}

// differs reports whether some row of a column has another key.
func differs(c *data.Column, rows []int32, than uint64) bool {
	return slices.ContainsFunc(rows, func(row int32) bool { return key(c, row) != than })
}

// bundle is rows of one value of a feature, with the number of rows of each class.
type bundle struct {
	order  float64 // the value; of categories nothing
	counts []int
}

// bundles returns the sample's rows by the value of a column, missing ones first, then ascending;
// counts has the sample's rows of each class. Rare categories make one bundle.
func (t *inspected) bundles(c *data.Column, counts []int) []bundle {
	if c.Codes() != nil {
		return t.bundledLevels(c, len(counts))
	}
	_, _, absent, sparse := c.Stored()
	if !sparse {
		return t.bundled(data.AllRows(len(t.sample)), numbers(c, t.sample), len(counts))
	}
	at, value := stored(c, t.sample, t.ascend)
	all := t.bundled(at, value, len(counts))
	rest := slices.Clone(counts)
	for _, b := range all {
		for k, n := range b.counts {
			rest[k] -= n
		}
	}
	if kernel.Sum(rest) == 0 {
		return all
	}
	place, found := slices.BinarySearchFunc(all, absent, func(b bundle, v float64) int {
		return cmp.Compare(b.order, v) // NaN is first
	})
	if !found {
		return slices.Insert(all, place, bundle{absent, rest})
	}
	for k, n := range rest {
		all[place].counts[k] += n
	}
	return all
}

// bundled bundles places of the sample by their values.
func (t *inspected) bundled(at []int32, value []float64, classes int) []bundle {
	type entry struct {
		value float64
		class uint32
	}
	order := make([]entry, len(at))
	for i, k := range at {
		order[i] = entry{value[i], t.Target.Class[t.sample[k]]}
	}
	slices.SortFunc(order, func(a, b entry) int { return cmp.Compare(a.value, b.value) })
	distinct := 0
	for i := range order {
		if i == 0 || numberKey(order[i].value) != numberKey(order[i-1].value) {
			distinct++
		}
	}
	all, counts := make([]bundle, 0, distinct+1), make([]int, distinct*classes)
	for i, e := range order {
		if i == 0 || numberKey(e.value) != numberKey(order[i-1].value) {
			all = append(all, bundle{e.value + 0, counts[:classes:classes]})
			counts = counts[classes:]
		}
		all[len(all)-1].counts[e.class]++
	}
	return all
}
