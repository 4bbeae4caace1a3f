package linear

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// derivatives are a loss, which is a sum over rows, and its derivatives by the unknowns.
type derivatives struct {
	Loss     float64
	Gradient []float64
	Hessian  []float64 // unknowns x unknowns, of which the upper triangle is read
}

// minimum is where minimiseByNewton ended.
type minimum struct {
	At        []float64
	Steps     int
	Converged bool
}

// enough is the decrease of the loss, relative to the weight of the rows, that the last step is
// expected to have. Newton's steps converge quadratically: what remains then is rounding.
const enough = 1e-14

// minimiseByNewton searches for the least value of a convex loss of n unknowns by Newton's method,
// from 0. Steps are halved while they decrease the loss by much less than expected. Weight is that
// of the rows, and most the greatest number of steps. Report is called after each step; its error,
// or one of eval, ends the search and is returned with what was found so far, nil if not even the
// start was evaluated.
func minimiseByNewton(
	ctx context.Context, n int, weight float64, most int,
	eval func(ctx context.Context, at []float64) (*derivatives, error), report func(n, of int) error,
) (*minimum, error) {
	r := &minimum{At: make([]float64, n)}
	now, err := eval(ctx, r.At)
	if err != nil {
		return nil, err
	}
	next := make([]float64, n)
	for r.Steps < most {
		step, expected := now.step()
		last := expected <= enough*(weight+now.Loss)
		for length := 1.0; ; length /= 2 {
			for k := range next {
				next[k] = r.At[k] - float64(length*step[k])
			}
			then, err := eval(ctx, next)
			if err != nil {
				return r, err
			}
			if then.Loss <= now.Loss-float64(1e-4*length*expected) || last &&
				then.Loss <= now.Loss+float64(1e-13*(weight+now.Loss)) {
				now = then
				copy(r.At, next)
				break
			}
			if length < 1e-10 {
				r.Steps++
				r.Converged = last
				return r, nil // no number is lower
			}
		}
		r.Steps++
		if err := report(r.Steps, most); err != nil {
			return r, err
		}
		if last {
			r.Converged = true
			return r, nil
		}
	}
	return r, nil
}

// step solves Hessian step = gradient, and returns the expected decrease. Where columns determine
// each other, or all classes have a score, some directions change nothing: a small number on the
// diagonal keeps steps from going there.
func (d *derivatives) step() (step []float64, expected float64) {
	n := len(d.Gradient)
	trace := 0.0
	for k := range n {
		trace += d.Hessian[k*n+k]
	}
	for small := max(1e-9*trace/float64(n), 1e-300); ; small *= 10 {
		h := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper,
			Data: append([]float64(nil), d.Hessian...)}
		for k := range n {
			h.Data[k*n+k] += small
		}
		factor, ok := lapack64.Potrf(h)
		if !ok {
			continue
		}
		step = append([]float64(nil), d.Gradient...)
		lapack64.Potrs(factor, blas64.General{Rows: n, Cols: 1, Stride: 1, Data: step})
		for k, g := range d.Gradient {
			expected += float64(g * step[k] / 2)
		}
		return step, expected
	}
}
