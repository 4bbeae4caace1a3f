package learn

import "github.com/coppice-ml/coppice/model"

// Checkpoint is a point of a training that another one can go on from.
type Checkpoint struct {
	Model model.Model // all that has been trained so far
	// State is what the learner knows besides. With it the training goes on as if it had never been
	// interrupted, to the same bytes: on the same data, with the same seed and parameters, which
	// are checked. nil: more is added to the model, of whatever data and learner it came, if its
	// columns and classes are those of the table.
	State []byte
}
