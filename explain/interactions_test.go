package explain_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
)

// Interactions are those of XGBoost's pred_interactions, whose sums have single precision.
func TestInteractionsOfXGBoost(t *testing.T) {
	for _, name := range []string{"regression", "binary", "classes", "lossguide"} {
		m, f, _ := frozen(t, name)
		want := numbers(t, name+"-interactions")
		got, err := explain.Interactions(context.Background(), m, f, []int32{0, 1, 2, 3, 4},
			explain.ShapleyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		width := len(got.Features)
		for r, theirs := range want {
			for k := range got.Scores {
				matrix := theirs[k*(width+1)*(width+1):]
				for i, x := range got.Row(r, k) {
					w := matrix[i/width*(width+1)+i%width]
					if math.Abs(x-w) > 1e-5*max(1, math.Abs(w)) {
						t.Errorf("%s, row %d, score %d, features %d and %d: %v, XGBoost has %v",
							name, r, k, i/width, i%width, x, w)
					}
				}
				if w := matrix[width*(width+1)+width]; math.Abs(got.Bias[k]-w) > 1e-5 {
					t.Errorf("%s: bias %v, XGBoost has %v", name, got.Bias[k], w)
				}
			}
		}
	}
}

// Matrices are symmetric, and their rows add up to the contributions, for few rows and for many.
func TestInteractionsAddUp(t *testing.T) {
	for _, name := range []string{"regression", "binary", "classes", "lossguide"} {
		m, f, _ := frozen(t, name)
		var many []int32
		for i := range 100 {
			many = append(many, int32(i%f.Rows()))
		}
		for _, rows := range [][]int32{nil, many} {
			checkMatrices(t, name, m, f, rows, explain.ShapleyOptions{})
		}
	}
}

// checkMatrices compares matrices with their transposes and with contributions.
func checkMatrices(
	t *testing.T, name string, m model.Model, f *data.Frame, rows []int32,
	o explain.ShapleyOptions,
) {
	t.Helper()
	c, err := explain.Shapley(context.Background(), m, f, rows, o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := explain.Interactions(context.Background(), m, f, rows, o)
	if err != nil {
		t.Fatal(err)
	}
	width, apart := len(v.Features), 0
	for r := range len(c.Values) / (width * c.Scores) {
		for k := range c.Scores {
			matrix := v.Row(r, k)
			for i, want := range c.Row(r, k) {
				sum, size := 0.0, 1.0
				for j, x := range matrix[i*width:][:width] {
					if x != matrix[j*width+i] {
						t.Fatalf("%s, row %d, score %d: (%d, %d) is %v, (%d, %d) is %v", name, r, k,
							i, j, x, j, i, matrix[j*width+i])
					}
					if j != i && x != 0 {
						apart++
					}
					sum, size = sum+x, size+math.Abs(x)
				}
				if math.Abs(sum-want) > 1e-12*size {
					t.Fatalf("%s, row %d, score %d, feature %d: values add up to %v, not to %v",
						name, r, k, i, sum, want)
				}
			}
		}
	}
	if apart == 0 {
		t.Errorf("%s: no two columns interact", name)
	}
}

// Of a flower that is taken for the third class, length and width of the petal speak for it, and a
// part of that belongs to both together.
func ExampleInteractions() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../testdata/iris/iris.csv", data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	m, err := coppice.Train(ctx, cart.New(), ds)
	if err != nil {
		log.Fatal(err)
	}
	v, err := explain.Interactions(ctx, m.(*model.Ensemble), ds.Frame, []int32{70},
		explain.ShapleyOptions{})
	if err != nil {
		log.Fatal(err)
	}
	matrix := v.Row(0, 2) // of the third class
	for i, name := range v.Features {
		fmt.Printf("%-12s %+.3f\n", name, matrix[i*len(v.Features):][:len(v.Features)])
	}
	// Output:
	// sepal_length [+0.000 +0.000 +0.000 +0.000]
	// sepal_width  [+0.000 +0.000 +0.000 +0.000]
	// petal_length [+0.000 +0.000 +0.167 +0.080]
	// petal_width  [+0.000 +0.000 +0.080 +0.319]
}
