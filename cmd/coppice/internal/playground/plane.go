package playground

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// unit is the side of the square in which points are drawn.
var unit = span{0, 1}

// mostMembers is the number of members that are shown one by one.
const mostMembers = 6

// trainRequest is the request of the scenes plane and curve.
type trainRequest struct {
	Points   []point  `json:"points"`
	Method   string   `json:"method"`
	Settings settings `json:"settings"`
	Shown    int      `json:"shown"` // trees or leaves; 0 = where the method ends
	Seed     uint64   `json:"seed"`
}

// trained is the answer of both scenes.
type trained struct {
	Unit    string    `json:"unit"`   // what the steps count: leaves, trees, rounds
	Sizes   []int     `json:"sizes"`  // of each step
	Shown   int       `json:"shown"`  // the step of the picture, from 0
	Chosen  int       `json:"chosen"` // the step that the method ends with
	Train   []float64 `json:"train"`  // error of each step
	Test    []float64 `json:"test,omitempty"`
	Crossed []float64 `json:"crossed,omitempty"` // cross-validated error of a pruned tree

	Note    string    `json:"note,omitempty"` // why training ended early
	Map     *picture  `json:"map"`
	Members []member  `json:"members"`
	Scores  []float64 `json:"scores"`            // of all points, at the step shown
	Weights []float64 `json:"weights,omitempty"` // of training points, for the next round
	Margins []float64 `json:"margins,omitempty"` // of training points, ascending
	Sketch  *sketch   `json:"tree,omitempty"`    // of a single tree that is small
}

// member is one tree of the model.
type member struct {
	Number  int       `json:"number"` // from 1
	Weight  float64   `json:"weight"` // of its vote
	Map     *picture  `json:"map"`
	Weights []float64 `json:"weights,omitempty"` // of training points, before its round
}

// planeOf trains a method on two classes.
func planeOf(ctx context.Context, h *Handler, q *trainRequest) (*trained, error) {
	return h.trained(ctx, q, true)
}

// trained trains, or takes a model that was kept, and describes the step that is shown.
func (h *Handler) trained(ctx context.Context, q *trainRequest, classes bool) (*trained, error) {
	m, err := find(q.Method, classes)
	if err != nil {
		return nil, err
	}
	r, err := h.kept.get(q, classes, func() (*run, error) { return newRun(ctx, q, m, classes) })
	if err != nil {
		return nil, err
	}
	step := r.fit.step(q.Shown)
	a := &trained{Unit: m.Unit, Sizes: r.fit.sizes, Shown: step, Chosen: r.fit.chosen,
		Train: r.train, Test: r.test, Crossed: r.crossed,
		Note:   r.fit.stopped,
		Scores: rounded(slices.Clone(r.steps[step]))}
	shown := r.fit.at(step)
	if a.Map, err = shape(shown, classes, mostCells); err != nil {
		return nil, err
	}
	if r.fit.subtrees != nil {
		a.Sketch = sketchOf(shown)
		return a, nil
	}
	if classes {
		a.Margins = r.margins(step)
	}
	a.Weights = rounded(r.importance(step))
	a.Members, err = r.members(step, classes)
	return a, err
}

// shape draws what a model predicts of the plane or of the line.
func shape(e *model.Ensemble, classes bool, most int) (*picture, error) {
	if classes {
		return pictureOf(e, unit, most)
	}
	return lineOf(e, unit)
}

// run is a training with what is predicted of its points.
type run struct {
	table       *table
	fit         *fitted
	steps       [][]float64 // scores of all points, by step
	values      [][]float64 // of the trees, by point
	train, test []float64   // errors by step
	crossed     []float64
}

func newRun(ctx context.Context, q *trainRequest, m *method, classes bool) (*run, error) {
	t, err := newTable(q.Points, classes)
	if err != nil {
		return nil, err
	}
	r := &run{table: t}
	if r.fit, err = t.fit(ctx, m, q.Settings, q.Seed); err != nil {
		return nil, err
	}
	if r.steps, err = r.fit.staged(t.frame); err != nil {
		return nil, err
	}
	if r.values, err = r.fit.trees(t.frame); err != nil {
		return nil, err
	}
	r.train, r.test = rounded(t.errors(r.steps, t.train)), rounded(t.errors(r.steps, t.test))
	r.crossed = rounded(r.fit.crossed)
	return r, nil
}

// importance returns the weights of training points for the round after a step, which may be -1.
func (r *run) importance(step int) []float64 {
	if step >= 0 {
		return r.fit.importance(r.table, r.values, r.steps[step], step)
	}
	if r.fit.method.Name == "adaboost" {
		return slices.Repeat([]float64{1}, len(r.table.train))
	}
	return nil
}

// margins returns the score of a training point's class less that of the other, for all of them.
func (r *run) margins(step int) []float64 {
	found := make([]float64, 0, len(r.table.train))
	for _, row := range r.table.train {
		found = append(found, float64(sign(r.table.target.Class[row])*(2*r.steps[step][row]-1)))
	}
	slices.Sort(found)
	return rounded(found)
}

// members returns the last trees up to a step.
func (r *run) members(step int, classes bool) ([]member, error) {
	var found []member
	for n := max(0, step+1-mostMembers); n <= step; n++ {
		one := model.Ensemble{Meta: r.fit.whole.Meta, Trees: r.fit.whole.Trees[n : n+1],
			Combine: r.fit.whole.Combine}
		if one.Trees[0].Leaf.Width == 1 {
			one.Meta.Task, one.Meta.Classes = data.Regression, nil // it adds a number
			one.Meta.Decision = model.Decision{}
		}
		drawn, err := shape(&one, classes, thumbnail)
		if err != nil {
			return nil, err
		}
		found = append(found, member{Number: n + 1, Weight: r.fit.weight(n), Map: drawn,
			Weights: rounded(r.importance(n - 1))})
	}
	return found, nil
}
