package linear

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// CoxName is the name of cox in the catalog.
const CoxName = "cox"

// Cox is proportional hazards with a linear score (Cox, "Regression models and life-tables", 1972),
// for times of which some are censored. Make one with NewCox, which sets the defaults; the zero
// value has none. The fields are declared, with default, range and meaning, in Params.
//
// A row is a vector x (package dense: numbers standardised, categories coded, gaps filled). Its
// hazard is e^(c x) times one that depends on time alone and is not estimated. The model minimises
//
//	minus log of the partial likelihood + l2/2 sum of c^2
//
// Of events that were seen at the same time each is compared with what the others leave on average
// (Efron, "The efficiency of Cox's likelihood function for censored data", 1977), or all with the
// same rows (Breslow 1974), as in the loss cox of package loss. Both are convex, and Newton's
// method finds their least value.
//
// The response is the hazard, in proportion to that of a row whose vector is 0: with mean numbers
// and, of a category, mean indicators.
//
// Without a penalty there is no least value where a column orders the events: its coefficient would
// grow for ever. It is then that of the last step, and the summary reports it.
//
// gonum does the algebra: the model has the same bytes for any number of workers, not for any
// processor. Sparse columns are made dense in blocks of rows.
type Cox struct {
	// Penalty: half of it times the squares of the coefficients of standardised columns is added to
	// minus the log of the partial likelihood. Parameter l2: a number >= 0 (0 = maximum partial
	// likelihood); default 1.
	L2 float64
	// Rule for events that were seen at the same time. Parameter ties: efron or breslow; default
	// efron.
	Ties Ties
	// Steps of Newton's method after which training ends though the loss still falls. Parameter
	// steps: an integer >= 1; default 100.
	Steps int
}

// NewCox returns cox with default parameters.
func NewCox() *Cox { return param.WithDefaults(&Cox{}) }

// Capabilities implements learn.Learner: the label is a time.
func (l *Cox) Capabilities() learn.Capabilities {
	return learn.Capabilities{Needs: learn.Needs{Survival: true}, Tasks: []data.Task{data.Survival},
		Task: data.Survival, Summary: func() learn.Summary { return new(coxSummary) }}
}

// Params declares the parameters.
func (l *Cox) Params() param.Set {
	return param.Set{
		param.Float(&l.L2, "l2", 1, 0, math.Inf(1),
			"penalty: half of it times the squares of the coefficients of standardised columns is "+
				"added to minus the log of the partial likelihood",
			param.Zero("maximum partial likelihood")).TuneLog(1e-2, 1e4),
		param.AnyOf(&l.Ties, "ties",
			"rule for events of the same time: efron compares each with what the others leave on "+
				"average, breslow all with the same rows"),
		param.Int(&l.Steps, "steps", 100, 1, math.MaxInt,
			"steps of Newton's method after which training ends though the loss still falls"),
	}
}

// coxSummary is what training found; it is kept as JSON in the model's Spec.
type coxSummary struct {
	fitting.Encoded
	Events    int  `json:"events"` // rows whose event was seen
	Steps     int  `json:"steps"`
	Converged bool `json:"converged"`
	// log of the partial likelihood, without the penalty
	LogLikelihood float64 `json:"log_likelihood"`
	Solution      string  `json:"solution"` // in words
}

// Describe implements learn.Summary.
func (s *coxSummary) Describe(m model.Model) *training.Summary { return s.Solved(m, s.Solution) }

// Prepare fits the encoding. Too many columns are a *learn.LimitError.
func (l *Cox) Prepare(_ context.Context, features data.Features, rows []int32, weight []float64,
	_ learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, fitting.Vectors(CoxName, weight, maxWidth), (*Cox).fit)
}

// fit minimises the loss. A target of another task is a *learn.TaskError. If the context is
// cancelled, or the observer returns an error, it returns the model after the steps so far too; nil
// if there are none.
func (l *Cox) fit(ctx context.Context, table *fitting.VectorTable, t *data.Target,
	job learn.Job) (model.Model, error) {
	if t.Task != data.Survival {
		return nil, &learn.TaskError{Learner: CoxName, Task: t.Task,
			Advice: option.Expand("use {task} survival, or {event} COL for events that were seen")}
	}
	if err := job.Check(table.Frame, table.Rows); err != nil {
		return nil, err
	}
	pop, _, err := weighting.Gather(t, job.RowsOf(table.Rows), data.ClassWeight{})
	if err != nil {
		return nil, err
	}
	p, err := newCoxProblem(table, t, job.Weighty(t, table.Rows), l, job.Workers)
	if err != nil {
		return nil, err
	}
	found, ended := p.minimise(ctx, l.Steps, job.Observe)
	if found == nil {
		return nil, ended
	}
	// a training that was cancelled has the coefficients so far, which are described too
	likelihood, err := p.logLikelihood(context.WithoutCancel(ctx), found.At)
	if err != nil {
		return nil, err
	}
	s := coxSummary{Encoded: table.Found(pop), Events: p.events, Steps: found.Steps,
		Converged: found.Converged, LogLikelihood: likelihood}
	s.Solution = s.words(l.L2, found.At)
	m := &dense.Linear{Model: table.Model(CoxName, t), Bias: []float64{0},
		Coef: found.At, Link: link.Hazard()}
	described, err := fitting.Model(m, l.Params(), &s)
	if err != nil {
		return nil, err
	}
	return described, fitting.UnlessStop(ended)
}

// steep is the size of a standardised coefficient that hazards of real tables do not reach: e^10
// between rows that differ by one standard deviation.
const steep = 10

// words describes the search.
func (s *coxSummary) words(l2 float64, coef []float64) string {
	text := fmt.Sprintf("%s, log partial likelihood %s, Newton's method, %s",
		humanize.Count(s.Events, "event", "events"), humanize.Number(s.LogLikelihood, 7),
		humanize.Count(s.Steps, "step", "steps"))
	large := 0
	for _, c := range coef {
		if math.Abs(c) > steep {
			large++
		}
	}
	switch {
	case l2 == 0 && large > 0:
		text += fmt.Sprintf("; %s beyond %d per deviation: where a column orders the events, only "+
			"l2 bounds its coefficient", humanize.Count(large, "coefficient is", "coefficients are"),
			steep)
	case !s.Converged:
		text += ", not converged: raise steps, or l2 where a column orders the events"
	}
	return text
}
