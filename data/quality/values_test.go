package quality_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
)

// A sparse table gets the warnings of the same table with dense columns.
func TestSparseTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(250, 400).Draw(t, "rows")
		r := random(rapid.Uint64Range(1, 1000).Draw(t, "seed"))
		target := data.Target{Name: "y", Task: data.Binary, Classes: []string{"a", "b"}}
		y := make([]float64, n)
		repeats := rapid.Bool().Draw(t, "rows repeat")
		for i := range y {
			if y[i] = float64(r.IntN(2)); repeats && i >= n/2 {
				y[i] = y[i-n/2]
			}
			target.Class = append(target.Class, uint32(y[i]))
		}
		if rapid.Bool().Draw(t, "regression") {
			target = data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}
		}
		var schema data.Schema
		var sparse, dense []data.Column
		for j := range rapid.IntRange(1, 5).Draw(t, "columns") {
			absent := rapid.SampledFrom([]float64{0, math.NaN()}).Draw(t, "absent")
			kind := rapid.SampledFrom([]string{"constant", "few", "many", "label", "copy", "shift",
				"increasing"}).Draw(t, "kind")
			if kind == "copy" && j > 0 {
				sparse, dense = append(sparse, sparse[j-1]), append(dense, dense[j-1])
			} else {
				values := make([]float64, n)
				for i := range values {
					values[i] = absent
					switch {
					case kind != "increasing" && repeats && i >= n/2:
						values[i] = values[i-n/2]
					case kind == "few" && r.IntN(5) == 0:
						values[i] = float64(r.IntN(4) - 1)
					case kind == "many" && r.IntN(3) == 0:
						values[i] = r.Float64()
					case kind == "label" && y[i] == 1:
						values[i] = 2
					case kind == "shift" && i > n/2 && r.IntN(2) == 0:
						values[i] = r.Float64()
					case kind == "increasing":
						values[i] = float64(i + 1)
					}
				}
				dense = append(dense, data.Numbers(values))
				sparse = append(sparse, storedBut(values, absent))
			}
			schema.Fields = append(schema.Fields, data.Field{Name: string(rune('a' + j))})
		}
		rows, test := data.AllRows(n)[:n*2/3], data.AllRows(n)[n*2/3:]
		if rapid.Bool().Draw(t, "another order") {
			rows = slices.Clone(rows)
			r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
		var found [2][]quality.Warning
		for k, columns := range [][]data.Column{sparse, dense} {
			f, err := data.NewFrame(schema, columns)
			if err != nil {
				t.Fatal(err)
			}
			ds := &data.Dataset{Frame: f, Target: target}
			if found[k], err = quality.Check(context.Background(), ds, rows, test, 1); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(found[1], found[0]); diff != "" {
			t.Fatal(diff)
		}
	})
}

// storedBut returns a sparse column of values.
func storedBut(values []float64, absent float64) data.Column {
	var row []int32
	var stored []float64
	for i, v := range values {
		if v != absent && (v == v || absent == absent) {
			row, stored = append(row, int32(i)), append(stored, v)
		}
	}
	return data.Sparse(len(values), absent, row, stored)
}
