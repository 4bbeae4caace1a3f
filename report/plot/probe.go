package plot

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// probe predicts points of a plane or a line: rows whose columns are fixed but for those drawn.
type probe struct {
	predictor model.Predictor
	frame     *data.Frame
	drawn     [2][]float64 // the columns of the frame that are not fixed; the second may be nil
}

// probeRows is the number of points that are predicted at once.
const probeRows = 2048

// probe binds a view to the columns drawn; fixed is a table of one row with the values of others.
func (s *Scene) probe(v *view, columns []int, fixed []data.Column) (*probe, error) {
	all := make([]data.Column, len(fixed))
	for i := range fixed {
		if codes := fixed[i].Codes(); codes != nil {
			all[i] = data.Codes(slices.Repeat(codes, probeRows))
		} else {
			all[i] = data.Numbers(slices.Repeat(fixed[i].Numbers(), probeRows))
		}
	}
	p := &probe{}
	for i, c := range columns {
		p.drawn[i] = make([]float64, probeRows)
		all[c] = data.Numbers(p.drawn[i])
	}
	var err error
	if p.frame, err = data.NewFrame(s.Spec.Schema, all); err != nil {
		return nil, err
	}
	p.predictor, err = v.model.Bind(&p.frame.Schema, model.Options{Rounds: v.rounds})
	return p, err
}

// predict predicts the points that are pairs of the two lists, row after row. A line has one point
// for each x.
func (p *probe) predict(xs, ys []float64) ([]float64, error) {
	w, n := p.predictor.Width(), len(xs)*len(ys)
	values := make([]float64, n*w)
	for at := 0; at < n; at += probeRows {
		block := data.AllRows(min(probeRows, n-at))
		for i := range block {
			p.drawn[0][i] = xs[(at+i)%len(xs)]
			if p.drawn[1] != nil {
				p.drawn[1][i] = ys[(at+i)/len(xs)]
			}
		}
		end := (at + len(block)) * w
		if err := p.predictor.Predict(values[at*w:end], p.frame, block); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// lattice are the points of a plane or a line at which a model is evaluated: the corners of cells,
// or their middles where the prediction is the same all over a cell.
type lattice struct {
	x, y  []float64 // the edges of the cells, ascending
	steps bool      // predictions are those of the middles
}

// places returns where along one side the model is evaluated.
func (l *lattice) places(edges []float64) []float64 {
	if !l.steps {
		return edges
	}
	middles := make([]float64, len(edges)-1)
	for i := range middles {
		middles[i] = mean(edges[i], edges[i+1])
	}
	return middles
}

// The distances between points, in pixels: of smooth functions, which are drawn by straight lines
// between the points, and of step functions with more steps than can be distinguished.
const (
	smoothStep = 4
	fineStep   = 2
)

// lattice lays out the points for a view between the ends of two axes that have pixels; y is nil
// for a line.
func (s *Scene) lattice(v *view, columns []int, x, y *axis) lattice {
	steps := [2][]float64{}
	l := lattice{steps: s.splitPoints(v.model, columns, &steps)}
	l.x = l.edges(x, steps[0])
	if l.y = []float64{0, 1}; y != nil {
		l.y = l.edges(y, steps[1])
	}
	return l
}

// edges returns the edges along an axis: the steps of a function that has no others, or points at
// even distances.
func (l *lattice) edges(a *axis, steps []float64) []float64 {
	pixels := max(a.to-a.from, a.from-a.to)
	if l.steps {
		slices.Sort(steps)
		steps = slices.Compact(slices.DeleteFunc(steps,
			func(v float64) bool { return !(v > a.low && v < a.high) }))
		if len(steps) <= pixels/fineStep {
			return slices.Concat([]float64{a.low}, steps, []float64{a.high})
		}
	}
	distance := smoothStep
	if l.steps {
		distance = fineStep
	}
	n := max(1, pixels/distance)
	edges := make([]float64, n+1)
	for i := range edges {
		f := float64(i) / float64(n)
		edges[i] = float64(a.low*(1-f)) + float64(a.high*f)
	}
	return edges
}

// splitPoints adds the split points of all trees of a model on the columns drawn. It reports
// whether predictions change nowhere else, as they do where a model has no trees, or some that
// split by several columns at once.
func (s *Scene) splitPoints(m model.Model, columns []int, to *[2][]float64) bool {
	if e, ok := model.AsTrees(m); ok {
		return s.stepsOf(e, columns, to)
	}
	children := m.Children()
	for _, c := range children {
		if c.Role == model.MetaLearner && !s.uses(c.Model, columns) {
			continue // it depends on the predictions of the members alone
		}
		if !s.splitPoints(c.Model, columns, to) {
			return false
		}
	}
	return len(children) > 0
}

// uses reports whether a model has one of the columns drawn.
func (s *Scene) uses(m model.Model, columns []int) bool {
	return slices.ContainsFunc(columns, func(c int) bool {
		return m.Spec().Schema.Index(s.Spec.Schema.Fields[c].Name) >= 0
	})
}

// stepsOf is splitPoints of an ensemble of trees.
func (s *Scene) stepsOf(e *model.Ensemble, columns []int, to *[2][]float64) bool {
	place := map[int32]int{}
	for i, c := range columns {
		if at := e.Meta.Schema.Index(s.Spec.Schema.Fields[c].Name); at >= 0 {
			place[int32(at)] = i
		}
	}
	for k := range e.Inputs.Len() {
		for _, f := range e.Sources(int32(len(e.Meta.Schema.Fields) + k)) {
			if _, drawn := place[f]; drawn {
				return false
			}
		}
	}
	for _, t := range e.Trees {
		if t.Leaf.Linear != nil || !treeSteps(t, place, to) {
			return false
		}
	}
	return true
}

// treeSteps adds the split points of a tree, with those of its surrogates.
func treeSteps(t *tree.Tree, place map[int32]int, to *[2][]float64) bool {
	for n := range int32(t.Len()) {
		switch t.Kind(n) {
		case tree.Numeric:
			if i, drawn := place[t.Feature(n)]; drawn {
				to[i] = append(to[i], t.SplitPoint(n))
			}
		case tree.Oblique, tree.Sphere:
			for k := t.Dirs.At[n]; k < t.Dirs.At[n+1]; k++ {
				if _, drawn := place[t.Dirs.Feature[k]]; drawn {
					return false
				}
			}
		}
	}
	if t.Surrogates != nil {
		for k, f := range t.Surrogates.Feature {
			if i, drawn := place[f]; drawn && t.Surrogates.Kind[k] == tree.Numeric {
				to[i] = append(to[i], t.Surrogates.SplitPoint[k])
			}
		}
	}
	return true
}
