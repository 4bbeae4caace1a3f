package check

import (
	"testing"

	"github.com/coppice-ml/coppice/check"
)

// TestOtherScale counts the columns at another scale, and no other findings.
func TestOtherScale(t *testing.T) {
	column := func(all ...check.What) (c check.Column) {
		for _, w := range all {
			c.Findings = append(c.Findings, check.Finding{What: w})
		}
		return c
	}
	r := &check.Report{Columns: []check.Column{column(check.Drift, check.OtherScale), column(check.Drift),
		column(), column(check.OtherScale)}, Kinds: make([]check.KindChange, 3)}
	for figure, want := range map[string]float64{"other_scale": 2, "other_kinds": 3} {
		if got, err := value(r, figure); err != nil || got != want {
			t.Errorf("%s is %v, %v, want %v", figure, got, err, want)
		}
	}
}
