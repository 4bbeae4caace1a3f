package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// sampled simulates means of normal variables of variance 1: each is the sum of a common term and
// one of its own.
func sampled(stream *rng.Stream, samples int, rho float64) variances {
	members := make([][]float64, samples)
	for i := range members {
		shared := float64(math.Sqrt(rho) * trial.Normal(stream))
		for range mostAveraged {
			members[i] = append(members[i], shared+float64(math.Sqrt(1-rho)*trial.Normal(stream)))
		}
	}
	return variances{single: 1, correlation: rho, observed: ofMeans(members)}
}

// ofMeans returns the variance of the mean of the first n members for each n of averaged. members
// has a row for each sample.
func ofMeans(members [][]float64) []float64 {
	found := make([]float64, len(averaged))
	for i, n := range averaged {
		means := make([]float64, len(members))
		for d, m := range members {
			means[d], _ = trial.Mean(m[:n])
		}
		found[i] = trial.Variance(means)
	}
	return found
}

// averagesPlaces is the number of places where forests predict.
const averagesPlaces = 100

// grown simulates the trees of forests, averaged over some points: on one half of the training sets
// s^2 and rho of single trees, on the other half the variance of their means.
func grown(ctx context.Context, env *Env, s averagesSize, mtry int) variances {
	at := averagesTable(rng.New(s.seed, 1), averagesPlaces)
	predicted := make([][][]float64, averagesPlaces) // by point, training set and tree
	for set := range s.sets {
		trees := averagesForest(ctx, env, s, set, mtry)
		for p := range predicted {
			values := make([]float64, len(trees.Trees))
			for b, t := range trees.Trees {
				values[b] = t.Value(t.Over(at.Columns).LeafOf(int32(p)))[0]
			}
			predicted[p] = append(predicted[p], values)
		}
	}
	v := variances{observed: make([]float64, len(averaged))}
	covariance := 0.0
	for _, sets := range predicted {
		single, both := pairs(sets[:s.sets/2])
		v.single += single / averagesPlaces
		covariance += both / averagesPlaces
		for i, m := range ofMeans(sets[s.sets/2:]) {
			v.observed[i] += m / averagesPlaces
		}
	}
	v.correlation = covariance / v.single
	return v
}

// pairs returns the mean variance of a member and the mean covariance of two. The variance of the
// mean of all is covariance + (single - covariance) / members.
func pairs(members [][]float64) (single, covariance float64) {
	n := float64(len(members[0]))
	means := make([]float64, len(members))
	for b := range members[0] {
		one := make([]float64, len(members))
		for d, m := range members {
			one[d] = m[b]
			means[d] += m[b] / n
		}
		single += trial.Variance(one) / n
	}
	return single, (float64(n*trial.Variance(means)) - single) / (n - 1)
}

// averagesForest grows a forest on a training set of that number.
func averagesForest(
	ctx context.Context, env *Env, s averagesSize, set, mtry int,
) *model.Ensemble {
	ds := averagesTable(rng.New(s.seed, 2, uint64(set)), s.rows)
	m := fit(ctx, ds, learn.Job{Seed: uint64(set), Workers: env.Workers}, "forest",
		fmt.Sprint("trees=", mostAveraged), fmt.Sprint("mtry=", mtry), "importance=none")
	return m.(*model.Ensemble)
}

// averagesTable samples rows of ten columns from 0 to 1, of which five matter, one of them twice as
// much as the next.
func averagesTable(stream *rng.Stream, n int) *data.Dataset {
	x := make([][]float64, n)
	y := make([]float64, n)
	for i := range x {
		x[i] = make([]float64, 10)
		for c := range x[i] {
			x[i][c] = stream.Float64()
		}
		y[i] = averagesTruth(x[i]) + trial.Normal(stream)
	}
	f := must(data.FromRows(x, nil))
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{y}}}
}

// averagesTruth is the label of a row without its noise, which has variance 1.
func averagesTruth(x []float64) float64 {
	bend := x[2] - 0.5
	return float64(10*x[0]*x[1]) + float64(20*bend*bend) + float64(10*x[3]) + float64(5*x[4])
}
