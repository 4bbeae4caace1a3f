// Package isolation owns the learner isolation: isolation forests (Liu, Ting & Zhou, "Isolation
// forest", ICDM 2008), which score how much a row differs from the other rows. They use no label.
//
// A tree is grown on a few rows, by random splits, until every row is alone or the tree is as deep
// as a balanced one would be. Rows that are few and different are soon alone:
//
//	o o  o                |  o     path length 1
//	 o oo  o              |
//	o  o o                |
//
// The score of a row is 2^-h, where h is the mean length of its paths in units of the expected
// length: near 1 for anomalies, below 0.5 for typical rows.
//
// Sparse columns are made dense: the values of all rows take 8 bytes each.
package isolation

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "isolation"

// Learner is an isolation forest with its parameters. Make one with New, which sets the defaults;
// the zero value has none. The fields are declared, with default, range and meaning, in Params.
//
// Its model has the task data.Anomaly: one output, the score. A threshold on the score decides
// between two labels: the classes of the target if it has two (the second is the anomaly), else
// "normal" and "anomaly".
//
// Each node samples a column among those that vary in it. The threshold of a numeric one is uniform
// between its least and its greatest value. Of a categorical one a random set of the node's
// categories goes to one side. Other categories go with the fewer rows, because categories without
// rows are rare. Missing values go to a random side, with the probability of that side's fraction
// of the known values. Where all known values are equal, missing values are separated from them;
// where none is missing in training, they go with the more rows.
//
// Rows of weight 0 are left out. Other weights are sampling weights: a row of weight 2 is as likely
// in a tree's sample as one of two copies.
type Learner struct {
	// Trees in the forest. Parameter trees: an integer >= 1; default 100.
	Trees int
	// Rows that a tree is grown on, sampled without replacement; all if there are fewer. Parameter
	// subsample: an integer >= 2 and <= 2147483647; default 256.
	Subsample int
	// Fraction of the training rows that are anomalies: as many exceed the threshold of labels.
	// Parameter contamination: a number >= 0 and <= 0.5 (0 = a score above 0.5 is an anomaly);
	// default 0.
	Contamination float64
}

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Capabilities implements learn.Learner: no label is used.
func (l *Learner) Capabilities() learn.Capabilities {
	return learn.Capabilities{Needs: learn.Needs{Unsupervised: true},
		Summary: func() learn.Summary { return new(summary) }}
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Int(&l.Trees, "trees", 100, 1, math.MaxInt,
			"trees in the forest").Also("n_estimators"),
		param.Int(&l.Subsample, "subsample", 256, 2, math.MaxInt32,
			"rows that a tree is grown on, sampled without replacement; all if there are "+
				"fewer").Also("max_samples"),
		param.Float(&l.Contamination, "contamination", 0, 0, 0.5,
			"fraction of the training rows that are anomalies: as many exceed the threshold of "+
				"labels", param.Zero("a score above 0.5 is an anomaly")),
	}
}

// table is the table to train on. Each tree prepares the few rows that it is grown on.
type table struct {
	frame *data.Frame
	rows  []int32 // distinct
}

// Prepare checks the parameters.
func (l *Learner) Prepare(_ context.Context, features data.Features, rows []int32, _ []float64,
	_ learn.Env) (learn.Fitter, error) {
	f, rows, err := fitting.Frame(l.Params(), features, rows)
	if err != nil {
		return nil, err
	}
	return fitting.NewFitter(l, table{f, f.Chosen(rows)}, (*Learner).fit), nil
}
