package linear

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"

	"github.com/coppice-ml/coppice/learn"
)

// logisticResult is what a search found.
type logisticResult struct {
	solver    Solver // SolverAuto = there was nothing to search
	at        []float64
	steps     int
	converged bool
	loss      float64 // mean, without the penalty
	certain   int     // see sums
}

// The limits of Newton's method.
const (
	newtonUnknowns = 300
	newtonSteps    = 100
	mostNewton     = 5000 // 200 MB of second derivatives
)

// minimise searches for the least value by the method that the parameters name. With an error of
// the context or the observer it returns what was found in the steps before, nil if there were
// none.
func (p *logisticProblem) minimise(ctx context.Context, l *Logistic,
	observe func(learn.Round) error) (*logisticResult, error) {
	if len(p.present) == 1 {
		return &logisticResult{converged: true}, ctx.Err()
	}
	solver := l.Solver
	if solver == SolverAuto {
		solver = SolverNewton
		if p.unknowns() > newtonUnknowns {
			solver = SolverLBFGS
		}
	}
	report := func(n, of int) error {
		if observe == nil {
			return nil
		}
		return observe(learn.Round{Stage: "step", N: n, Of: of})
	}
	if n := p.unknowns(); solver == SolverNewton && n > mostNewton {
		return nil, fmt.Errorf("logistic: solver=newton takes up to %d unknowns, and there are "+
			"%d: use solver=lbfgs", mostNewton, n)
	}
	var r *logisticResult
	var err error
	if solver == SolverNewton {
		r, err = p.newton(ctx, min(l.Steps, newtonSteps), report)
	} else {
		r, err = p.quasiNewton(ctx, l.Steps, report)
	}
	if r == nil || r.steps == 0 && err != nil {
		return nil, err
	}
	r.solver = solver
	last, failed := p.eval(context.WithoutCancel(ctx), r.at, false)
	if failed != nil {
		return nil, failed
	}
	r.certain = last.certain
	r.loss = (last.Loss - p.penalty(r.at)) / p.total
	return r, err
}

// penalty is half of l2 times the squares of the coefficients.
func (p *logisticProblem) penalty(at []float64) float64 {
	sum := 0.0
	for k, c := range at {
		if k%p.width != p.width-1 {
			sum += float64(c * c)
		}
	}
	return float64(p.l2 / 2 * sum)
}

// newton minimises by Newton's method, from 0.
func (p *logisticProblem) newton(ctx context.Context, most int,
	report func(n, of int) error) (*logisticResult, error) {
	found, err := minimiseByNewton(ctx, p.unknowns(), p.total, most,
		func(ctx context.Context, at []float64) (*derivatives, error) {
			s, err := p.eval(ctx, at, true)
			if err != nil {
				return nil, err
			}
			return &s.derivatives, nil
		}, report)
	if found == nil {
		return nil, err
	}
	return &logisticResult{at: found.At, steps: found.Steps, converged: found.Converged}, err
}

// errStopped ends a search of gonum's.
var errStopped = errors.New("stopped")

// flat is the largest derivative of the mean loss at which L-BFGS ends.
const flat = 1e-9

// quasiNewton minimises by L-BFGS, from 0.
func (p *logisticProblem) quasiNewton(ctx context.Context, most int,
	report func(n, of int) error) (*logisticResult, error) {
	r := &logisticResult{}
	var failed error
	var at []float64
	var last *logisticSums
	eval := func(x []float64) *logisticSums {
		if last == nil || !equal(at, x) {
			s, err := p.eval(ctx, x, false)
			if err != nil {
				failed = err
				s = p.newSums(false)
				s.Loss = math.NaN()
			}
			at, last = append(at[:0], x...), s
		}
		return last
	}
	f := optimize.Problem{
		Func: func(x []float64) float64 { return eval(x).Loss / p.total },
		Grad: func(grad, x []float64) {
			for k, g := range eval(x).Gradient {
				grad[k] = g / p.total
			}
		},
		Status: func() (optimize.Status, error) {
			if failed != nil {
				return optimize.Failure, errStopped
			}
			return optimize.NotTerminated, nil
		},
	}
	steps := &recorder{func(n int, x []float64) error {
		r.steps, r.at = n, append(r.at[:0], x...)
		if err := report(n, most); err != nil {
			failed = err
		}
		return failed
	}}
	found, err := optimize.Minimize(f, make([]float64, p.unknowns()),
		&optimize.Settings{GradientThreshold: flat, MajorIterations: most + 1,
			Converger: optimize.NeverTerminate{}, Recorder: steps}, &optimize.LBFGS{Store: 20})
	if failed != nil {
		return r, failed
	}
	if found == nil {
		return nil, err
	}
	// A line search that finds nothing lower has come to where rounding begins.
	r.at = found.X
	r.converged = found.Status == optimize.GradientThreshold || p.level(eval(found.X).Gradient)
	return r, failed
}

// level reports whether derivatives are what rounding leaves of 0.
func (p *logisticProblem) level(gradient []float64) bool {
	for _, g := range gradient {
		if math.Abs(g) > 1e3*flat*p.total {
			return false
		}
	}
	return true
}

// recorder counts the steps of a search, of which gonum takes the start for one.
type recorder struct {
	step func(n int, x []float64) error
}

// Init does nothing.
func (*recorder) Init() error { return nil }

// Record calls the observer after each step.
func (r *recorder) Record(at *optimize.Location, op optimize.Operation, s *optimize.Stats) error {
	if op != optimize.MajorIteration || s.MajorIterations == 0 {
		return nil
	}
	return r.step(s.MajorIterations, at.X)
}

func equal(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}
