package explain

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Importance is the importance of one feature, or of a combination of several.
type Importance struct {
	Feature string   `json:"feature"`           // of a combination the columns, joined by " x "
	Columns []string `json:"columns,omitempty"` // of a combination; nil: the feature alone
	// a fraction: the values of all entries sum to 1, or are all 0
	Value float64 `json:"importance"`
}

// ErrNoStats is returned for a model whose training statistics were dropped: without them the gain
// of a split is unknown.
var ErrNoStats = errors.New("the model stores no training statistics for importances")

// Impurity returns the impurity importance of every feature of the schema, the largest first, equal
// ones in the schema's order. It is the sum of the impurity decreases of all splits on the feature,
// divided by the sum over all features (Breiman, Friedman, Olshen & Stone 1984, section 5.3,
// without surrogates; Breiman 2001 for forests). Of gradient boosting the decrease is the gain: by
// how much the split lowers the regularised loss. For a single tree these are scikit-learn's
// feature_importances_. A split on several features counts for all of them in equal fractions. A
// model without any split has importances 0.
//
// A split on a derived column of one feature, such as a target statistic, counts for that feature.
// One on a derived column of a combination of features counts for the combination, which has an
// entry of its own after the features: its gain cannot be divided among them. Permutation can.
//
// Of an imported model these are the gains that the tool reports (Origin.Gain), of all rounds.
//
// Features with many distinct values have more splits to choose from and look more important than
// they are.
func Impurity(m *model.Ensemble) ([]Importance, error) {
	return bySplits(m, func(add func(feature int32, gain float64)) error {
		if m.Origin != nil && m.Origin.Gain != nil {
			for f, gain := range m.Origin.Gain {
				add(int32(f), gain)
			}
			return nil
		}
		return eachSplit(m.Trees, add, func(t *tree.Tree) ([]float64, error) {
			if t.Stats == nil {
				return nil, ErrNoStats
			}
			return t.Stats.Gain, nil
		})
	})
}

// Splits returns the number of splits on each feature as a fraction of all splits, ordered as by
// Impurity. It is XGBoost's importance weight and LightGBM's split. A split on several features
// counts for all of them in equal fractions.
func Splits(m *model.Ensemble) []Importance {
	all, _ := bySplits(m, func(add func(feature int32, gain float64)) error {
		return eachSplit(m.Trees, add, func(t *tree.Tree) ([]float64, error) {
			return slices.Repeat([]float64{1}, t.Len()), nil
		})
	})
	return all
}

// Cover returns the training weight of the rows that pass the splits on each feature, as a fraction
// of the sum over all splits, ordered as by Impurity. It is XGBoost's importance total_cover. The
// error is ErrNoCover for trees that keep no training weights.
func Cover(m *model.Ensemble) ([]Importance, error) {
	return bySplits(m, func(add func(feature int32, gain float64)) error {
		return eachSplit(m.Trees, add, func(t *tree.Tree) ([]float64, error) {
			if covers := t.Covers(); covers != nil {
				return covers, nil
			}
			return nil, ErrNoCover
		})
	})
}

// bySplits adds up what splits count for their features, and divides by the sum.
func bySplits(
	m *model.Ensemble, splits func(add func(feature int32, gain float64)) error,
) ([]Importance, error) {
	fields := m.Meta.Schema.Fields
	gains := make([]Importance, len(fields))
	for i := range fields {
		gains[i].Feature = fields[i].Name
	}
	entry := map[int32]int{} // by feature of the trees: its entry
	total := 0.0
	err := splits(func(f int32, gain float64) {
		at, known := entry[f]
		if !known {
			gains, at = entryOf(gains, fields, m.Sources(f))
			entry[f] = at
		}
		gains[at].Value += gain
		total += gain
	})
	if err != nil {
		return nil, err
	}
	if total > 0 {
		for i := range gains {
			gains[i].Value /= total
		}
	}
	slices.SortStableFunc(gains, func(a, b Importance) int { return cmp.Compare(b.Value, a.Value) })
	return gains, nil
}

// eachSplit adds what each node of trees counts to the features of its split, in equal fractions.
func eachSplit(
	trees []*tree.Tree, add func(feature int32, gain float64),
	of func(t *tree.Tree) ([]float64, error),
) error {
	for _, t := range trees {
		counts, err := of(t)
		if err != nil {
			return err
		}
		for n := range int32(t.Len()) {
			features := t.Looks(n)
			for _, f := range features {
				add(f, counts[n]/float64(len(features)))
			}
		}
	}
	return nil
}

// entryOf returns the place of the entry of some fields, which is made if there is none: fields
// have one each.
func entryOf(gains []Importance, fields []data.Field, sources []int32) ([]Importance, int) {
	if len(sources) == 1 {
		return gains, int(sources[0])
	}
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = fields[s].Name
	}
	at := slices.IndexFunc(gains, func(g Importance) bool {
		return g.Columns != nil &&
			slices.Equal(g.Columns, names)
	})
	if at >= 0 {
		return gains, at
	}
	return append(gains, Importance{Feature: strings.Join(names, " x "), Columns: names}),
		len(gains)
}
