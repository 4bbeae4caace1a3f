package explain

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley"
	"github.com/coppice-ml/coppice/model"
)

// InteractionValues are what pairs of columns contribute together to the raw scores of rows. The
// matrix of a row and score is symmetric. Its row i adds up to the contribution of feature i, which
// Shapley returns. So the matrix and the bias add up to the score, up to rounding.
type InteractionValues struct {
	Features []string  // columns of the model's schema
	Scores   int       // raw scores of a row: 1, or one for each class or output
	Classes  []string  // by score, as in Contributions: values are towards them
	Bias     []float64 // by score, as in Contributions
	// value of features i and j for score k of row r at
	// ((r*Scores + k)*len(Features) + i)*len(Features) + j
	Values []float64
}

// Row returns the matrix of a score of a row: a view. The value of features i and j is at
// i*len(Features) + j.
func (v *InteractionValues) Row(row, score int) []float64 {
	size := len(v.Features) * len(v.Features)
	return v.Values[(row*v.Scores+score)*size:][:size]
}

// Interactions returns the exact SHAP interaction values of rows of a table, nil = all, on the raw
// scale (Lundberg et al. 2020, "SHAP interaction values"). The value of features i and j is half of
// their interaction index (Fujimoto et al. 2006); the other half is that of j and i. On the
// diagonal is what is left of a feature's contribution: its main effect. These are XGBoost's
// pred_interactions. A result has 8 bytes x scores x features^2 for each row.
//
// Without a background a combination of fields is one player, as in Shapley. Its interactions are
// divided equally among its columns; what falls on a column with itself is part of the main effect.
//
// Options, costs and errors are those of Shapley, with tables for leaves of up to 11 columns.
func Interactions(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, o ShapleyOptions,
) (*InteractionValues, error) {
	sum, err := sumOf(m, o.Rounds)
	if err != nil {
		return nil, err
	}
	v, err := sum.Interactions(ctx, f, f.Chosen(rows), shapley.Options(o))
	if err != nil {
		return nil, err
	}
	return &InteractionValues{Features: m.Spec().Schema.Names(), Scores: len(v.Bias), Bias: v.Bias,
		Classes: turn(m, model.Raw, v), Values: v.Values}, nil
}

// Interacts reports whether Interactions returns values of pairs of columns: for models that have
// exact values and consist of trees, at least in part. In linear models each column is on its own.
func Interacts(m model.Model) bool {
	sum, ok := shapley.SumOf(m, 0)
	return ok && sum.Interacts()
}
