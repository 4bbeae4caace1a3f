package learn

// HoldOut holds the predictions for the rows of a hold-out, which the predicting models were not
// trained on.
type HoldOut struct {
	Rows   []int32   // frame rows of the hold-out, ascending and distinct
	Width  int       // values in a prediction
	Values []float64 // Width values for each of Rows
}
