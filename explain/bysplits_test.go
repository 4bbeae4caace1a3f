package explain_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
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

// TestCoverNeedsWeights: trees that keep no training weights have no importances by cover.
func TestCoverNeedsWeights(t *testing.T) {
	ds, train, _ := twoColumns(data.Regression, false)
	m := fitted(t, gbm.New(), ds, train).(*model.Ensemble)
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
