package explain_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// TestImportancesOfXGBoost compares importances by splits, cover and gain with XGBoost's own.
func TestImportancesOfXGBoost(t *testing.T) {
	b, err := os.ReadFile("testdata/shapley/importances.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]map[string]float64
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	if len(want) != 3 {
		t.Fatalf("%d models", len(want))
	}
	for name, kinds := range want {
		m, _, _ := frozen(t, name)
		cover, err := explain.Cover(m)
		if err != nil {
			t.Fatal(err)
		}
		gain, err := explain.Impurity(m)
		if err != nil {
			t.Fatal(err)
		}
		for kind, got := range map[string][]explain.Importance{
			"weight": explain.Splits(m), "total_cover": cover, "total_gain": gain,
		} {
			sum := 0.0
			for _, x := range kinds[kind] {
				sum += x
			}
			for _, i := range got {
				if d := math.Abs(i.Value - kinds[kind][i.Feature]/sum); !(d <= 1e-6) {
					t.Errorf("%s, %s of %s: %v, want %v", name, kind, i.Feature, i.Value,
						kinds[kind][i.Feature]/sum)
				}
			}
		}
	}
}

// TestMeanAbsolute computes the means and their errors from the contributions.
func TestMeanAbsolute(t *testing.T) {
	c := &explain.Contributions{Features: []string{"a", "b"}, Scores: 2,
		Values: []float64{1, 0, -2, 0, -3, 0, 4, 0}} // rows (1 and -2, 0), (-3 and 4, 0)
	mean, stdError := c.MeanAbsolute()
	if mean[0] != 5 || mean[1] != 0 || math.Abs(stdError[0]-2) > 1e-15 || stdError[1] != 0 {
		t.Errorf("means %v, errors %v", mean, stdError)
	}
}

// TestWithCover counts the rows of a table in the trees' branches; the old model stays.
func TestWithCover(t *testing.T) {
	ds, train, test := twoColumns(data.Regression, false)
	m := fitted(t, gbm.New(), ds, train).(*model.Ensemble)
	covered, err := explain.WithCover(m, ds.Subset(test), 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, made := range covered.Trees {
		count := make([]float64, made.Len())
		for _, row := range test {
			n := int32(0)
			for count[0]++; made.Kind(n) != tree.Leaf; count[n]++ {
				n = made.NextRow(n, ds.Columns, row)
			}
		}
		if diff := cmp.Diff(count, made.Covers()); diff != "" {
			t.Errorf("tree %d: %s", i, diff)
		}
		if own := m.Trees[i].Covers(); own[0] != float64(len(train)) {
			t.Errorf("tree %d of the old model has %v", i, own)
		}
	}
	empty := ds.Subset(nil)
	if _, err := explain.WithCover(m, empty, 1); err == nil {
		t.Error("no rows")
	}
	bare := *m
	bare.Trees = nil
	for _, one := range m.Trees {
		own := *one
		own.Stats, own.Cover = nil, nil
		bare.Trees = append(bare.Trees, &own)
	}
	if _, err := explain.Cover(&bare); !errors.Is(err, explain.ErrNoCover) {
		t.Errorf("error %v", err)
	}
}
