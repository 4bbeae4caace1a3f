package main

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/examples/experiment"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// drawn measures means of normal variables of variance 1: each is the sum of a part that all share and one of its own.
func drawn(stream *rng.Stream, draws int, rho float64) variances {
	members := make([][]float64, draws)
	for i := range members {
		shared := float64(math.Sqrt(rho) * experiment.Normal(stream))
		for range most {
			members[i] = append(members[i], shared+float64(math.Sqrt(1-rho)*experiment.Normal(stream)))
		}
	}
	return variances{single: 1, correlation: rho, measured: ofMeans(members)}
}

// ofMeans returns the variance of the mean of the first n members for each n of counts. members has a row for each draw.
func ofMeans(members [][]float64) []float64 {
	found := make([]float64, len(counts))
	for i, n := range counts {
		means := make([]float64, len(members))
		for d, m := range members {
			means[d], _ = experiment.Mean(m[:n])
		}
		found[i] = experiment.Variance(means)
	}
	return found
}

// points is the number of places where forests are asked.
const points = 100

// grown measures the trees of forests, averaged over some points: on one half of the training sets s^2 and rho of single
// trees, on the other half the variance of their means.
func grown(ctx context.Context, s size, mtry int) (variances, error) {
	at, err := table(rng.New(s.seed, 1), points)
	if err != nil {
		return variances{}, err
	}
	said := make([][][]float64, points) // by point, training set and tree
	for set := range s.sets {
		trees, err := forest(ctx, s, set, mtry)
		if err != nil {
			return variances{}, err
		}
		for p := range said {
			values := make([]float64, len(trees.Trees))
			for b, t := range trees.Trees {
				values[b] = t.Value(t.LeafOf(at.Columns, int32(p)))[0]
			}
			said[p] = append(said[p], values)
		}
	}
	v := variances{measured: make([]float64, len(counts))}
	covariance := 0.0
	for _, sets := range said {
		single, both := pairs(sets[:s.sets/2])
		v.single += single / points
		covariance += both / points
		for i, m := range ofMeans(sets[s.sets/2:]) {
			v.measured[i] += m / points
		}
	}
	v.correlation = covariance / v.single
	return v, nil
}

// pairs returns the mean variance of a member and the mean covariance of two. The variance of the mean of all is
// covariance + (single - covariance) / members.
func pairs(members [][]float64) (single, covariance float64) {
	n := float64(len(members[0]))
	means := make([]float64, len(members))
	for b := range members[0] {
		one := make([]float64, len(members))
		for d, m := range members {
			one[d] = m[b]
			means[d] += m[b] / n
		}
		single += experiment.Variance(one) / n
	}
	return single, (float64(n*experiment.Variance(means)) - single) / (n - 1)
}

// forest grows a forest on a training set of that number.
func forest(ctx context.Context, s size, set, mtry int) (*model.Ensemble, error) {
	ds, err := table(rng.New(s.seed, 2, uint64(set)), s.rows)
	if err != nil {
		return nil, err
	}
	m, err := experiment.Fit(ctx, ds, learn.Job{Seed: uint64(set)}, "forest",
		fmt.Sprint("trees=", most), fmt.Sprint("mtry=", mtry), "importance=none")
	if err != nil {
		return nil, err
	}
	return m.(*model.Ensemble), nil
}

// table draws rows of ten columns from 0 to 1, of which five matter, one of them twice as much as the next.
func table(stream *rng.Stream, n int) (*data.Dataset, error) {
	x := make([][]float64, n)
	y := make([]float64, n)
	for i := range x {
		x[i] = make([]float64, 10)
		for c := range x[i] {
			x[i][c] = stream.Float64()
		}
		bend := x[i][2] - 0.5
		y[i] = float64(10*x[i][0]*x[i][1]) + float64(20*bend*bend) + float64(10*x[i][3]) + float64(5*x[i][4]) + experiment.Normal(stream)
	}
	f, err := data.FromRows(x, nil)
	if err != nil {
		return nil, err
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}}, nil
}
