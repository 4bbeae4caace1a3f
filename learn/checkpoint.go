package learn

import "github.com/coppice-ml/coppice/model"

// Checkpoint is a point of a training that another one can resume from.
type Checkpoint struct {
	Model model.Model // all that has been trained so far
	// State is what else the learner needs. With it the training resumes to the same bytes as
	// without an interruption: on the same data, with the same seed and parameters, which are
	// checked. nil: more is added to the model, of whatever data and learner it came, if its
	// columns and classes are those of the table.
	State []byte
}
