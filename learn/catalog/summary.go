package catalog

import (
	"fmt"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// found returns an empty summary of a type.
func found[S any, P interface {
	*S
	learn.Summary
}]() learn.Summary {
	return P(new(S))
}

// SummaryError is the error of a model whose summary no training finds.
type SummaryError struct {
	Learner string // of the model, or of the member that it is about
	Err     error
}

// Error says what is wrong in one line.
func (e *SummaryError) Error() string {
	return fmt.Sprintf("damaged model: what the learner %.100q found in training: %v", e.Learner, e.Err)
}

// Unwrap returns the fault.
func (e *SummaryError) Unwrap() error { return e.Err }

// CheckSummaries checks what training found of a model and of all its members: as the Summary of
// the learner that the model names. The error is a *SummaryError.
func CheckSummaries(m model.Model) error {
	if err := checkSummary(m); err != nil {
		return &SummaryError{Learner: m.Spec().Learner, Err: err}
	}
	for _, member := range m.Children() {
		if err := CheckSummaries(member.Model); err != nil {
			return err
		}
	}
	return nil
}

func checkSummary(m model.Model) error {
	if len(m.Spec().Summary) == 0 {
		return nil
	}
	row, err := ByName(m.Spec().Learner)
	if err != nil {
		return nil // Training reports nothing of it
	}
	return learn.ReadSummary(m, row.Found())
}
