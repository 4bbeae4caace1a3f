package weighted

import (
	"context"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// TestC45Tables: by tables C4.5 grows the tree that it grows on sorted columns, to the last bit:
// with missing values, weights, rows that stand several times, and on some of the prepared rows.
func TestC45Tables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 120).Draw(t, "rows")
		gaps := rapid.Bool().Draw(t, "gaps")
		pop := &grow.Population{Classes: rapid.IntRange(2, 5).Draw(t, "classes")}
		weighted, repeated := rapid.Bool().Draw(t, "weighted"), rapid.Bool().Draw(t, "repeated")
		x := make([][]float64, n)
		for i := range x {
			x[i] = make([]float64, 3)
			for c := range x[i] {
				x[i][c] = float64(rapid.IntRange(0, 6).Draw(t, "x"))
				if gaps && rapid.IntRange(0, 5).Draw(t, "gap") == 0 {
					x[i][c] = math.NaN()
				}
			}
			if i > 0 && rapid.IntRange(0, 9).Draw(t, "left out") == 0 {
				continue
			}
			pop.Rows = append(pop.Rows, int32(i))
			pop.Class = append(pop.Class, uint32(rapid.IntRange(0, pop.Classes-1).Draw(t, "class")))
			count := 1
			if repeated {
				count = rapid.IntRange(1, 3).Draw(t, "count")
				pop.Count = append(pop.Count, uint32(count))
			}
			if weighted {
				pop.Weight = append(pop.Weight,
					float64(count)*(0.2+float64(rapid.IntRange(0, 9).Draw(t, "weight"))/3))
			}
		}
		frame, err := data.FromRows(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := Prepare(context.Background(), frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := C45{MinWeight: rapid.SampledFrom([]float64{0.5, 2}).Draw(t, "least")}
		got, err := prepared.GrowC45(context.Background(), pop, cfg)
		if err != nil {
			t.Fatal(err)
		}
		cfg.plain = true
		want, err := prepared.GrowC45(context.Background(), pop, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got.Nodes, want.Nodes)
		}
	})
}
