package sample

import (
	"math"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// MVS is minimal variance sampling (Ibragimov & Gusev 2019, theorem 1): a row is sampled,
// independently of others, with probability
//
//	p = min(1, s / mu)      s = sqrt(g^2 + Lambda h^2), of several outputs the root of the sum
//
// where mu is such that the probabilities add up to Fraction times the rows. Sampled rows count
// 1/p. A row without derivatives is never sampled; where none has any, rows are sampled as by
// Uniform.
type MVS struct {
	Fraction float64 // of the rows, rounded: how many are sampled on average
	Lambda   float64 // weight of h^2 beside g^2; 0: the square of the sum of |g| over that of h
}

// Params declares fraction and lambda.
func (w *MVS) Params() param.Set {
	return param.Set{
		fractionParam(&w.Fraction, "fraction of the rows that each tree is grown on, on average"),
		param.Float(&w.Lambda, "lambda", 0, 0, math.MaxFloat64,
			"weight of the squared second derivative beside the squared first one",
			param.Zero("the square of a row's mean step: sum of |g| / sum of h")),
	}
}

// Bind accepts any rows.
func (w *MVS) Bind(rows int, group []int64) (GradientSampler, error) {
	if err := checkGradient(w, rows, group); err != nil {
		return nil, err
	}
	take := max(1, portion(w.Fraction, rows))
	if take == rows {
		return allOnce{}, nil
	}
	return &mvs{take: take, lambda: w.Lambda, size: make([]float64, rows),
		work: make([]float64, 0, rows), coarse: newCoarse()}, nil
}

type mvs struct {
	take       int
	lambda     float64
	size, work []float64 // s of each row, and scratch memory to partition some of them
	*coarse
}

func (d *mvs) Sample(dst *Sampled, g, h []float64, seed uint64) {
	s := rng.FromSeed(seed)
	n := len(d.size)
	d.sizes(g, h)
	positive := 0
	for _, x := range d.size {
		if x > 0 {
			positive++
		}
	}
	if positive == 0 {
		*dst = Sampled{Rows: s.Some(dst.Rows[:0], n, d.take)}
		return
	}
	mu := 0.0
	if positive > d.take {
		mu = d.threshold(d.size, d.work, d.take, s.Intn)
	}
	rows, factor := dst.Rows[:0], dst.Factor[:0]
	last := -1 // the last row that could have been sampled
	for i, x := range d.size {
		switch {
		case x == 0:
			continue
		case x >= mu:
			rows, factor = append(rows, int32(i)), append(factor, 1)
		case (1-s.Float64())*mu <= x:
			rows, factor = append(rows, int32(i)), append(factor, mu/x)
		}
		last = i
	}
	if len(rows) == 0 { // a tree needs a row: chances of that are e^-take or less
		rows, factor = append(rows, int32(last)), append(factor, max(1, mu/d.size[last]))
	}
	*dst = Sampled{Rows: rows, Factor: factor}
}

// sizes writes s of each row.
func (d *mvs) sizes(g, h []float64) {
	lambda := d.lambda
	if lambda == 0 {
		first, second := 0.0, 0.0
		for i := range g {
			first += math.Abs(g[i])
			second += math.Abs(h[i])
		}
		if second > 0 {
			lambda = (first / second) * (first / second)
		}
	}
	n := len(d.size)
	clear(d.size)
	for from := 0; from < len(g); from += n {
		for i := range d.size {
			a, b := g[from+i], h[from+i]
			d.size[i] += float64(a*a) + float64(lambda*float64(b*b))
		}
	}
	for i, x := range d.size {
		d.size[i] = math.Sqrt(x)
	}
}
