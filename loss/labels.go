package loss

import (
	"sync"

	"github.com/coppice-ml/coppice/data"
)

// labels are those of an output by position: numbers, or the indicators of a class, 1 for its rows
// and 0 for others. Indicators are made of the classes of the table where they are read, since they
// would take 8 bytes a row.
type labels struct {
	number []float64 // nil: indicators
	class  []uint32  // by frame row
	rows   []int32   // frame rows by position
	of     uint32    // the class
}

// numbered returns the labels of outputs that are numbers.
func numbered(y [][]float64) []labels {
	all := make([]labels, len(y))
	for k := range all {
		all[k].number = y[k]
	}
	return all
}

// indicators returns the labels of a class.
func (c *cases) indicators(t *data.Target, class uint32) labels {
	return labels{class: t.Class, rows: c.rows, of: class}
}

// twoClasses returns the indicators of the second class. A label of more than two classes is an
// error.
func (c *cases) twoClasses(t *data.Target, loss string) ([]labels, error) {
	if t.Class == nil || len(t.Classes) > 2 {
		return nil, &LabelError{-1, "loss=" + loss + " needs labels of two classes"}
	}
	return []labels{c.indicators(t, 1)}, nil
}

// all returns the labels of all positions.
func (l *labels) all() []float64 {
	if l.number != nil {
		return l.number
	}
	y := make([]float64, len(l.rows))
	l.write(y, 0)
	return y
}

// read calls use with the labels of some positions, up to blockRows.
func (l *labels) read(from, to int, use func(y []float64)) {
	if l.number != nil {
		use(l.number[from:to])
		return
	}
	scratch := indicatorBlocks.Get().(*[blockRows]float64)
	defer indicatorBlocks.Put(scratch)
	y := scratch[:to-from]
	l.write(y, from)
	use(y)
}

// indicatorBlocks are where indicators are written.
var indicatorBlocks = sync.Pool{New: func() any { return new([blockRows]float64) }}

// write writes the indicators of the positions from one on. It has no branch that labels decide,
// since these come in random order.
func (l *labels) write(y []float64, from int) {
	values := [2]float64{0, 1}
	for i, r := range l.rows[from : from+len(y)] {
		is := 0
		if l.class[r] == l.of {
			is = 1
		}
		y[i] = values[is]
	}
}
