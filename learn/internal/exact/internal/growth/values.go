package growth

import (
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// values keeps the rows in the order of what is to be predicted, for criteria of the family Values.
type values struct {
	key    []uint32         // by position: rank of its Y
	Place  []uint32         // by position: its index in byValue of the node at hand
	Sorted criterion.Sample // of the node at hand, by place
	buffer sorting.Buffer
}

func newValues(y []float64) *values {
	v := new(values)
	v.Sort(y)
	return v
}

// Sort ranks what is to be predicted of rows.
func (v *values) Sort(y []float64) {
	keys := make([]sorting.Keyed, len(y))
	for i, x := range y {
		keys[i] = sorting.Keyed{Bits: sorting.Bits(x), Pos: uint32(i)}
	}
	sorting.SortKeyed(keys)
	v.key, v.Place = make([]uint32, len(y)), make([]uint32, len(y))
	rank := uint32(0)
	for i, k := range keys {
		if i > 0 && keys[i-1].Bits != k.Bits {
			rank++
		}
		v.key[k.Pos] = rank
	}
}

// SortByValue returns the given positions by ascending Y, equal ones by position.
func (l *Labels) SortByValue(rows []uint32) []uint32 {
	order := l.Values.buffer.ByKey(l.Values.key, 0, sorting.MissingRank, rows)
	byValue := make([]uint32, len(order))
	for i, e := range order {
		byValue[i] = e.Pos
	}
	return byValue
}

// LoadValues makes a node the current one.
func (l *Labels) LoadValues(nd *Node) {
	for i, pos := range nd.ByValue {
		l.Values.Place[pos] = uint32(i)
	}
	l.Values.Sorted = l.gather(nd.ByValue)
}
