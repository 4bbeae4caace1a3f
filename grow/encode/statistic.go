package encode

import (
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/input"
)

// digit is the digit of a code in a key; see input.Table. That of data.UnseenCode is no level's.
func digit(code uint32) uint64 {
	if code == data.MissingCode {
		return 0
	}
	return uint64(code) + 1
}

// none is the key of rows with a category outside the dictionary.
const none = math.MaxUint64

// key returns the key of a row.
func (p *problem) key(t tuple, row int32) uint64 {
	key := uint64(0)
	for _, c := range t {
		radix := uint64(len(p.frame.Schema.Fields[c].Levels)) + 1
		d := digit(p.frame.Columns[c].Code[row])
		if d >= radix {
			return none
		}
		key = key*radix + d
	}
	return key
}

// group numbers the keys that rows have, in the order of the keys: id[i] is the number of the key of rows[i], and keys those
// that occur, ascending. Rows without a key have the number len(keys).
func (p *problem) group(t tuple, rows []int32) (id []int32, keys []uint64) {
	id = make([]int32, len(rows))
	of := newNumbers(len(rows))
	for i, r := range rows {
		id[i] = -1
		if k := p.key(t, r); k != none {
			id[i] = of.number(k)
		}
	}
	keys = slices.Clone(of.keys)
	slices.Sort(keys)
	rank := make([]int32, len(keys))
	for r, k := range keys {
		rank[of.number(k)] = int32(r)
	}
	for i, n := range id {
		if n < 0 {
			id[i] = int32(len(keys))
		} else {
			id[i] = rank[n]
		}
	}
	return id, keys
}

// numbers numbers keys as they come: a hash table with open addressing, at most half full.
type numbers struct {
	slot  []int32 // number of the key that lies there, -1 = free
	keys  []uint64
	shift int
}

func newNumbers(most int) *numbers {
	width := bits.Len(uint(2*max(1, most) - 1))
	n := &numbers{slot: make([]int32, 1<<width), shift: 64 - width}
	for i := range n.slot {
		n.slot[i] = -1
	}
	return n
}

// number returns the number of a key, the next one if it is new.
func (n *numbers) number(key uint64) int32 {
	const spread = 0x9e3779b97f4a7c15
	h := key * spread >> n.shift
	for n.slot[h] >= 0 {
		if n.keys[n.slot[h]] == key {
			return n.slot[h]
		}
		h = (h + 1) & uint64(len(n.slot)-1)
	}
	n.slot[h] = int32(len(n.keys))
	n.keys = append(n.keys, key)
	return n.slot[h]
}

// table counts all training rows by their keys.
func (p *problem) table(t tuple, id []int32, keys []uint64) input.Table {
	m := len(keys)
	table := input.Table{Source: slices.Clone(t), Key: keys, Count: make([]float64, m), Sum: make([]float64, m*len(p.target))}
	for i, n := range id {
		if int(n) == m {
			continue
		}
		table.Count[n] += p.weight[i]
		for k, y := range p.target {
			table.Sum[k*m+int(n)] += float64(p.weight[i] * y[i])
		}
	}
	return table
}

// ordered writes into dst, by the places of rows, a column's numbers as rows in an order know them that count those before them.
// id is the number of each row's key; sum and count are zeros for the keys and for the rows that have none, which tell nothing
// of each other.
func ordered(dst []float64, c *input.Column, order, id []int32, weight, y, count, sum []float64) {
	for _, i := range order {
		k := id[i]
		dst[i] = c.Value(count[k], sum[k])
		if int(k) == len(count)-1 {
			continue
		}
		count[k] += weight[i]
		sum[k] += float64(weight[i] * y[i])
	}
}

// derive makes the columns from first to last, all of one table: of rows of the training by the orders, of others by the table.
func (p *problem) derive(e *Encoded, first, last int, id []int32, orders [][]int32) {
	s := &e.Set
	t := &s.Tables[s.Columns[first].Table]
	others := p.others(s, first, last)
	values := make([]float64, len(p.rows))
	pairs := p.groups.pairs(id, len(t.Key))
	for c := first; c < last; c++ {
		column := &s.Columns[c]
		if column.Kind == input.Count {
			p.remaining(values, t, id, pairs)
			p.spread(others[c-first], values)
			for i := range orders {
				e.Columns[i][c] = others[c-first]
			}
			continue
		}
		for i, order := range orders {
			if pairs != nil {
				pairs.ordered(values, column, int(column.Output), order)
			} else {
				count, sum := make([]float64, len(t.Key)+1), make([]float64, len(t.Key)+1)
				ordered(values, column, order, id, p.weight, p.target[column.Output], count, sum)
			}
			dst := others[c-first]
			if i < len(orders)-1 {
				dst = slices.Clone(dst)
			}
			p.spread(dst, values)
			e.Columns[i][c] = dst
		}
	}
}

// remaining writes the count of each row's key without the row itself, or without its group, as rows to be predicted are not
// counted either.
func (p *problem) remaining(dst []float64, t *input.Table, id []int32, pairs *pairs) {
	if pairs != nil {
		pairs.remaining(dst)
		return
	}
	for i, n := range id {
		dst[i] = 0
		if int(n) < len(t.Key) {
			dst[i] = max(0, t.Count[n]-p.weight[i])
		}
	}
}

// spread writes the values of the training rows into a column by frame row.
func (p *problem) spread(column, values []float64) {
	for i, r := range p.rows {
		column[r] = values[i]
	}
}

// others computes columns of all rows of the frame by the tables; where all are of the training, it only makes room.
func (p *problem) others(s *input.Set, first, last int) [][]float64 {
	if len(p.rows) < p.frame.Rows() {
		return columns(s, p.frame, first, last)
	}
	all := make([][]float64, last-first)
	for i := range all {
		all[i] = make([]float64, p.frame.Rows())
	}
	return all
}

// Columns computes the columns of a set, by its tables, of all rows of a frame.
func Columns(s *input.Set, f *data.Frame) [][]float64 { return columns(s, f, 0, len(s.Columns)) }

// columns computes those from first to last.
func columns(s *input.Set, f *data.Frame, first, last int) [][]float64 {
	const block = 1024
	all := make([][]float64, last-first)
	compiled := make([]int32, last-first)
	for i := range all {
		all[i] = make([]float64, f.Rows())
		compiled[i] = int32(first + i)
	}
	program := s.Compile(f.Schema.Fields, compiled)
	from := make([][]float64, len(program.Sources()))
	var scratch input.Scratch
	for lo := 0; lo < f.Rows(); lo += block {
		hi := min(lo+block, f.Rows())
		for i, source := range program.Sources() {
			from[i] = from[i][:0]
			for _, code := range f.Columns[source].Code[lo:hi] {
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
