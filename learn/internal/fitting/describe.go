package fitting

import (
	"encoding/json"
	"errors"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Describe gives a spec the learner's parameters and what training found, both as JSON. Values
// without a JSON form, such as infinite numbers, are an error.
func Describe(s *model.Spec, params param.Set, summary learn.Summary) error {
	var err error
	if s.Params, err = json.Marshal(params); err != nil {
		return err
	}
	s.Summary, err = json.Marshal(summary)
	return err
}

// Model describes the spec of a finished model, as Describe does, and validates the model.
func Model(m model.Checked, params param.Set, summary learn.Summary) (model.Model, error) {
	if err := Describe(m.Spec(), params, summary); err != nil {
		return nil, err
	}
	return m, m.Validate()
}

// Trained counts the rows of a population, and those that weigh nothing.
func Trained(p *grow.Population) training.Trained {
	return training.Trained{Rows: p.Copies(), Weightless: p.Weightless}
}

// UnlessStop returns the error that ended a training, nil if that was learn.Stop.
func UnlessStop(err error) error {
	if errors.Is(err, learn.Stop) {
		return nil
	}
	return err
}
