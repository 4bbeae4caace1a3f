package bag

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/oob"
	"github.com/coppice-ml/coppice/model"
)

// errNoneOut says why there is nothing to tell of rows out of the bag.
var errNoneOut = errors.New("needs rows out of the bag, and every member is trained on all: use sample=bootstrap, or a smaller fraction")

// truth is what the members' predictions for rows out of their bags are held against.
func (j *job) truth(t *data.Target) oob.Truth {
	p := j.pop
	truth := oob.Truth{Task: t.Task, Classes: p.Classes, Class: p.Class, Y: p.Y}
	if t.Weight != nil || p.Count != nil {
		truth.Weight = make([]float64, len(p.Rows))
		for i := range truth.Weight {
			truth.Weight[i] = p.WeightAt(i)
		}
	}
	return truth
}

// outOf returns the positions that are out of a bag.
func outOf(count []uint32) []int32 {
	var out []int32
	for i, c := range count {
		if c == 0 {
			out = append(out, int32(i))
		}
	}
	return out
}

// predict returns what a member says of positions: shares, or a one for the class that it votes for; or numbers.
func (j *job) predict(m model.Model, out []int32, workers int) ([]float64, error) {
	if len(out) == 0 {
		return nil, nil
	}
	o := model.Options{Workers: workers}
	if j.votes() {
		o.Output = model.Label
	}
	p, err := m.Bind(&j.frame.Schema, o)
	if err != nil {
		return nil, err
	}
	rows := make([]int32, len(out))
	for i, position := range out {
		rows[i] = j.pop.Rows[position]
	}
	values := make([]float64, len(out)*p.Width())
	if err := p.Predict(values, j.frame, rows); err != nil || !j.votes() {
		return values, err
	}
	k := m.Outputs()
	voted := make([]float64, len(out)*k)
	for i, class := range values {
		voted[i*k+int(class)] = 1
	}
	return voted, nil
}
