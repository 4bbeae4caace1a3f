package reproductions

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
)

// on trains on all training sets, and decomposes the error of each group, for each number of
// rounds.
func (m *biasMethod) on(ctx context.Context, env *Env, s biasSize) [][]biasTerms {
	at := averagesTable(rng.New(s.seed, 1), s.places)
	truth := biasTruth(at)
	rounds := m.rounds
	if rounds == nil {
		rounds = []int{0}
	}
	var groups [][]biasTerms
	for g := range s.groups {
		predicted := make([][][]float64, len(rounds)) // by number of rounds, training set and place
		for i := range s.sets {
			number := uint64(g*s.sets + i)
			ds := averagesTable(rng.New(s.seed, 2, number), s.rows)
			fitted := fit(ctx, ds, learn.Job{Seed: number, Workers: env.Workers},
				m.learner, m.settings...)
			for k, n := range rounds {
				values := must(predict(fitted, at, nil, n))
				predicted[k] = append(predicted[k], values)
			}
		}
		terms := make([]biasTerms, len(rounds))
		for k := range rounds {
			terms[k].bias, terms[k].variance = separate(predicted[k], truth)
		}
		groups = append(groups, terms)
	}
	return groups
}

// biasTruth returns the labels of a table without their noise.
func biasTruth(ds *data.Dataset) []float64 {
	truth, row := make([]float64, ds.Rows()), make([]float64, len(ds.Columns))
	for i := range truth {
		for c := range row {
			row[c] = ds.Columns[c].Number(i)
		}
		truth[i] = averagesTruth(row)
	}
	return truth
}

// separate decomposes the error of predictions, which have a row for each training set, into the
// squared bias and the variance, means over the places. The mean of n predictions has itself a
// variance of one n-th, which is subtracted from its squared distance.
func separate(predicted [][]float64, truth []float64) (bias, variance float64) {
	one := make([]float64, len(predicted))
	for p, y := range truth {
		for i, values := range predicted {
			one[i] = values[p]
		}
		mean, _ := trial.Mean(one)
		v := trial.Variance(one)
		bias += (float64((mean-y)*(mean-y)) - v/float64(len(predicted))) / float64(len(truth))
		variance += v / float64(len(truth))
	}
	return bias, variance
}
