// Package explain owns what a model has learned, in words and numbers for people: the importances of its features, how near
// rows are to each other by its leaves, and which rows are far from all others of their class.
package explain

import (
	"cmp"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/model"
)

// Importance is how much of a model's work one feature does.
type Importance struct {
	Feature string  `json:"feature"`
	Value   float64 `json:"importance"` // a share: the values of all features sum to 1, or are all 0
}

// ErrNoStats is returned for a model whose training statistics were dropped: without them the gain of a split is
// unknown.
var ErrNoStats = errors.New("the model carries no training statistics to tell importances by")

// Impurity returns the impurity importance of every feature of the schema, the largest first, equal ones in the
// schema's order (Breiman, Friedman, Olshen & Stone 1984, section 5.3, without surrogates; Breiman 2001 for
// forests): the sum of the impurity decreases of all splits on the feature, as a share of the sum over all
// features. For a single tree these are scikit-learn's feature_importances_. A split on several features counts for
// all of them in equal parts, and one on a derived column for the columns that it is made of, in equal parts too. A model
// without any split has importances 0.
//
// Features with many distinct values have more splits to choose from and look more important than they are.
func Impurity(m *model.Ensemble) ([]Importance, error) {
	fields := m.Meta.Schema.Fields
	gains := make([]Importance, len(fields))
	for i := range fields {
		gains[i].Feature = fields[i].Name
	}
	total := 0.0
	for _, t := range m.Trees {
		if t.Stats == nil {
			return nil, ErrNoStats
		}
		for n := range int32(t.Len()) {
			features := t.Looks(n)
			for _, f := range features {
				sources := m.Sources(f)
				for _, s := range sources {
					gains[s].Value += t.Stats.Gain[n] / float64(len(features)) / float64(len(sources))
				}
			}
			total += t.Stats.Gain[n]
		}
	}
	if total > 0 {
		for i := range gains {
			gains[i].Value /= total
		}
	}
	slices.SortStableFunc(gains, func(a, b Importance) int { return cmp.Compare(b.Value, a.Value) })
	return gains, nil
}
