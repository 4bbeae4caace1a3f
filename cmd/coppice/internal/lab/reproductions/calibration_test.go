package reproductions

import (
	"strings"
	"testing"
)

func TestCalibration(t *testing.T) {
	r := calibrationOf(t.Context(), &Env{}, calibrationSize{splits: 1, scale: 0.05, rows: 400})
	row := calibration
	whole(t, &row, r)
	for _, f := range r.Findings { // a small forest and few rounds leave no doubt about these
		if (strings.HasSuffix(f.What, "a full tree better") ||
			strings.HasSuffix(f.What, "boosted stumps better")) && !f.Holds {
			t.Errorf("%s: %s", f.What, f.Found)
		}
	}
}
