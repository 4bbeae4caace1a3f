package ensembles

import (
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// Joined validates the model of an ensemble, and returns the ensemble of trees in its place where
// it is one. Several quantiles of a member are combined only with those of the same levels.
func Joined(c *committee.Committee) (model.Model, error) {
	invalid := c.Validate()
	for _, m := range c.Members {
		levels := m.Spec().Quantiles
		if !slices.Equal(levels, c.Members[0].Spec().Quantiles) || levels != nil && invalid != nil {
			return nil, errors.New("members that predict several quantiles are combined only with " +
				"others of the same levels, by vote or bag: train them alone")
		}
	}
	if invalid != nil {
		return nil, invalid
	}
	if flat, ok := c.Flatten(); ok {
		return flat, nil
	}
	return c, nil
}
