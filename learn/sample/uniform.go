package sample

import (
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// Uniform grows each tree on a fraction of the rows, sampled without replacement (stochastic
// gradient boosting, Friedman 2002).
type Uniform struct {
	Fraction float64 // of the rows, rounded, at least one row
}

// Params declares fraction.
func (w *Uniform) Params() param.Set {
	return param.Set{fractionParam(&w.Fraction, "fraction of the rows that each tree is grown on")}
}

// Bind accepts any rows.
func (w *Uniform) Bind(rows int, group []int64) (GradientSampler, error) {
	if err := checkGradient(w, rows, group); err != nil {
		return nil, err
	}
	take := max(1, portion(w.Fraction, rows))
	if take == rows {
		return allOnce{}, nil
	}
	return &uniform{rows, take}, nil
}

type uniform struct{ rows, take int }

func (d *uniform) Sample(dst *Sampled, _, _ []float64, seed uint64) {
	s := rng.FromSeed(seed)
	*dst = Sampled{Rows: s.Some(dst.Rows[:0], d.rows, d.take)}
}
