package training

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Trained counts the rows that a model was trained on, with multiplicity. The summaries of all
// learners embed it.
type Trained struct {
	Rows int `json:"rows"` // of positive weight
	// rows of weight 0, which have no effect on the model
	Weightless int `json:"weightless,omitempty"`
}

// TrainedOn counts rows of a target.
func TrainedOn(t *data.Target, rows []int32) Trained {
	n := Trained{Rows: len(rows)}
	if t.Weight == nil {
		return n
	}
	for _, r := range rows {
		if t.Weight[r] == 0 {
			n.Rows--
			n.Weightless++
		}
	}
	return n
}

// Check implements learn.Summary for a summary of fields that Checks.Fields looks at.
func (t Trained) Check(model.Model) error { return nil }

// Describe implements learn.Summary for a summary with nothing else to report.
func (t Trained) Describe(model.Model) *Summary {
	return &Summary{Rows: t.Rows, Weightless: t.Weightless}
}
