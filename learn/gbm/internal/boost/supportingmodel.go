package boost

import (
	"errors"

	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
)

// support is a supporting model.
type support struct {
	*stepper           // of its body
	places   []int32   // positions of the rows that it learns from, then those that it predicts
	body     []float64 // scores of the former, output-major
	tail     []float64 // of the latter
	g, h     []float64
}

// newSupport returns the model that learns from the first rows at some places.
func (u *supports) newSupport(l loss.Loss, places []int32, body int) (*support, error) {
	rows, weight := make([]int32, body), make([]float64, body)
	for i, at := range places[:body] {
		rows[i] = u.setup.Rows[at]
		weight[i] = u.setup.Target.WeightAt(rows[i])
	}
	k := u.scores.train.Objective.Outputs()
	m := &support{places: places, body: make([]float64, k*body),
		tail: make([]float64, k*(len(places)-body))}
	set, err := boosting.NewSet(boosting.Training, l, u.setup.Target, rows)
	switch {
	case errors.Is(err, loss.ErrNoWeight):
		return m, nil // it learns nothing
	case err != nil:
		return nil, err
	}
	m.stepper = newStepper(u.setup, set.Objective, weight, 1)
	return m, nil
}

// learn adds the trees of a round, by an order.
func (m *support) learn(trees []notedTree, order int, rate float64, refiner loss.LeafRefiner) {
	k := m.objective.Outputs()
	body := len(m.body) / k
	tail := len(m.places) - body
	if m.g == nil {
		m.g, m.h = make([]float64, len(m.body)), make([]float64, len(m.body))
	}
	m.objective.Gradients(m.g, m.h, m.body, 1)
	values, leaves := make([][]float64, len(trees)), make([][]int32, len(trees))
	for o, t := range trees {
		byPosition := t.leaf[order%len(t.leaf)]
		leaf := make([]int32, len(m.places))
		for i, at := range m.places {
			leaf[i] = byPosition[at]
		}
		leaves[o] = leaf
		if refiner != nil {
			values[o] = m.refined(t.grown, o, m.body, leaf[:body], refiner)
		} else {
			values[o] = m.values(t.grown, o, m.body, m.g, m.h, leaf[:body])
		}
	}
	for o, leaf := range leaves {
		for i, at := range leaf[:body] {
			m.body[o*body+i] += float64(values[o][at] * rate)
		}
		for i, at := range leaf[body:] {
			m.tail[o*tail+i] += float64(values[o][at] * rate)
		}
	}
}
