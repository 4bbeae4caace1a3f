package ensembles

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
)

// Joined validates the model of an ensemble, and returns the ensemble of trees in its place where
// it is one.
func Joined(c *committee.Committee) (model.Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if flat, ok := c.Flatten(); ok {
		return flat, nil
	}
	return c, nil
}
