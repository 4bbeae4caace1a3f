package explain

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley"
	"github.com/coppice-ml/coppice/model"
)

// defaultSamples is how many pairs of orders are drawn for a row unless SampledOptions have another
// number.
const defaultSamples = 100

// SampledOptions are the choices of Sampled. A Background is needed. The other zero values explain
// the response by 100 pairs of orders for each row, on all processors.
type SampledOptions struct {
	// Background has the rows whose values stand for those that are not known. A hundred to some
	// thousand rows of the training set are usual.
	Background *data.Frame
	Output     model.Output // Response or Raw
	Samples    int          // pairs of orders for each row, from 2 up; 0 = 100
	Seed       uint64       // of the orders and of the rows of the background
	First      int          // the number of row 0 in the table of which these rows are a part
	Rounds     int          // rounds of the model; 0 = those that predictions use
	// goroutines; 0 = one per processor. The result is the same for any number
	Workers int
}

// SampledContributions are estimates of what the columns contribute to the predictions of rows.
// Scores are the values that the model predicts for a row. Bias is their mean over the background.
type SampledContributions struct {
	Contributions
	StdError []float64 // of each of Values, in the same order
}

// RowErrors returns the standard errors of the contributions to a score of a row: a view, one for
// each feature.
func (c *SampledContributions) RowErrors(row, score int) []float64 {
	return c.StdError[(row*c.Scores+score)*len(c.Features):][:len(c.Features)]
}

// ErrNotFinite is for predictions that have no differences, such as the logarithm of probability 0.
var ErrNotFinite = shapley.ErrNotFinite

// Sampled estimates interventional Shapley values of rows of a table, nil = all, for a model of any
// kind, on the scale of the response or the raw one. They are what Shapley computes exactly with a
// background for the raw scores of trees.
//
// For each sample, a random order of the columns and a row of the background are drawn. The values
// of the background row become those of the row in this order, one after another. The change of
// the prediction at each step is the contribution of its column (Štrumbelj & Kononenko 2014,
// "Explaining prediction models and individual predictions with feature contributions", algorithm
// 1). Each order is used in reverse too, with the same background row: such pairs vary less
// (antithetic sampling: Mitchell et al. 2022, "Sampling permutations for Shapley value
// estimation"). The standard errors are those of the mean over the pairs.
//
// The rows of the background are drawn without replacement until each was drawn, and then anew. So
// the number of times two of them are drawn for a row differs by one at most. The contributions of
// a pair add up to the prediction less that of its background row. Where the drawn rows have
// another mean prediction than the background, the difference is divided among the columns in
// proportion to their variances. So Bias and the contributions of a row add up to its prediction,
// up to rounding. The standard errors do not take this into account, and are mostly too large.
//
// Columns that were made of one column of the table, as year and month of a date are, are one
// player, whose contribution and standard error are divided equally among them. A column that the
// model does not use has exactly 0.
//
// A row of n players takes 2 x (n-1) x Samples predictions. Its orders depend on the seed and on
// its number in the table alone.
//
// Errors: ErrNoBackground; those of Bind and Predict for both tables; another output; ErrNotFinite;
// and ctx.Err().
func Sampled(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, o SampledOptions,
) (*SampledContributions, error) {
	switch {
	case o.Background == nil || o.Background.Rows() == 0:
		return nil, fmt.Errorf("Shapley values by samples: %w", ErrNoBackground)
	case o.Output != model.Response && o.Output != model.Raw:
		return nil, fmt.Errorf("Shapley values are of proba or raw, not of the output %s", o.Output)
	case o.Samples == 0:
		o.Samples = defaultSamples
	case o.Samples < 2:
		return nil, fmt.Errorf("%d samples for each row: want 2 or more", o.Samples)
	}
	f, o.Background = expanded(m, f), expanded(m, o.Background)
	values, stdErrors, err := shapley.Sample(ctx, m, f, f.Chosen(rows), shapley.SampleOptions(o))
	if err != nil {
		return nil, err
	}
	return &SampledContributions{*contributionsOf(m, o.Output, values), stdErrors.Values}, nil
}
