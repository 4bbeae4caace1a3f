package encode

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/invariant"
)

// table counts all training rows by their keys.
func (p *problem) table(t tuple, id []int32, keys []uint64) input.Table {
	m := len(keys)
	table := input.Table{Source: slices.Clone(t), Key: keys, Count: make([]float64, m),
		Sum: make([]float64, m*len(p.target))}
	for i, n := range id {
		if int(n) == m {
			continue
		}
		table.Count[n] += p.weightAt(i)
		for k := range p.target {
			table.Sum[k*m+int(n)] += p.moment(k, i)
		}
	}
	return table
}

// line is the training rows in an order, with what is counted of them: once for all tuples.
type line struct {
	place  []int32     // of the rows, in the order
	row    []int32     // where the statistics are written
	weight []float64   // of the rows in the order; nil: all 1
	moment [][]float64 // by output: weight times target; nil: class has them
	class  [][]uint8   // of rows that all have weight 1
}

// newLine makes a line of places; what is measured of row rows[i] is by i.
func newLine(place, rows []int32, of *measured) *line {
	row := place
	if n := len(rows); n > 0 && int(rows[n-1]) >= n {
		row = pick(rows, place) // else all rows are there, each in its place
	}
	if invariant.On {
		invariant.Check(len(place) <= len(rows), "an order of %d places of %d rows", len(place),
			len(rows))
		seen := map[int32]bool{}
		for _, i := range place {
			invariant.Check(!seen[i], "place %d comes twice in an order", i)
			seen[i] = true
		}
	}
	l := &line{place: place, row: row}
	if of.weight != nil {
		l.weight = pick(of.weight, place)
	}
	for k := range of.target {
		y := &of.target[k]
		if of.weight == nil && y.class != nil {
			l.class = append(l.class, pick(y.class, place))
			continue
		}
		moment := make([]float64, len(place))
		for j, i := range place {
			moment[j] = of.moment(k, int(i))
		}
		l.moment = append(l.moment, moment)
	}
	return l
}

// scratchpad is memory of a worker, for one table after the other.
type scratchpad struct {
	id     []int32
	number []int32
	others []int32 // like id, of the other rows
	before []counts
	values []float64
}

// fit returns memory for n values, which are not cleared.
func fit[T any](memory []T, n int) []T {
	if cap(memory) < n {
		return hugepage.Slice[T](n)
	}
	return memory[:n]
}

// counts is what the rows of a key that come before one are known to have.
type counts struct{ count, sum float64 }

// ordered writes into dst, by row, a column's numbers of rows in a line, each counting the rows
// before it. id is the number of each row's key, by place, of so many keys; rows of none, which
// have the next number, do not count each other.
//
// Keys are picked, and numbers written to their places, for many rows at a time. Such loops are
// short, so that the processor has many loads in flight at once.
func (l *line) ordered(dst []float64, c *input.Column, id []int32, keys int, r *scratchpad) {
	if l.class != nil {
		ordered(l, l.class[c.Output], dst, c, id, keys, r)
	} else {
		ordered(l, l.moment[c.Output], dst, c, id, keys, r)
	}
}

func ordered[M uint8 | float64](
	l *line, moments []M, dst []float64, c *input.Column, id []int32, keys int, r *scratchpad,
) {
	const rows = 256
	var key [rows]int32
	var value [rows]float64
	r.before = fit(r.before, keys+1)
	before := r.before
	clear(before)
	for from := 0; from < len(l.place); from += rows {
		to := min(from+rows, len(l.place))
		for j, i := range l.place[from:to] {
			key[j%rows] = id[i]
		}
		moment := moments[from:to]
		for j, k := range key[:to-from] {
			t := &before[k]
			value[j] = c.Value(t.count, t.sum)
			if int(k) == keys {
				continue
			}
			if l.weight == nil {
				t.count++
			} else {
				t.count += l.weight[from+j]
			}
			t.sum += float64(moment[j])
		}
		for j, i := range l.row[from:to] {
			dst[i] = value[j%rows]
		}
	}
}

// derive makes the columns from first to last, all of one table, for take: of rows of the training
// by the lines, of others by the table.
func (p *problem) derive(
	ctx context.Context, s *input.Set, first, last int, id []int32, lines []*line, r *scratchpad,
	take func(column int, permutations []int, values []float64),
) error {
	t := &s.Tables[s.Columns[first].Table]
	var err error
	if len(p.others) > 0 {
		if r.others, err = find(ctx, p.from, t.Source, p.others, t.Key, r.others); err != nil {
			return err
		}
	}
	pairs := p.groups.pairs(id, len(t.Key))
	r.values = fit(r.values, p.from.Rows())
	dst := r.values
	usual := false
	if p.UsualValues {
		p.remaining(dst, t, id, pairs)
		usual = p.fewAlone(dst)
	}
	for c := first; c < last; c++ {
		column := &s.Columns[c]
		if column.Kind == input.Count {
			if p.remaining(dst, t, id, pairs); usual {
				column.Prior = middle(column, t)
			}
			p.setOthers(dst, t, column, r.others)
			take(c, places(len(lines)), dst)
			continue
		}
		if usual {
			column.Shift = middle(column, t) - column.Prior
		}
		p.setOthers(dst, t, column, r.others)
		for i, line := range lines {
			if pairs != nil {
				pairs.ordered(dst, column, line)
			} else {
				line.ordered(dst, column, id, len(t.Key), r)
			}
			take(c, []int{i}, dst)
		}
	}
	return nil
}

// setOthers writes a column's numbers of the other rows, of which the number of each one's key is
// given.
func (p *problem) setOthers(dst []float64, t *input.Table, c *input.Column, id []int32) {
	m := len(t.Key)
	for i, row := range p.others {
		switch k := int(id[i]); {
		case k == m:
			dst[row] = c.Unseen()
		case c.Kind == input.Count:
			dst[row] = t.Count[k]
		default:
			dst[row] = c.Value(t.Count[k], t.Sum[int(c.Output)*m+k])
		}
	}
}

// places returns 0 ... n-1.
func places(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// remaining writes, by row, the count of each row's key without the row itself, or without its
// group, as rows to be predicted are not counted either.
func (p *problem) remaining(dst []float64, t *input.Table, id []int32, pairs *pairs) {
	if pairs != nil {
		pairs.remaining(dst, p.rows)
		return
	}
	for i, n := range id {
		left := 0.0
		if int(n) < len(t.Key) {
			left = max(0, t.Count[n]-p.weightAt(i))
		}
		dst[p.rows[i]] = left
	}
}

// Columns computes the columns of a set, by its tables, of all rows of a frame.
func Columns(s *input.Set, f *data.Frame) [][]float64 {
	const block = 1024
	all := make([][]float64, len(s.Columns))
	for i := range all {
		all[i] = make([]float64, f.Rows())
	}
	program := s.Compile(f.Schema.Fields, data.AllRows(len(all)))
	from := make([][]float64, len(program.Sources()))
	var scratch input.Scratch
	for lo := 0; lo < f.Rows(); lo += block {
		hi := min(lo+block, f.Rows())
		for i, source := range program.Sources() {
			from[i] = from[i][:0]
			for _, code := range f.Columns[source].Codes()[lo:hi] {
				from[i] = append(from[i], categoryOf(code))
			}
		}
		program.Rows(from, func(c int) []float64 { return all[c][lo:hi] }, &scratch)
	}
	return all
}

// categoryOf returns a code as input.Program takes it.
func categoryOf(code uint32) float64 {
	switch code {
	case data.MissingCode:
		return math.NaN()
	case data.UnseenCode:
		return -1
	}
	return float64(code)
}
