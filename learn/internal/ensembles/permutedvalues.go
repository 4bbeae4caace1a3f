package ensembles

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// row is a table of one row, whose values lie side by side.
type row struct {
	columns []data.Column // column f is num[f:f+1] or code[f:f+1]
	num     []float64
	code    []uint32
}

func newRow(columns []data.Column) row {
	r := row{make([]data.Column, len(columns)), make([]float64, len(columns)),
		make([]uint32, len(columns))}
	for f := range columns {
		if columns[f].Codes() != nil {
			r.columns[f] = data.Codes(r.code[f : f+1])
		} else {
			r.columns[f] = data.Numbers(r.num[f : f+1])
		}
	}
	return r
}

// load takes the values of features from a row of a table.
func (r *row) load(columns []data.Column, features []int32, at int32) {
	for _, f := range features {
		if c := &columns[f]; c.Codes() != nil {
			r.code[f] = c.Code(int(at))
		} else {
			r.num[f] = c.Number(int(at))
		}
	}
}

// exchange puts permuted values in the place of those of features and reports whether any is
// another one.
func (r *row) exchange(features []int32, permuted []data.Column, at int) bool {
	changed := false
	for i, f := range features {
		if c := &permuted[i]; c.Codes() != nil {
			changed = changed || c.Code(at) != r.code[f]
			r.code[f] = c.Code(at)
		} else {
			changed = changed || math.Float64bits(c.Number(at)) != math.Float64bits(r.num[f])
			r.num[f] = c.Number(at)
		}
	}
	return changed
}

// keptValues is about how many permuted values are kept at a time: 32 MB. Where more are needed,
// the units are permuted in several passes.
const keptValues = 1 << 22

// permutedValues holds the permuted values of some units, by place in the list of out-of-bag rows.
type permutedValues struct {
	columns []data.Column // of the features of the first unit, then of the next
	first   []int32       // by unit: its first column, -1 = not here
	units   []int32       // those that are here
	num     []float64     // the memory of the columns
	code    []uint32
	most    int // see keptValues
}

func newPermuted(units int) permutedValues {
	d := permutedValues{first: make([]int32, units), most: keptValues}
	for u := range d.first {
		d.first[u] = -1
	}
	return d
}

func (d *permutedValues) has(unit int32) bool { return d.first[unit] >= 0 }

// of returns the columns of a unit that is here, and those that follow.
func (d *permutedValues) of(unit int32) []data.Column { return d.columns[d.first[unit]:] }

// empty removes all units, for the next ones.
func (d *permutedValues) empty() {
	for _, u := range d.units {
		d.first[u] = -1
	}
	d.units, d.columns, d.num, d.code = d.units[:0], d.columns[:0], d.num[:0], d.code[:0]
}

// fill permutes the values of as many of the units as fit, at least one, and returns their number.
func (p *Permuter) fill(units, out []int32, stream func(unit int) *rng.Stream) int {
	d := &p.walker.permuted
	for i, u := range units {
		if i > 0 && (len(d.columns)+len(p.units.Columns(int(u))))*len(out) > d.most {
			return i
		}
		p.shuffle(out, stream(int(u)))
		d.units = append(d.units, u)
		d.first[u] = int32(len(d.columns))
		for _, f := range p.units.Columns(int(u)) {
			d.columns = append(d.columns, d.take(&p.columns[f], p.rows, p.order))
		}
	}
	return len(units)
}

// take returns the values that a column has at some positions. Columns that were taken before keep
// theirs, also when the memory grows.
func (d *permutedValues) take(c *data.Column, rows, positions []int32) data.Column {
	if c.Codes() != nil {
		from := len(d.code)
		for _, position := range positions {
			d.code = append(d.code, c.Code(int(rows[position])))
		}
		return data.Codes(d.code[from:])
	}
	from := len(d.num)
	for _, position := range positions {
		d.num = append(d.num, c.Number(int(rows[position])))
	}
	return data.Numbers(d.num[from:])
}
