package explain_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/model"
)

// frozen reads a case of testdata/shapley: a model of XGBoost, rows, and its own contributions.
func frozen(t *testing.T, name string) (*model.Ensemble, *data.Frame, [][]float64) {
	t.Helper()
	m, _, err := formats.Open(filepath.Join("testdata", "shapley", name+".json"), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	e := m.(*model.Ensemble)
	columns := make([][]float64, len(e.Meta.Schema.Fields))
	var rest [][]float64
	for _, row := range numbers(t, name) {
		for i := range columns {
			columns[i] = append(columns[i], row[i])
		}
		rest = append(rest, row[len(columns):])
	}
	made := make([]data.Column, len(columns))
	for i, c := range columns {
		made[i] = data.Numbers(c)
	}
	f, err := data.NewFrame(e.Meta.Schema, made)
	if err != nil {
		t.Fatal(err)
	}
	return e, f, rest
}

// numbers reads a file of testdata/shapley.
func numbers(t *testing.T, name string) [][]float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "shapley", name+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var table [][]float64
	for line := range strings.Lines(string(text)) {
		var row []float64
		for _, word := range strings.Fields(line) {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, x)
		}
		table = append(table, row)
	}
	return table
}

// Contributions are those of XGBoost's pred_contribs, whose sums have single precision, both for
// few rows and for rows enough for tables.
func TestShapleyOfXGBoost(t *testing.T) {
	for _, name := range []string{"regression", "binary", "classes", "lossguide"} {
		m, f, want := frozen(t, name)
		var many []int32
		for i := range 100 {
			many = append(many, int32(i%f.Rows()))
		}
		for _, rows := range [][]int32{nil, many} {
			got, err := explain.Shapley(context.Background(), m, f, rows, explain.ShapleyOptions{})
			if err != nil {
				t.Fatal(err)
			}
			width := len(got.Features) + 1
			for r := range len(got.Values) / (got.Scores * len(got.Features)) {
				for k := range got.Scores {
					ours := append(append([]float64{}, got.Row(r, k)...), got.Bias[k])
					sum := 1.0
					for _, v := range ours {
						sum += math.Abs(v)
					}
					for j, w := range want[r%f.Rows()][k*width:][:width] {
						if math.Abs(ours[j]-w) > 1e-6*sum {
							t.Fatalf("%s, row %d, score %d, feature %d: %v, XGBoost has %v", name,
								r, k, j, ours[j], w)
						}
					}
				}
			}
		}
	}
}

// Bias and contributions of a row add up to its raw score.
func TestShapleyAddsUp(t *testing.T) {
	for _, name := range []string{"regression", "classes"} {
		m, f, _ := frozen(t, name)
		for _, rounds := range []int{0, 3} {
			got, err := explain.Shapley(context.Background(), m, f, nil,
				explain.ShapleyOptions{Rounds: rounds})
			if err != nil {
				t.Fatal(err)
			}
			bound, err := m.Bind(&f.Schema, model.Options{Output: model.Raw, Rounds: rounds})
			if err != nil {
				t.Fatal(err)
			}
			raw := make([]float64, f.Rows()*bound.Width())
			if err := bound.Predict(raw, f, nil); err != nil {
				t.Fatal(err)
			}
			for i, want := range raw {
				sum := got.Bias[i%got.Scores]
				for _, v := range got.Row(i/got.Scores, i%got.Scores) {
					sum += v
				}
				if math.Abs(sum-want) > 1e-12*max(1, math.Abs(want)) {
					t.Errorf("%s, row %d: contributions add up to %v, the score is %v", name, i,
						sum, want)
				}
			}
		}
	}
}

// Counted rows of the table that a tree was trained on are its training weights.
func TestShapleyByCoverOfTable(t *testing.T) {
	ds := fourColumns(data.Regression, learn.Needs{})
	entry, err := catalog.Find("cart")
	if err != nil {
		t.Fatal(err)
	}
	m := fitted(t, entry.New(), ds, data.AllRows(ds.Rows())).(*model.Ensemble)
	want := contributionsOf(t, m, ds.Frame, explain.ShapleyOptions{})
	for _, tree := range m.Trees {
		if tree.NumLeaves() < 3 {
			t.Fatalf("a tree of %d leaves", tree.NumLeaves())
		}
		tree.Cover, tree.Stats = nil, nil
	}
	got := contributionsOf(t, m, ds.Frame, explain.ShapleyOptions{Cover: ds.Frame})
	if got.Bias[0] != want.Bias[0] || !slices.Equal(got.Values, want.Values) {
		t.Errorf("bias %v, with training weights %v", got.Bias, want.Bias)
	}
	none := explain.ShapleyOptions{Cover: ds.Frame.Subset(nil)}
	if _, err := explain.Shapley(context.Background(), m, ds.Frame, nil, none); err == nil {
		t.Error("no error for a cover table without rows")
	}
}

func TestShapleyErrors(t *testing.T) {
	m, f, _ := frozen(t, "regression")
	other := f.Select([]int{1, 2, 3, 4, 5})
	var missing *model.MissingColumnError
	if _, err := explain.Shapley(context.Background(), m, other, nil,
		explain.ShapleyOptions{}); !errors.As(err, &missing) {
		t.Errorf("a table without a column: %v", err)
	}
	missing = nil
	_, err := explain.Shapley(context.Background(), m, f, nil,
		explain.ShapleyOptions{Background: other})
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "background") {
		t.Errorf("a background without a column: %v", err)
	}
	_, err = explain.Shapley(context.Background(), m, f, nil,
		explain.ShapleyOptions{Background: f.Subset(nil)})
	if !errors.Is(err, explain.ErrNoBackground) {
		t.Errorf("a background without rows: %v", err)
	}
	for _, tree := range m.Trees {
		tree.Cover, tree.Stats = nil, nil
	}
	if _, err := explain.Shapley(context.Background(), m, f, nil,
		explain.ShapleyOptions{}); !errors.Is(err, explain.ErrNoCover) {
		t.Errorf("trees without cover: %v", err)
	}
}

// With a background, contributions explain by how much a flower differs from these 50 others.
func ExampleShapley_background() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../testdata/iris/iris.csv", data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	learner := forest.New()
	learner.Trees = 50
	m, err := coppice.Train(ctx, learner, ds)
	if err != nil {
		log.Fatal(err)
	}
	versicolor := ds.Frame.Subset(data.AllRows(100)[50:])
	c, err := explain.Shapley(ctx, m.(*model.Ensemble), ds.Frame, []int32{0},
		explain.ShapleyOptions{Background: versicolor})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean probability of setosa: %.2f\n", c.Bias[0])
	for j, name := range c.Features {
		fmt.Printf("%-12s %+.2f\n", name, c.Row(0, 0)[j])
	}
	// Output:
	// mean probability of setosa: 0.00
	// sepal_length +0.02
	// sepal_width  +0.01
	// petal_length +0.46
	// petal_width  +0.51
}

// Of a forest the contributions are those to the probability of each class.
func ExampleShapley() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../testdata/iris/iris.csv", data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	learner := forest.New()
	learner.Trees = 50
	m, err := coppice.Train(ctx, learner, ds)
	if err != nil {
		log.Fatal(err)
	}
	c, err := explain.Shapley(ctx, m.(*model.Ensemble), ds.Frame, []int32{0},
		explain.ShapleyOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean probability of setosa: %.2f\n", c.Bias[0])
	for j, name := range c.Features {
		fmt.Printf("%-12s %+.2f\n", name, c.Row(0, 0)[j])
	}
	// Output:
	// mean probability of setosa: 0.34
	// sepal_length +0.06
	// sepal_width  +0.01
	// petal_length +0.30
	// petal_width  +0.30
}
