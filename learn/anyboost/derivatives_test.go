package anyboost

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// TestEqualDerivatives: rows of one derivative have one, whatever they weigh, so that no tree
// splits them.
func TestEqualDerivatives(t *testing.T) {
	const rows, derivative = 200, 0.7
	r := rng.New(2)
	target := data.Target{Weight: make([]float64, rows)}
	d := derivatives{target: &target, g: make([]float64, rows), own: make([]float64, rows),
		train: &boosting.Set{}}
	d.train.Rows = data.AllRows(rows)
	for i := range d.g {
		target.Weight[i] = 0.5 + r.Float64()
		d.g[i] = target.Weight[i] * derivative
	}
	d.unweigh()
	for i, own := range d.own {
		if own != d.own[0] {
			t.Fatalf("row %d: %g, row 0: %g", i, own, d.own[0])
		}
	}
}
