package explain_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// Contributions to forests of scikit-learn are those of the definition over all subsets, by the
// training weights of their branches and by a background. ONNX has neither covers nor more than
// single precision.
func TestShapleyOfScikitLearn(t *testing.T) {
	for _, name := range []string{"forest-regression", "forest-classes", "forest-extra"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "shapley", name)
			m, _, err := formats.Open(file+".onnx", codec.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(file + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var want struct {
				Rows, Path, Background json.RawMessage
			}
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			rows := flat(t, want.Rows)
			width := len(m.Spec().Schema.Fields)
			columns := make([]data.Column, width)
			for j := range columns {
				var column []float64
				for at := j; at < len(rows); at += width {
					column = append(column, rows[at])
				}
				columns[j] = data.Numbers(column)
			}
			f, err := data.NewFrame(m.Spec().Schema, columns)
			if err != nil {
				t.Fatal(err)
			}
			last := make([]int32, 30)
			for i := range last {
				last[i] = int32(f.Rows() - len(last) + i)
			}
			mustContribute(t, m, f, explain.ShapleyOptions{Cover: f}, flat(t, want.Path))
			mustContribute(t, m, f, explain.ShapleyOptions{Background: f.Subset(last)},
				flat(t, want.Background))
		})
	}
}

// mustContribute compares the contributions of the first rows with numbers by row, by column and
// then the bias, and by output.
func mustContribute(
	t *testing.T, m model.Model, f *data.Frame, o explain.ShapleyOptions, want []float64,
) {
	t.Helper()
	got := contributionsOf(t, m, f, o)
	width := len(got.Features) + 1
	if rows := len(want) / width / got.Scores; rows != 20 {
		t.Fatalf("%d numbers, %d rows", len(want), rows)
	}
	for i, w := range want {
		row, j, k := i/got.Scores/width, i/got.Scores%width, i%got.Scores
		x := got.Bias[k]
		if j < len(got.Features) {
			x = got.Row(row, k)[j]
		}
		if !(math.Abs(x-w) <= 1e-6) {
			t.Fatalf("row %d, column %d, output %d: %v, want %v", row, j, k, x, w)
		}
	}
}
