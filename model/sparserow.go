package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// IndexError reports that a sparse row names a column that the bound schema does not have.
type IndexError struct {
	Index   int32
	Columns int // of the schema
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("a sparse row names column %d, and there are %d columns", e.Index, e.Columns)
}

// AbsentValue returns the value of a column that a sparse row does not name, as PredictRow takes
// it. field is the column's in the table, absent the meaning that the model stores.
func AbsentValue(field *data.Field, absent data.Absent) float64 {
	if field.Kind != data.Numeric {
		return math.NaN()
	}
	return absent.Number()
}

// sparsePlan finds the features that are made of a column of the bound schema.
type sparsePlan struct {
	// the features of column c are feature[first[c]:first[c+1]]
	first, feature []int32
	absent         []float64 // by feature, the value where no row names its column, as it is stored
	refusing       []int32   // features that have no value then, and whose policy refuses that
}

// planSparse makes the plan of the bound columns.
func (p *predictor) planSparse() *sparsePlan {
	s := &sparsePlan{first: make([]int32, p.width+1), feature: make([]int32, len(p.used)),
		absent: make([]float64, len(p.features))}
	for _, k := range p.used {
		s.first[p.at[k]+1]++
	}
	for c := range p.width {
		s.first[c+1] += s.first[c]
	}
	next := slices.Clone(s.first)
	for _, k := range p.used {
		c := p.at[k]
		s.feature[next[c]] = k
		next[c]++
		in := &p.features[k]
		if s.absent[k] = math.NaN(); in.numeric {
			s.absent[k], _ = in.bound.ofRow(p.own.AbsentValues.Number())
		}
		if in.field.Missing == data.Refuse && math.IsNaN(s.absent[k]) {
			s.refusing = append(s.refusing, k)
		}
	}
	return s
}

// PredictSparse predicts one row given as values of some columns of the bound schema.
func (p *predictor) PredictSparse(dst []float64, index []int32, value []float64) error {
	if len(dst) < p.Width() {
		return &SizeError{Want: p.Width(), Got: len(dst)}
	}
	if len(value) != len(index) {
		return &SizeError{Want: len(index), Got: len(value)}
	}
	p.planned.Do(func() { p.sparse = p.planSparse() })
	s := p.sparse
	for _, c := range index {
		if uint(c) >= uint(p.width) {
			return &IndexError{c, p.width}
		}
	}
	for _, k := range s.refusing {
		if !slices.Contains(index, int32(p.at[k])) {
			return p.features[k].store(row{}, math.NaN(), -1)
		}
	}
	b, _ := p.sparseRows.Get().(*rowBuffer)
	if b == nil {
		b = &rowBuffer{p.newRow(), p.Start()}
		for _, k := range p.used {
			p.features[k].put(b.row, s.absent[k])
		}
	}
	err := p.fillSparse(b, index, value)
	if err == nil {
		values := b.row.complete()
		if err = p.guard.check(values, -1); err == nil {
			b.predict(dst[:p.Width()], values)
		}
	}
	for _, c := range index {
		for _, k := range s.feature[s.first[c]:s.first[c+1]] {
			p.features[k].put(b.row, s.absent[k])
		}
	}
	p.sparseRows.Put(b)
	return err
}

// fillSparse stores the values of the columns that a row names.
func (p *predictor) fillSparse(b *rowBuffer, index []int32, value []float64) error {
	s := p.sparse
	for i, c := range index {
		for _, k := range s.feature[s.first[c]:s.first[c+1]] {
			in := &p.features[k]
			x, err := in.ofRow(value[i])
			if err != nil {
				return err
			}
			if err := in.store(b.row, x, -1); err != nil {
				return err
			}
		}
	}
	return nil
}
