package bag

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/oob"
	"github.com/coppice-ml/coppice/model"
)

// books are what the members say of rows that they were not trained on. Rows that stand in the job several times are one
// position, which is out of the bag if all of them are:
//
//	job.rows   3  5  5  8
//	first      0  1     3  4
//	distinct   3  5     8
type books struct {
	distinct []int32 // frame rows, ascending
	first    []int32 // where each starts among the job's rows, and their number
	tally    *oob.Tally
}

// newBooks opens the books for the rows of a job, which are in ascending order.
func newBooks(t *data.Target, rows []int32) *books {
	b := &books{}
	for i, r := range rows {
		if i == 0 || rows[i-1] != r {
			b.distinct, b.first = append(b.distinct, r), append(b.first, int32(i))
		}
	}
	b.first = append(b.first, int32(len(rows)))
	truth := oob.Truth{Task: t.Task, Classes: len(t.Classes)}
	if t.Class != nil {
		truth.Class = pick(t.Class, b.distinct)
	} else {
		truth.Y = pick(t.Y[0], b.distinct)
	}
	if t.Weight != nil || len(b.distinct) < len(rows) {
		truth.Weight = make([]float64, len(b.distinct))
		for i, r := range b.distinct {
			truth.Weight[i] = float64(t.WeightAt(r) * float64(b.first[i+1]-b.first[i]))
		}
	}
	b.tally = oob.NewTally(truth)
	return b
}

// out returns the positions that are out of a bag, which holds each of the job's rows as often as it counts.
func (b *books) out(count []uint32) []int32 {
	var out []int32
	for i := range b.distinct {
		drawn := uint32(0)
		for _, c := range count[b.first[i]:b.first[i+1]] {
			drawn += c
		}
		if drawn == 0 {
			out = append(out, int32(i))
		}
	}
	return out
}

// predict returns what a member says of positions: shares, or a one for the class that it votes for; or numbers.
func (b *books) predict(m model.Model, f *data.Frame, out []int32, votes bool, workers int) ([]float64, error) {
	if len(out) == 0 {
		return nil, nil
	}
	o := model.Options{Workers: workers}
	if votes {
		o.Output = model.Label
	}
	p, err := m.Bind(&f.Schema, o)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(out)*p.Width())
	if err := p.Predict(values, f, pick(b.distinct, out)); err != nil || !votes {
		return values, err
	}
	k := m.Outputs()
	voted := make([]float64, len(out)*k)
	for i, class := range values {
		voted[i*k+int(class)] = 1
	}
	return voted, nil
}
