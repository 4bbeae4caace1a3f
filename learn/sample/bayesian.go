package sample

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// Bayesian grows each tree on all rows, each by a factor E^Temperature with E exponentially
// distributed (the Bayesian bootstrap of Rubin 1981 at temperature 1; CatBoost's
// bagging_temperature). At temperature 1 the mean factor is 1, at others it is the gamma function
// of 1 + Temperature.
type Bayesian struct {
	Temperature float64 // from 0, where all factors are 1, up
}

// Params declares temperature.
func (w *Bayesian) Params() param.Set {
	return param.Set{param.Float(&w.Temperature, "temperature", 1, 0, 100, "how much the factors "+
		"differ: the power of exponential numbers that they are; 0 = not at all")}
}

// Bind accepts any rows.
func (w *Bayesian) Bind(rows int, group []int64) (GradientSampler, error) {
	if err := checkGradient(w, rows, group); err != nil {
		return nil, err
	}
	if w.Temperature == 0 {
		return allOnce{}, nil
	}
	d := &bayesian{w.Temperature, make([]int32, rows)}
	for i := range d.rows {
		d.rows[i] = int32(i)
	}
	return d, nil
}

type bayesian struct {
	temperature float64
	rows        []int32
}

func (d *bayesian) Sample(dst *Sampled, _, _ []float64, seed uint64) {
	s := rng.FromSeed(seed)
	factor := dst.Factor[:0]
	for range d.rows {
		e := -kernel.Log(1 - s.Float64()) // of a number above 0, at most 1
		if d.temperature != 1 {
			e = kernel.Exp(d.temperature * kernel.Log(e))
		}
		factor = append(factor, e)
	}
	*dst = Sampled{Rows: append(dst.Rows[:0], d.rows...), Factor: factor}
}
