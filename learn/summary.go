package learn

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Summary is what training found. Learners keep one as JSON in the Spec of their models.
// A model file may come from anywhere, so code that shows a summary checks it first;
// catalog.CheckSummaries does it for a whole model.
type Summary interface {
	// Check returns an error that names what no training finds, beside what training.Checks.Fields
	// finds in the summary: lists of different lengths, classes and columns that the model does not
	// have. A summary that both accept can be shown in time that grows with its size in bytes, and
	// without bounds being broken.
	Check(m model.Model) error
	// Describe returns what training found in the form that reports print, for a summary that Check
	// accepts. Learners with nothing but the number of rows to report get it by embedding Trained.
	Describe(m model.Model) *training.Summary
}

// ReadSummary reads the summary of a model into s and checks it. A model without a summary has
// nothing to check.
func ReadSummary(m model.Model, s Summary) error {
	raw := m.Spec().Summary
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, s); err != nil {
		return err
	}
	var c training.Checks
	if c.Fields(s); c.Err() != nil {
		return c.Err()
	}
	return s.Check(m)
}
