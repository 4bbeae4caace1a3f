package playground

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/prune"
)

// table is points as a learner takes them.
type table struct {
	frame  *data.Frame
	target data.Target
	train  []int32
	test   []int32
}

// newTable makes the table of points: two columns and a class, or one column and a number.
func newTable(points []point, classes bool) (*table, error) {
	if len(points) > maxPoints {
		return nil, refuse("there are %d points, of %d at most", len(points), maxPoints)
	}
	t := &table{}
	x, y := make([]float64, len(points)), make([]float64, len(points))
	var class []uint32
	var seen [2]bool
	for i, p := range points {
		if p.Class != 0 && p.Class != 1 {
			return nil, refuse("point %d has the class %d: there are 0 and 1", i+1, p.Class)
		}
		if p.X < -1e3 || p.X > 1e3 || p.Y < -1e3 || p.Y > 1e3 {
			return nil, refuse("point %d is far outside", i+1)
		}
		x[i], y[i], class = p.X, p.Y, append(class, uint32(p.Class))
		if p.Test {
			t.test = append(t.test, int32(i))
		} else {
			t.train, seen[p.Class] = append(t.train, int32(i)), true
		}
	}
	switch {
	case len(t.train) < 2:
		return nil, refuse("draw at least two points")
	case classes && (!seen[0] || !seen[1]):
		return nil, refuse("draw points of both classes")
	}
	var err error
	if classes {
		t.target = data.Target{Name: "class", Task: data.Binary, Class: class,
			Classes: []string{"blue", "orange"}}
		t.frame, err = frameOf(x, y)
	} else {
		t.target = data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}
		t.frame, err = frameOf(x)
	}
	return t, err
}

// frameOf makes the frame of one or two columns.
func frameOf(columns ...[]float64) (*data.Frame, error) {
	names := [...]string{"x", "y"}
	var schema data.Schema
	var all []data.Column
	for i, values := range columns {
		schema.Fields = append(schema.Fields, data.Field{Name: names[i]})
		all = append(all, data.Numbers(values))
	}
	return data.NewFrame(schema, all)
}

// fitted is a trained model with all that its training went through: after step s it predicts as
// at(s). Steps are trees of an ensemble, or subtrees of a tree from the root alone to the whole.
type fitted struct {
	method   *method
	whole    *model.Ensemble
	subtrees []*model.Ensemble // of a tree: those of its path, ascending; nil for ensembles
	sizes    []int             // trees or leaves of each step
	chosen   int               // the step that the method ends with
	crossed  []float64         // of a pruned tree: the cross-validated error of each step
	stopped  string            // why AdaBoost has fewer rounds than requested; "" = it has not
}

// fit trains a method on the training points.
func (t *table) fit(ctx context.Context, m *method, s settings, seed uint64) (*fitted, error) {
	l, err := m.learner(s)
	if err != nil {
		return nil, err
	}
	whole, err := t.once(ctx, l, seed)
	if err != nil {
		return nil, err
	}
	f := &fitted{method: m, whole: whole}
	if m.Unit != "leaves" {
		for n := range whole.NumRounds() {
			f.sizes = append(f.sizes, n+1)
		}
		f.chosen = len(f.sizes) - 1
		if m.Name == adaboost.Name {
			var found adaboost.Summary
			err = learn.ReadSummary(whole, &found)
			f.stopped = found.Stopped
		}
		return f, err
	}
	if !m.pruned {
		err = f.path(nil)
		return f, err
	}
	var found cart.Summary
	if err := learn.ReadSummary(whole, &found); err != nil {
		return nil, err
	}
	if err := l.Params().Set([]string{"prune=none"}); err != nil {
		return nil, err
	}
	if f.whole, err = t.once(ctx, l, seed); err != nil {
		return nil, err
	}
	return f, f.path(&found)
}

// once trains a learner once.
func (t *table) once(
	ctx context.Context, l learn.Learner, seed uint64,
) (*model.Ensemble, error) {
	p, err := l.Prepare(ctx, t.frame, t.train, nil, learn.Env{Workers: 1})
	if err != nil {
		return nil, err
	}
	fit, err := p.Fit(ctx, &t.target, learn.Job{Seed: seed, Workers: 1})
	if err != nil {
		return nil, err
	}
	e, ok := model.AsTrees(fit)
	if !ok {
		return nil, errors.New("the method made no trees")
	}
	return e, nil
}

// path makes the steps of a tree: the subtrees of its cost-complexity path. found is what
// cross-validation found of them, nil for the whole tree as the choice.
func (f *fitted) path(found *cart.Summary) error {
	t := f.whole.Trees[0]
	cost, err := prune.TrainingError(t)
	if err != nil {
		return err
	}
	p := prune.NewPath(t, cost, nil)
	for i := len(p.Steps) - 1; i >= 0; i-- {
		sub, err := p.Prune(p.Steps[i].Alpha)
		if err != nil {
			return err
		}
		one := *f.whole
		one.Trees = append(one.Trees[:0:0], sub)
		f.subtrees, f.sizes = append(f.subtrees, &one), append(f.sizes, sub.NumLeaves())
	}
	// splits that save no training error are on no path: the whole tree is a step of its own
	if last := f.sizes[len(f.sizes)-1]; last < t.NumLeaves() {
		f.subtrees, f.sizes = append(f.subtrees, f.whole), append(f.sizes, t.NumLeaves())
	}
	f.chosen = len(f.sizes) - 1
	if found == nil || len(found.Path) == 0 || found.Path[0].Error == nil {
		return nil
	}
	f.crossed = make([]float64, len(f.sizes))
	for i, size := range f.sizes {
		f.crossed[i] = *found.Path[0].Error
		for _, point := range found.Path {
			if point.Leaves >= size {
				f.crossed[i] = *point.Error
			}
		}
		if size <= found.Leaves {
			f.chosen = i
		}
	}
	return nil
}

// at returns the model after a step, counted from 0.
func (f *fitted) at(step int) *model.Ensemble {
	if f.subtrees != nil {
		return f.subtrees[step]
	}
	return f.whole.First(f.sizes[step])
}

// step returns the step that a request shows: the number of trees or leaves, or the largest of
// fewer; 0 = the one that the method ends with.
func (f *fitted) step(size int) int {
	if size <= 0 {
		return f.chosen
	}
	at, ok := slices.BinarySearch(f.sizes, size)
	if !ok {
		at--
	}
	return max(0, at)
}

// predict returns what a model predicts of a frame: of classes the score of the second, from 0 to
// 1, else the number.
func predict(e *model.Ensemble, frame *data.Frame) ([]float64, error) {
	p, err := e.Bind(&e.Meta.Schema, model.Options{Workers: 1, Rounds: model.AllRounds})
	if err != nil {
		return nil, err
	}
	k := p.Width()
	all := make([]float64, frame.Rows()*k)
	if err := p.Predict(all, frame, nil); err != nil {
		return nil, err
	}
	scores := make([]float64, frame.Rows())
	for i := range scores {
		scores[i] = all[i*k+k-1]
	}
	return scores, nil
}
