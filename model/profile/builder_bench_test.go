package profile_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model/profile"
)

// BenchmarkBuilder profiles 1,000,000 rows of 28 columns, which no number repeats in, or 1,000 do.
func BenchmarkBuilder(b *testing.B) {
	const rows = 1_000_000
	for name, values := range map[string]int{"different": 1 << 30, "repeated": 1000} {
		r := rng.New(1)
		var columns []data.NamedColumn
		for i := range 28 {
			x := make([]float64, rows)
			for k := range x {
				x[k] = float64(r.Intn(values)) / 7
			}
			columns = append(columns, data.NamedColumn{Name: string(rune('A' + i)), Values: x})
		}
		f, err := data.FromColumns(columns...)
		if err != nil {
			b.Fatal(err)
		}
		all := data.AllRows(rows)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p := profile.New(f.Schema.Fields, rows, profile.Options{})
				p.Add(f, all)
				p.Profile(&data.Target{}, all)
			}
		})
	}
}
