package shapley

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// SampleOptions are the choices that explain.SampledOptions documents, with their defaults.
type SampleOptions struct {
	Background *data.Frame
	Output     model.Output
	Samples    int
	Seed       uint64
	First      int
	Rounds     int
	Workers    int
}

// ErrNotFinite is for predictions that have no differences, such as the logarithm of probability 0.
var ErrNotFinite = errors.New("a prediction is infinite or not a number, and has no Shapley values")

// Sample estimates the contributions to predictions for rows of a table, of a model of any kind,
// and their standard errors in the same order. Both tables are expanded as the model's schema is.
// The errors are those of explain.Sampled.
func Sample(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, o SampleOptions,
) (values, stdErrors *Values, err error) {
	s, err := newSampler(m, f, rows, o)
	if err != nil {
		return nil, nil, err
	}
	width := len(m.Spec().Schema.Fields)
	values, stdErrors = newValues(s.bias, len(rows), width), newValues(s.bias, len(rows), width)
	return values, stdErrors, s.estimate(ctx, func(at int, x *moments) {
		s.keep(values, stdErrors, at, x)
	})
}

// The streams of Sample. The paths end with the row, and the pair or the pass of the background.
const (
	forOrders = 2 + iota
	forBackgroundRows
)

// moments are the mean and the sum of squared deviations of contributions over pairs, by output
// and player.
type moments struct {
	pairs         float64
	mean, squares []float64
}

func newMoments(values int) *moments {
	return &moments{mean: make([]float64, values), squares: make([]float64, values)}
}

// add adds the contributions of a pair (Welford 1962).
func (e *moments) add(values []float64) {
	e.pairs++
	for i, v := range values {
		d := v - e.mean[i]
		e.mean[i] += d / e.pairs
		e.squares[i] += float64(d * (v - e.mean[i]))
	}
}

// merge adds the pairs of other moments (Chan, Golub & LeVeque 1979).
func (e *moments) merge(other *moments) {
	all := e.pairs + other.pairs
	for i, mean := range other.mean {
		d := mean - e.mean[i]
		e.mean[i] += float64(d * other.pairs / all)
		between := float64(d*d) * float64(e.pairs*other.pairs/all)
		e.squares[i] += other.squares[i] + float64(between)
	}
	e.pairs = all
}

// keep sets the contributions and standard errors of the row at a place.
func (s *sampler) keep(values, stdErrors *Values, at int, x *moments) {
	for k := range s.outputs {
		mean := x.mean[k*len(s.players):][:len(s.players)]
		squares := x.squares[k*len(s.players):][:len(s.players)]
		rest := s.predicted[at*s.outputs+k] - s.bias[k]
		for _, v := range mean {
			rest -= v
		}
		parts := fractions(mean, squares)
		own, errs := values.row(at, k), stdErrors.row(at, k)
		for i := range s.players {
			features := s.players[i].features
			n := float64(len(features))
			for _, j := range features {
				own[j] = (mean[i] + float64(rest*parts[i])) / n
				errs[j] = math.Sqrt(squares[i]/(x.pairs-1)/x.pairs) / n
			}
		}
	}
}

// fractions returns the fractions of a difference that players have: in proportion to their
// variances. Where nothing varies, those that contribute have equal parts, or else all.
func fractions(mean, squares []float64) []float64 {
	parts, total := make([]float64, len(mean)), 0.0
	weight := func(of func(i int) float64) {
		for i := range parts {
			parts[i] = of(i)
			total += parts[i]
		}
	}
	weight(func(i int) float64 { return squares[i] })
	if total == 0 {
		weight(func(i int) float64 { return math.Ceil(min(1, math.Abs(mean[i]))) })
	}
	if total == 0 {
		weight(func(int) float64 { return 1 })
	}
	for i := range parts {
		parts[i] /= total
	}
	return parts
}

// draws are the orders and background rows of one row of a table.
type draws struct {
	seed       uint64
	row        uint64
	background int // rows
	pass       int // of the background, whose rows are shuffled; -1 = none
	shuffled   []int32
}

// of returns the order of a pair's players, and its row of the background.
func (d *draws) of(pair, players int) (order []int32, background int32) {
	if pass := pair / d.background; pass != d.pass {
		d.pass = pass
		d.shuffled = rng.New(d.seed, forBackgroundRows, d.row, uint64(pass)).Perm(d.background)
	}
	order = rng.New(d.seed, forOrders, d.row, uint64(pair)).Perm(players)
	return order, d.shuffled[pair%d.background]
}
