package catalog

import (
	"encoding/json"
	"fmt"

	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/oob"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/dense"
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
// the learner that the model names, and as each of the forms that are read whatever the learner.
// The error is a *SummaryError.
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
	if row, err := ByName(m.Spec().Learner); err == nil {
		if err := learn.ReadSummary(m, row.Found()); err != nil {
			return err
		}
	}
	for _, form := range []interface{ Check(model.Model) error }{new(cart.Summary), new(forest.Summary), new(boosting.Summary), new(outOfBag), new(encoded)} {
		if json.Unmarshal(m.Spec().Summary, form) != nil {
			continue // another learner's, which nobody reads in this form
		}
		if err := form.Check(m); err != nil {
			return err
		}
	}
	return nil
}

// outOfBag is what the summaries of all learners that leave rows out have.
type outOfBag struct {
	OutOfBag *oob.Report `json:"oob"`
}

// Check implements learn.Summary.
func (o *outOfBag) Check(model.Model) error {
	var c learn.Checks
	if o.OutOfBag != nil {
		c.Part("oob", o.OutOfBag.Check())
	}
	return c.Err()
}

// encoded is what the summaries of all learners of vectors have.
type encoded struct {
	Encoding *dense.Report `json:"encoding"`
	Solution string        `json:"solution"`
}

// Check implements learn.Summary.
func (e *encoded) Check(model.Model) error {
	var c learn.Checks
	c.Part("encoding", e.Encoding.Check())
	return c.Err()
}
