package catalog

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Training returns what training found of a model, in the form that reports print. It reads the
// summary in the model's Spec as that of the learner that the model names. The result is empty, not
// nil, for a model without a summary, of a learner that is not in the catalog, or with a summary
// that CheckSummaries refuses.
func Training(m model.Model) *training.Summary {
	found, err := read(m)
	if found == nil || err != nil {
		return &training.Summary{}
	}
	return found.Describe(m)
}
