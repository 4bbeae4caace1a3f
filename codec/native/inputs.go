package native

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/input"
)

// derived is the section of derived columns: the tables, one after the other, and the columns. With
// a table of two sources that has three keys and one output, and one of one source that has two
// keys and two outputs,
//
//	table.sources    2              1
//	table.keys       3              2
//	table.outputs    1              2
//	source           a b            c
//	key              k k k          k k
//	count            n n n          n n
//	sum              s s s          s s  t t
//
// Columns that are made of single numbers have arrays of their own, and so have combinations.
type derived struct {
	sources []uint32
	keys    []uint32
	outputs []uint32
	source  []int32
	key     []uint64
	count   []float64
	sum     []float64

	kind   []input.Kind // of the columns
	table  []int32
	output []int32
	prior  []float64
	weight []float64
	shift  []float64 // nothing where all are 0

	numberKind   []input.NumberKind
	numberSource []int32

	combined combinations
}

func (d *derived) arrays() []array {
	return append([]array{
		whole("table.sources", required, &d.sources),
		whole("table.keys", required, &d.keys),
		whole("table.outputs", required, &d.outputs),
		whole("source", required, &d.source),
		whole("key", required, &d.key),
		whole("count", required, &d.count),
		whole("sum", required, &d.sum),
		whole("column.kind", required, &d.kind),
		whole("column.table", required, &d.table),
		whole("column.output", required, &d.output),
		whole("column.prior", required, &d.prior),
		whole("column.weight", required, &d.weight),
		whole("column.shift", required, &d.shift),
		whole("number.kind", required, &d.numberKind),
		whole("number.source", required, &d.numberSource),
	}, d.combined.arrays()...)
}

// newDerived collects the arrays of a valid set.
func newDerived(s *input.Set) *derived {
	d := &derived{}
	for i := range s.Tables {
		t := &s.Tables[i]
		d.sources = append(d.sources, uint32(len(t.Source)))
		d.keys = append(d.keys, uint32(len(t.Key)))
		d.outputs = append(d.outputs, uint32(t.Outputs()))
		d.source, d.key = append(d.source, t.Source...), append(d.key, t.Key...)
		d.count, d.sum = append(d.count, t.Count...), append(d.sum, t.Sum...)
	}
	for _, c := range s.Columns {
		d.kind, d.table, d.output = append(d.kind, c.Kind), append(d.table, c.Table),
			append(d.output, c.Output)
		d.prior, d.weight = append(d.prior, c.Prior), append(d.weight, c.Weight)
		d.shift = append(d.shift, c.Shift)
	}
	if !slices.ContainsFunc(d.shift, func(x float64) bool { return x != 0 }) {
		d.shift = nil
	}
	for _, n := range s.Numbers {
		d.numberKind = append(d.numberKind, n.Kind)
		d.numberSource = append(d.numberSource, n.Source)
	}
	d.combined = newCombinations(s.Combinations)
	return d
}

// memory that a table and a derived column cost beside the arrays that they are parts of
const (
	tableCost  = 128
	columnCost = 64
	numberCost = 16
)

// parseDerived reads the derived columns; the model's validation checks them.
func parseDerived(p *payload, b *budget) (s input.Set) {
	d := &derived{}
	p.loadAll(d.arrays())
	n, columns := len(d.sources), len(d.kind)
	if len(d.keys) != n || len(d.outputs) != n {
		p.corrupt(0, "sizes of %d, %d and %d tables", n, len(d.keys), len(d.outputs))
	}
	for _, k := range []int{len(d.table), len(d.output), len(d.prior), len(d.weight)} {
		if k != columns {
			p.corrupt(0, "arrays of %d derived columns for %d", k, columns)
		}
	}
	if n := len(d.shift); n != 0 && n != columns {
		p.corrupt(0, "%d shifts of %d derived columns", n, columns)
	}
	numbers := len(d.numberKind)
	if len(d.numberSource) != numbers {
		p.corrupt(0, "%d sources of %d derived numbers", len(d.numberSource), numbers)
	}
	cost := tableCost*int64(n) + columnCost*int64(columns) + numberCost*int64(numbers)
	b.take(cost)
	s.Tables = make([]input.Table, n)
	for i := range s.Tables {
		if !d.next(&s.Tables[i], i) {
			p.corrupt(0, "table %d of derived columns is longer than what is left", i)
		}
	}
	if len(d.source) > 0 || len(d.key) > 0 || len(d.count) > 0 || len(d.sum) > 0 {
		p.corrupt(0, "arrays of derived columns belong to no table")
	}
	s.Columns = make([]input.Column, columns)
	for i := range s.Columns {
		s.Columns[i] = input.Column{Kind: d.kind[i], Table: d.table[i], Output: d.output[i],
			Prior: d.prior[i], Weight: d.weight[i]}
		if len(d.shift) > 0 {
			s.Columns[i].Shift = d.shift[i]
		}
	}
	if numbers > 0 {
		s.Numbers = make([]input.Number, numbers)
	}
	for i := range s.Numbers {
		s.Numbers[i] = input.Number{Kind: d.numberKind[i], Source: d.numberSource[i]}
	}
	s.Combinations = d.combined.parse(p, b)
	return s
}

// next takes table i off the arrays, and reports whether it was there. The table's slices are parts
// of them.
func (d *derived) next(t *input.Table, i int) bool {
	keys := uint64(d.keys[i])
	ok := takeFirst(&t.Source, &d.source, uint64(d.sources[i])) &&
		takeFirst(&t.Key, &d.key, keys) && takeFirst(&t.Count, &d.count, keys)
	return ok && takeFirst(&t.Sum, &d.sum, keys*uint64(d.outputs[i]))
}

// takeFirst moves the first n elements of from to part, and reports whether there are so many.
func takeFirst[T any](part, from *[]T, n uint64) bool {
	if n > uint64(len(*from)) {
		return false
	}
	*part, *from = slices.Clip((*from)[:n]), (*from)[n:]
	return true
}
