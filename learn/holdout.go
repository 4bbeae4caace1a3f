package learn

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
