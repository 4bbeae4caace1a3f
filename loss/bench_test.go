package loss

import (
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// BenchmarkLogistic times the derivatives of a block of rows.
func BenchmarkLogistic(b *testing.B) {
	const n = SumRows
	s := rng.New(1)
	g, h, y, raw := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range raw {
		raw[i] = 6*s.Float64() - 3
		y[i] = float64(s.Intn(2))
	}
	for b.Loop() {
		logistic{}.derive(g, h, y, raw)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
}
