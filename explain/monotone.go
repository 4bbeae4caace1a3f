package explain

import (
	"context"

	"github.com/coppice-ml/coppice/explain/internal/monotone"
	"github.com/coppice-ml/coppice/model"
)

// Monotony is the result of Monotone: how a model's scores change as one numeric column rises and
// all others stay.
type Monotony struct {
	Column string `json:"column"`
	// the scores must not fall as the column rises; else they must not rise
	Rising  bool            `json:"rising"`
	Proven  bool            `json:"proven"`            // they never do, for whatever rows
	Counter *Counterexample `json:"counter,omitempty"` // they do, for these
	// the first tree that is not monotone by itself; -1 where all are
	Tree int `json:"tree"`
}

// Counterexample is two rows that differ in one column alone.
type Counterexample struct {
	Score int `json:"score"` // which of the raw scores is in the wrong order
	// in the order of the schema, as Predictor.PredictRow takes them: the row of the lower value
	Low  []float64 `json:"-"`
	High []float64 `json:"-"` // that of the higher one

	LowScore  float64 `json:"low_score"`
	HighScore float64 `json:"high_score"`
}

// Monotone finds out whether the raw scores of a model rise, or fall, with a numeric feature. It
// holds for all other values, known and missing ones, and all known values of the feature itself.
// Of two scores or fractions that stand for two classes it is the second.
//
// A sum or a mean of trees that are monotone is monotone, to the last bit, as rounding keeps order.
// In each tree all pairs of leaves are compared whose boxes have points that differ in the feature
// alone: the value of the lower must not be beyond that of the higher one. Pairs of subtrees whose
// values are in order, or whose boxes do not meet, are skipped.
//
// That is a proof, and for a single tree of split points and sets it is exact. A model may be
// monotone without its trees being so: then neither Proven holds nor is there a Counter. Oblique
// and sphere nodes, surrogates and rows that are divided are followed both ways, which may leave a
// proof incomplete but makes none wrong. Leaves whose equations may distinguish rows that differ in
// the feature are an error.
//
// A tree has as many pairs of leaves as the square of their number. So the search ends when the
// context is done, with its error.
func Monotone(ctx context.Context, m *model.Ensemble, feature int, rising bool) (*Monotony, error) {
	v, err := monotone.Check(ctx, m, feature, rising)
	if err != nil {
		return nil, err
	}
	return &Monotony{Column: m.Meta.Schema.Fields[feature].Name, Rising: rising, Proven: v.Proven,
		Counter: (*Counterexample)(v.Counter), Tree: v.Tree}, nil
}
