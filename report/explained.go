package report

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// explained are the Shapley values of sampled rows, with the features that matter most first, and
// of the chosen rows.
type explained struct {
	rows   []int32                // sampled, ascending
	all    []int32                // those sampled, then the chosen ones that are not
	values *explain.Contributions // of all
	scores []string               // what each score is of: a class, or the label
	sign   float64                // -1 where the table has another positive class than the model
	order  []int                  // features by falling strength
	mean   []float64              // by feature: mean |value| over sampled rows and scores
}

// The numbers of explained rows and features.
const (
	explainedRows     = 1000
	explainedLeast    = 60
	explainedFeatures = 12     // that charts show
	explainedValues   = 60_000 // of all rows, shown features and scores, about
	// numbers in leaves that are looked at for all rows: some seconds' work for one processor
	explainedLeaves = 200_000_000
	explainedMemory = 256 << 20 // bytes that tables may take, unless the limit allows less
)

// explainable returns the model whose raw scores have exact Shapley values: trees, a linear model,
// or a weighted sum of these; nil for others.
func (s *subject) explainable() model.Model {
	if s.trees != nil {
		return s.trees
	}
	if explain.IsExact(s.model) {
		return s.model
	}
	return nil
}

// rawScores returns the number of raw scores of a model that is explained.
func rawScores(m model.Model) int {
	bound, err := m.Bind(&m.Spec().Schema, model.Options{Output: model.Raw})
	if err != nil {
		return m.Outputs() // an estimate of the work is all that this number is for
	}
	return bound.Width()
}

// leafValues returns the number of values in the leaves of a model and of those it consists of.
func leafValues(m model.Model) int {
	n := 0
	if e, trees := model.AsTrees(m); trees {
		for _, t := range e.Trees {
			n += t.NumLeaves() * t.Leaf.Width
		}
		return n
	}
	for _, child := range m.Children() {
		n += leafValues(child.Model)
	}
	return n
}

// explainedNumber returns the number of rows that are sampled for Shapley values, and whether
// explaining others besides would take long. Large forests of many classes take a second for each
// ten rows.
func (s *subject) explainedNumber() (rows int, slow bool) {
	n, scores := len(s.spec.Schema.Fields), rawScores(s.explainable())
	rows = min(explainedRows, max(explainedLeast, explainedValues/max(1, scores*min(n,
		explainedFeatures))))
	values := leafValues(s.explainable())
	if values == 0 {
		return rows, false
	}
	most := max(explainedLeast, explainedLeaves/values)
	return min(rows, most), most == explainedLeast
}

// explain returns the Shapley values, which are computed once. A *missingError states why there are
// none.
func (s *subject) explain(ctx context.Context) (*explained, error) {
	switch {
	case s.data == nil:
		return nil, errNoTable
	case s.explainable() == nil:
		return nil, errNotExact
	case s.shapley != nil || s.shapleyErr != nil:
		return s.shapley, s.shapleyErr
	}
	s.shapley, s.shapleyErr = s.computeShapley(ctx)
	var uncovered *explain.NotCoveredError
	if errors.Is(s.shapleyErr, explain.ErrNoCover) || errors.Is(s.shapleyErr, explain.ErrPooled) ||
		errors.As(s.shapleyErr, &uncovered) {
		s.shapleyErr = missing("Shapley values: %s.", s.shapleyErr)
	}
	return s.shapley, s.shapleyErr
}

func (s *subject) computeShapley(ctx context.Context) (*explained, error) {
	m := s.explainable()
	n := len(s.spec.Schema.Fields)
	e := &explained{sign: 1, mean: make([]float64, n), rows: s.explainedSample()}
	e.all = slices.Clone(e.rows)
	for _, row := range s.chosenRows() {
		if _, sampled := slices.BinarySearch(e.rows, row); !sampled {
			e.all = append(e.all, row)
		}
	}
	var err error
	e.values, err = explain.Shapley(ctx, m, s.data.Frame, e.all,
		explain.ShapleyOptions{Workers: s.options.Workers,
			Memory: min(explainedMemory, s.options.Memory.Bytes()/4)})
	if err != nil {
		return nil, err
	}
	scores := e.values.Scores
	e.nameScores(s)
	for r := range e.rows {
		for k := range scores {
			for f, v := range e.values.Row(r, k) {
				e.mean[f] += math.Abs(v) / float64(len(e.rows)*scores)
			}
		}
	}
	for f := range n {
		e.order = append(e.order, f)
	}
	slices.SortStableFunc(e.order, func(a, b int) int { return cmp.Compare(e.mean[b], e.mean[a]) })
	return e, nil
}

// explainedSample returns the rows that are sampled for Shapley values, ascending.
func (s *subject) explainedSample() []int32 {
	most, _ := s.explainedNumber()
	return s.some(most, forExplaining)
}

// nameScores names what the scores are of. The only score of two classes is that of the model's
// positive class; it is turned if the table has the other one as positive.
func (e *explained) nameScores(s *subject) {
	classes := s.classes()
	switch {
	case len(classes) == e.values.Scores:
		e.scores = classes
	case e.values.Classes != nil:
		at := max(0, s.positive())
		e.scores = classes[at : at+1]
		if e.values.Classes[0] != classes[at] {
			e.sign = -1
		}
	default:
		for range e.values.Scores {
			e.scores = append(e.scores, s.scoreWords())
		}
	}
}
