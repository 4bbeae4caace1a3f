package learn

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/param"
)

// MemberWeightsParam declares a parameter of weights by the names of members, or aliases of these.
func MemberWeightsParam(p *string, help string) param.Param {
	check := func(text string) error {
		_, err := param.ParseNamed(text, "weight", "member", nil)
		return err
	}
	return param.Text(p, "weights", "", "NAME=WEIGHT,...", check, help)
}

// Weights returns the weight of each member by a text of MemberWeightsParam, 1 of those that it
// does not name; nil = all 1.
func (m *Members) Weights(text string) ([]float64, error) {
	entries, err := param.ParseNamed(m.Canonical(text), "weight", "member", nil)
	if entries == nil || err != nil {
		return nil, err
	}
	names := m.names()
	weights := slices.Repeat([]float64{1}, len(names))
	for _, e := range entries {
		i := slices.Index(names, e.Name)
		if i < 0 {
			return nil, fmt.Errorf("weights: %w", param.Unknown("member", e.Name, names))
		}
		weights[i] = e.Value
	}
	return weights, nil
}
