package cox

import (
	"cmp"
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/newton"
	"github.com/coppice-ml/coppice/loss"
)

// problem is a penalised partial likelihood. Its unknowns are the coefficients of the vectors. Rows
// stand in the order of their times, the latest first: the rows at risk at an event are those
// before the place where its time ends.
//
//	time     9 9 | 7 | 4 4 4 | 1     rows at risk at time 4: the first six
//	event    1 1 | 0 | 1 0 1 | 1
//	ending   - 2 | - | - - 2 | 1     events of the time that ends there
type problem struct {
	*fitting.VectorTable
	likelihood loss.Objective // of the rows, by place
	rows       []int32        // of the frame; one that is sampled twice stands there twice
	weight     []float64      // by place
	seen       []float64      // by place: the weight of rows whose event was seen, else 0
	ending     []float64      // by place: the weight of the events of the time that ends there
	events     int            // rows whose event was seen
	l2         float64
	workers    int
}

func newProblem(e *fitting.VectorTable, t *data.Target, rows []int32, l2 float64,
	workers int) (*problem, error) {
	p := &problem{VectorTable: e, rows: slices.Clone(rows), l2: l2, workers: workers}
	times := t.Y[0]
	slices.SortFunc(p.rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	breslow, err := loss.New("cox")
	if err != nil {
		return nil, err
	}
	if p.likelihood, err = breslow.Bind(t, p.rows); err != nil {
		return nil, err
	}
	sum := 0.0
	for i, row := range p.rows {
		w := t.WeightAt(row)
		p.weight = append(p.weight, w)
		if t.Event != nil && t.Event[row] == 0 {
			w = 0
		} else {
			p.events++
		}
		p.seen = append(p.seen, w)
		p.ending = append(p.ending, 0)
		if sum += w; i+1 == len(p.rows) || times[p.rows[i+1]] < times[row] {
			p.ending[i], sum = sum, 0
		}
	}
	return p, nil
}

// minimise searches for the least value. With an error of the context or the observer it returns
// what was found in the steps before, nil if there were none.
func (p *problem) minimise(ctx context.Context, steps int,
	observe func(learn.Round) error) (*newton.Minimum, error) {
	n := p.Encoding.Width()
	if n == 0 {
		return &newton.Minimum{Converged: true}, ctx.Err()
	}
	found, err := newton.Minimise(ctx, n, p.likelihood.Weight(), steps, p.eval,
		func(n, of int) error {
			if observe == nil {
				return nil
			}
			return observe(learn.Round{Stage: "step", N: n, Of: of})
		})
	if found == nil || found.Steps == 0 && err != nil {
		return nil, err
	}
	return found, err
}

// logLikelihood returns the log of the partial likelihood of coefficients.
func (p *problem) logLikelihood(ctx context.Context, at []float64) (float64, error) {
	scores, err := p.scores(ctx, at)
	if err != nil {
		return 0, err
	}
	return -p.likelihood.Value(scores, 1) * p.likelihood.Weight(), nil
}
