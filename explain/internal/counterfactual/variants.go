package counterfactual

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// variants are copies of the row with other values in some columns.
type variants struct {
	s       *search
	columns []data.Column
	numbers [][]float64
	codes   [][]uint32
	touched []int // columns of the table that differ from the row
	out     []float64
	most    int
}

func newVariants(s *search, most int) *variants {
	n := len(s.base.Columns)
	v := &variants{s: s, most: most, numbers: make([][]float64, n), codes: make([][]uint32, n),
		columns: make([]data.Column, n), out: make([]float64, most*s.p.Width())}
	for i := range s.base.Columns {
		v.reset(i)
	}
	return v
}

// reset writes the row's own value into all copies.
func (v *variants) reset(i int) {
	c := &v.s.base.Columns[i]
	if c.Codes() != nil {
		if v.codes[i] == nil {
			v.codes[i] = make([]uint32, v.most)
		}
		for r := range v.codes[i] {
			v.codes[i][r] = c.Code(0)
		}
		return
	}
	if v.numbers[i] == nil {
		v.numbers[i] = make([]float64, v.most)
	}
	for r := range v.numbers[i] {
		v.numbers[i][r] = c.Number(0)
	}
}

// clear makes all copies the row again.
func (v *variants) clear() {
	for _, i := range v.touched {
		v.reset(i)
	}
	v.touched = v.touched[:0]
}

// set changes one copy: columns to the choices at some places.
func (v *variants) set(r int, columns []int, at []int32) {
	for i, c := range columns {
		x := &v.s.columns[c]
		if v.codes[x.at] != nil {
			v.codes[x.at][r] = x.code[at[i]]
		} else {
			v.numbers[x.at][r] = x.number[at[i]]
		}
		if !slices.Contains(v.touched, x.at) {
			v.touched = append(v.touched, x.at)
		}
	}
}

// frame returns the first n copies.
func (v *variants) frame(n int) *data.Frame {
	for i := range v.columns {
		if v.codes[i] != nil {
			v.columns[i] = data.Codes(v.codes[i][:n])
		} else {
			v.columns[i] = data.Numbers(v.numbers[i][:n])
		}
	}
	f, err := data.NewFrame(v.s.base.Schema, v.columns)
	if err != nil {
		panic(err) // the columns are as long as each other
	}
	return f
}

// predict returns the responses of the first n copies, row after row.
func (v *variants) predict(n int) ([]float64, error) {
	out := v.out[:n*v.s.p.Width()]
	return out, v.s.p.Predict(out, v.frame(n), nil)
}
