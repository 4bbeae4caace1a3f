package learn

import "errors"

// ErrNoneOut is the reason why an ensemble has no out-of-bag predictions.
var ErrNoneOut = errors.New("every member is trained on all rows: use sample=bootstrap, or " +
	"sample=subsample with a fraction below 1")

// OutOfBag holds the out-of-bag predictions of an ensemble: for each row the mean over the members
// whose bags it is out of.
type OutOfBag struct {
	Rows  []int32 // frame rows that were trained on, ascending and distinct
	Width int     // values in a prediction: one for each class, or one
	// Width values for each row, as a model's response; NaN for rows that are in all bags
	Response []float64
}
