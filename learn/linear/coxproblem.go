package linear

import (
	"cmp"
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/loss"
)

// coxProblem is a penalised partial likelihood. Its unknowns are the coefficients of the vectors.
// Rows stand in the order of their times, the latest first: the rows at risk at an event are those
// before the place where its time ends.
//
//	time     9 9 | 7 | 4 4 4 | 1     rows at risk at time 4: the first six
//	event    1 1 | 0 | 1 0 1 | 1
//	tied     - 2 | - | - - 2 | 1     events of the time that ends there
type coxProblem struct {
	*fitting.VectorTable
	rows      []int32   // of the frame; one that is sampled twice stands there twice
	logWeight []float64 // by place
	seen      []float64 // by place: the weight of rows whose event was seen, else 0
	ends      []bool    // by place: no row behind it has its time
	tied      []tied    // by place: the events of the time that ends there
	weight    float64   // of all rows
	events    int       // rows whose event was seen
	l2        float64
	workers   int
}

// newCoxProblem orders the rows. The loss cox of package loss checks the labels.
func newCoxProblem(e *fitting.VectorTable, t *data.Target, rows []int32, l *Cox,
	workers int) (*coxProblem, error) {
	p := &coxProblem{VectorTable: e, rows: slices.Clone(rows), l2: l.L2, workers: workers}
	times := t.Y[0]
	slices.SortFunc(p.rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	likelihood, err := loss.New("cox")
	if err != nil {
		return nil, err
	}
	bound, err := likelihood.Bind(t, p.rows)
	if err != nil {
		return nil, err
	}
	p.weight = bound.Weight()
	p.tied, p.ends = make([]tied, len(p.rows)), make([]bool, len(p.rows))
	sum, events := 0.0, 0
	for at, row := range p.rows {
		w := t.WeightAt(row)
		p.logWeight = append(p.logWeight, kernel.Log(w))
		if t.Event != nil && t.Event[row] == 0 {
			w = 0
		} else {
			events++
		}
		p.seen = append(p.seen, w)
		sum += w
		if at+1 == len(p.rows) || times[p.rows[at+1]] < times[row] {
			p.ends[at], p.tied[at] = true, l.tie(sum, events)
			p.events += events
			sum, events = 0, 0
		}
	}
	return p, nil
}

// tie returns the terms of the events of one time, given the sum of their weights.
func (l *Cox) tie(weight float64, events int) tied {
	switch {
	case events == 0:
		return tied{}
	case l.Ties == TiesBreslow:
		return tied{weight: weight, terms: 1}
	}
	return tied{weight: weight / float64(events), terms: events, step: 1 / float64(events)}
}

// minimise searches for the least value. With an error of the context or the observer it returns
// what was found in the steps before, nil if there were none.
func (p *coxProblem) minimise(ctx context.Context, steps int,
	observe func(learn.Round) error) (*minimum, error) {
	n := p.Encoding.Width()
	if n == 0 {
		return &minimum{Converged: true}, ctx.Err()
	}
	found, err := minimiseByNewton(ctx, n, p.weight, steps, p.eval,
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
func (p *coxProblem) logLikelihood(ctx context.Context, at []float64) (float64, error) {
	scores, err := p.scores(ctx, at)
	if err != nil {
		return 0, err
	}
	return -p.value(scores), nil
}
