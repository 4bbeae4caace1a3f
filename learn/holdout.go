package learn

import "github.com/coppice-ml/coppice/data"

// HoldOut holds predictions for rows by models that were not trained on them: out-of-fold
// predictions, or the out-of-bag predictions of an ensemble, each the mean over the members whose
// bags the row is out of.
type HoldOut struct {
	Rows  []int32 // frame rows, ascending and distinct
	Width int     // values in a prediction: one for each class, or one
	// Width values for each of Rows, as a model's response. Out-of-bag predictions are NaN for rows
	// that are in all bags.
	Values []float64
}

// Unseen is the out-of-bag predictions of an ensemble, with what they are compared with. It makes
// them on request, since all of them take rows x classes.
type Unseen struct {
	// Target has the labels of the rows, and the weights as members count rows. The names of
	// classes are the model's, and not in it.
	Target data.Target
	// UsedFor is what training chose by these rows, such as "pruning"; "" = nothing.
	UsedFor string
	Width   int // values in a prediction: one for each class, or one
	// Predict writes the prediction for a row, false if the row is in all bags.
	Predict func(dst []float64, row int32) bool
}
