package explain_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/model"
)

// One explainer serves several goroutines, with tables and without space for them.
func TestExplainerAtOnce(t *testing.T) {
	m, f, _ := frozen(t, "classes")
	for _, memory := range []int64{0, 1} {
		for _, background := range []*data.Frame{nil, f} {
			x, err := explain.NewShapleyExplainer(context.Background(), m, &f.Schema,
				explain.ShapleyOptions{Background: background, Memory: memory})
			if err != nil {
				t.Fatal(err)
			}
			if x.Tables > cmp.Or(memory, 256<<20) || memory == 0 && x.Tables == 0 {
				t.Errorf("tables take %d bytes with Memory: %d", x.Tables, memory)
			}
			got := make([][]float64, f.Rows())
			explainAll := func() {
				for r := range got {
					row := make([]float64, len(f.Columns))
					for j := range row {
						row[j] = f.Columns[j].Number(r)
					}
					dst := make([]float64, x.Scores*len(x.Features))
					if err := x.Row(dst, row); err != nil {
						t.Error(err)
					}
					if got[r] != nil && !slices.Equal(got[r], dst) {
						t.Errorf("row %d: %v, alone %v", r, dst, got[r])
					}
					if got[r] == nil {
						got[r] = dst
					}
				}
			}
			explainAll()
			var group sync.WaitGroup
			for range 4 {
				group.Go(explainAll)
			}
			group.Wait()
		}
	}
}

// Trees of more than 64 tests, and leaves of more columns than tables have, give the same alone as
// together with others.
func TestExplainerOfLargeTrees(t *testing.T) {
	tier.NotShort(t, "explains rows by trees of 100,000 nodes")
	for _, c := range []struct{ trees, leaves int }{{3, 255}, {2, 700}, {1, 2500}}[tier.Count(1, 1, 0):] {
		m, f := boosted(t, c.trees, c.leaves, 100)
		for i := range 20 {
			f.Columns[i].Numbers()[3*i] = math.NaN()
		}
		f = f.Subset(data.AllRows(tier.Count(10, 10, 100)))
		for _, background := range []*data.Frame{nil, f} {
			o := explain.ShapleyOptions{Background: background}
			want, err := explain.Shapley(context.Background(), m, f, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			sameRowByRow(t, m, f, o, want)
			addsUp(t, m, f.Subset(data.AllRows(10)), o)
		}
	}
}

func TestExplainerErrors(t *testing.T) {
	m, f, _ := frozen(t, "regression")
	x, err := explain.NewShapleyExplainer(context.Background(), m, &f.Schema,
		explain.ShapleyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var size *model.SizeError
	if err := x.Row(make([]float64, 5), make([]float64, 6)); !errors.As(err, &size) {
		t.Errorf("too few places for contributions: %v", err)
	}
	if err := x.Row(make([]float64, 6), make([]float64, 5)); !errors.As(err, &size) {
		t.Errorf("too few values: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := explain.NewShapleyExplainer(stopped, m, &f.Schema,
		explain.ShapleyOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
}

// A server makes an explainer once, and explains the row of each request.
func ExampleShapleyExplainer() {
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
	x, err := explain.NewShapleyExplainer(ctx, m.(*model.Ensemble), &ds.Schema,
		explain.ShapleyOptions{})
	if err != nil {
		log.Fatal(err)
	}
	contributions := make([]float64, x.Scores*len(x.Features))
	if err := x.Row(contributions, []float64{5.9, 3, 5.1, 1.8}); err != nil {
		log.Fatal(err)
	}
	class := contributions[2*len(x.Features):] // the third
	fmt.Printf("mean probability: %.2f\n", x.Bias[2])
	for j, name := range x.Features {
		fmt.Printf("%-12s %+.2f\n", name, class[j])
	}
	// Output:
	// mean probability: 0.33
	// sepal_length -0.02
	// sepal_width  +0.01
	// petal_length +0.33
	// petal_width  +0.29
}
