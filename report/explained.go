package report

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
)

// explained are the Shapley values of sampled rows, with the features that matter most first.
type explained struct {
	rows   []int32 // of the table, ascending
	values *explain.Contributions
	scores []string  // what each score is of: a class, or the label
	sign   float64   // -1 where the only score is of the negative class
	order  []int     // features by falling strength
	mean   []float64 // by feature: mean |value| over rows and scores
	slow   bool      // more rows take long
}

// The numbers of explained rows and features.
const (
	explainedRows     = 1000
	explainedLeast    = 60
	explainedFeatures = 12     // that charts show
	explainedValues   = 60_000 // of all rows, shown features and scores, about
	// leaves times scores beyond which few rows are explained: large forests of many classes take
	// a second for each ten rows
	tabulatedLeaves = 500_000
)

// explain returns the Shapley values, which are computed once. A *missingError states why there are
// none.
func (s *subject) explain(ctx context.Context) (*explained, error) {
	switch {
	case s.data == nil:
		return nil, errNoTable
	case s.trees == nil:
		return nil, errNoTrees
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
	n, scores := len(s.spec.Schema.Fields), s.trees.Scores()
	most := max(explainedLeast, explainedValues/max(1, scores*min(n, explainedFeatures)))
	slow := s.trees.Describe().Size.Leaves*scores > tabulatedLeaves
	if slow {
		most = explainedLeast
	}
	e := &explained{sign: 1, slow: slow, mean: make([]float64, n),
		rows: s.some(min(explainedRows, most), forExplaining)}
	var err error
	e.values, err = explain.Shapley(ctx, s.trees, s.data.Frame, e.rows,
		explain.ShapleyOptions{Workers: s.options.Workers})
	if err != nil {
		return nil, err
	}
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

// nameScores names what the scores are of. The only score of two classes is the second one's; it is
// turned if the first is the positive one.
func (e *explained) nameScores(s *subject) {
	classes := s.classes()
	switch {
	case len(classes) == e.values.Scores:
		e.scores = classes
	case len(classes) == 2 && s.spec.Task != data.Anomaly:
		at := max(0, s.positive())
		e.scores = classes[at : at+1]
		if at == 0 {
			e.sign = -1
		}
	default:
		for range e.values.Scores {
			e.scores = append(e.scores, cmp.Or(s.spec.Label, "the prediction"))
		}
	}
}

// cells are the values of a column in some rows, as numbers or as texts; null is missing.
func (s *subject) cells(column string, rows []int32) (values []any, isNumber bool) {
	at := s.data.Schema.Index(column)
	field, c := &s.data.Schema.Fields[at], &s.data.Columns[at]
	isNumber = field.Kind != data.Categorical
	for _, row := range rows {
		switch {
		case isNumber:
			values = append(values, number(c.Number(int(row))))
		case int(c.Code(int(row))) < len(field.Levels):
			values = append(values, field.Levels[c.Code(int(row))])
		default:
			values = append(values, nil)
		}
	}
	return values, isNumber
}
