package anyboost_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// TestRGBM: scores after some rounds are those of R's gbm on all rows (bag.fraction=1), whose
// interaction.depth is the number of splits, the best first. Its scores of the exponential loss are
// half the log odds, Coppice's the log odds.
func TestRGBM(t *testing.T) {
	frozen := reference.Read[struct {
		Sets  map[string]frozenSet
		Cases []struct {
			Set, Distribution string
			Splits            int
			Stages            []int
			Staged            [][]float64
		}
	}](t, "testdata/gbm.json.gz")
	if len(frozen.Cases) != 5 {
		t.Fatalf("%d cases", len(frozen.Cases))
	}
	losses := map[string]string{"gaussian": "squared", "bernoulli": "logistic",
		"adaboost": "exponential"}
	for _, c := range frozen.Cases {
		t.Run(fmt.Sprint(c.Set, " ", c.Distribution, " ", c.Splits), func(t *testing.T) {
			set := frozen.Sets[c.Set]
			if c.Set == "pima" {
				set.Y = named(t, set.Y)
			}
			ds := set.dataset(t, nil, nil)
			m := fit(t, newLearner(t, "loss="+losses[c.Distribution], "rounds=30", "step=leaf",
				"base.depth=0", fmt.Sprint("base.leaves=", c.Splits+1),
				"base.min_leaf=10"), ds, learn.Job{})
			for s, n := range c.Stages {
				raw := predict(t, m, ds.Frame, model.Options{Output: model.Raw, Rounds: n})
				for i, want := range c.Staged[s] {
					if c.Distribution == "adaboost" {
						want *= 2
					}
					if got := raw[7*i]; !near(got, want, 1) {
						t.Fatalf("after %d rounds row %d has score %.12g, want %.12g, %g off", n,
							7*i, got, want, math.Abs(got-want))
					}
				}
			}
		})
	}
}

// named makes names of classes of labels 0 and 1.
func named(t *testing.T, y json.RawMessage) json.RawMessage {
	t.Helper()
	var numbers []float64
	if err := json.Unmarshal(y, &numbers); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range numbers {
		names = append(names, fmt.Sprint(v))
	}
	text, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
