package learn

import "errors"

// ErrNoneOut is why an ensemble may know nothing of rows out of the bag.
var ErrNoneOut = errors.New("every member is trained on all rows: use sample=bootstrap, or " +
	"sample=subsample with a fraction below 1")

// OutOfBag is what the members of an ensemble say of rows that they were not trained on: of each
// row a mean over the members whose bags it is out of.
type OutOfBag struct {
	Rows  []int32 // frame rows that were trained on, ascending and distinct
	Width int     // values in a prediction: one for each class, or one
	// Width values for each row, as a model's response; NaN for rows that are in all bags
	Response []float64
}
