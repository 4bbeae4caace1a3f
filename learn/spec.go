package learn

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Describe gives a spec the learner's parameters and what training found, both as JSON. The error
// is that of a value that JSON has no words for, as a number that is not finite.
func Describe(s *model.Spec, params param.Set, summary Summary) error {
	var err error
	if s.Params, err = json.Marshal(params); err != nil {
		return err
	}
	s.Summary, err = json.Marshal(summary)
	return err
}

// Described is the end of a Fit: it describes the spec of a finished model (see Describe) and
// validates the model.
func Described(m model.Checked, params param.Set, summary Summary) (model.Model, error) {
	if err := Describe(m.Spec(), params, summary); err != nil {
		return nil, err
	}
	return m, m.Validate()
}
