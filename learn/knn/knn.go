// Package knn owns the learner knn: a prediction is the vote, or the mean, of the k training rows
// that are nearest (Fix & Hodges 1951, Cover & Hart 1967). Training only turns rows into vectors
// and keeps them; dense.Neighbours finds the nearest.
//
// Sparse columns are made dense: a stored row takes 8 bytes for each place of its vector.
package knn

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "knn"

// The weights of neighbours.
const (
	WeightsUniform  = dense.UniformWeights  // all the same
	WeightsDistance = dense.DistanceWeights // the inverse of the distance
)

// Learner is k nearest neighbours with its parameters. Make one with New, which sets the defaults;
// the zero value has none. The fields are declared, with default, range and meaning, in Params.
//
// Distances are Euclidean, between vectors: numbers standardised, a place for each category. The
// search is exact. All rows that are as far as the k-th count: they share what the nearer ones
// leave of k in equal parts. A category that training had not is as far from each of the others,
// and so is a missing one where training had none.
//
// The weight of a row is a factor on its vote; rows of weight 0 are left out. A row that is sampled
// several times is several neighbours.
type Learner struct {
	// Neighbours that vote; all rows if there are fewer. Parameter k: an integer >= 1; default 5.
	K int
	// How much a neighbour counts: all the same, or the inverse of its distance. Parameter weights:
	// uniform or distance; default uniform.
	Weights dense.NeighbourWeights
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
}

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Capabilities implements learn.Learner.
func (l *Learner) Capabilities() learn.Capabilities {
	return learn.Capabilities{Summary: func() learn.Summary { return new(summary) }}
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Int(&l.K, "k", 5, 1, math.MaxInt,
			"neighbours that vote; all rows if there are fewer").TuneLog(1, 100).Also("n_neighbors"),
		param.OneOf(&l.Weights, "weights", []dense.NeighbourWeights{WeightsUniform, WeightsDistance},
			"how much a neighbour counts: all the same, or the inverse of its distance").TuneAmong("uniform", "distance"),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// summary is what training found; it is kept as JSON in the model's Spec.
type summary struct{ fitting.Encoded }

// maxWidth is the greatest number of places of a vector.
const maxWidth = 1 << 16

// Prepare checks the parameters and fits the encoding.
func (l *Learner) Prepare(_ context.Context, features data.Features, rows []int32, weight []float64,
	_ learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, fitting.Vectors(Name, weight, maxWidth), (*Learner).fit)
}

// fit keeps the rows. Labels are classes or numbers; others are a *learn.TaskError.
func (l *Learner) fit(ctx context.Context, table *fitting.VectorTable, t *data.Target,
	job learn.Job) (model.Model, error) {
	table, pop, factors, err := table.Gather(Name, t, &job, l.ClassWeight)
	if err != nil {
		return nil, err
	}
	if err := fitting.CheckLabelSizes(Name, table.Frame, t, dense.LargestLabel, pop.Rows); err != nil {
		return nil, err
	}
	if err := fitting.CheckWeightSizes(Name, table.Frame, t, dense.LargestLabel, pop.Rows); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := &dense.Neighbours{Model: table.Model(Name, t), K: l.K, Weights: l.Weights}
	var kept []int32
	for i, r := range pop.Rows {
		for range pop.Multiplicity(i) {
			kept = append(kept, r)
			if pop.Class != nil {
				m.Class = append(m.Class, pop.Class[i])
			} else {
				m.Y = append(m.Y, pop.Y[i])
			}
			if t.Weight != nil || factors != nil {
				w := t.WeightAt(r)
				if factors != nil {
					w *= factors[pop.Class[i]]
				}
				m.Weight = append(m.Weight, w)
			}
		}
	}
	m.Rows = table.Encoding.Matrix(table.Frame, kept, job.Workers)
	if err := fitting.Describe(&m.Meta, l.Params(),
		&summary{table.Found(pop)}); err != nil {
		return nil, err
	}
	if job.Observe != nil {
		if err := fitting.UnlessStop(job.Observe(learn.Round{Stage: "keep", N: 1,
			Of: 1})); err != nil {
			return m, err
		}
	}
	return m, m.Validate()
}
