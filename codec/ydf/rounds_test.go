package ydf_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/model"
)

// staged writes a model of trees with two leaves: tree t has the values t + 1 and -(t + 1), or the
// fractions of two classes that depend on t.
func staged(w writer, trees int) *writer {
	w.inputs = []int64{numbers}
	for t := range trees {
		x := float32(t + 1)
		first, last := tested{value: x}, tested{value: -x}
		if w.classy && w.name == "RANDOM_FOREST" {
			first.class, first.counts, first.sum = 1, []float64{0, 1, float64(x)}, 1+float64(x)
			last.class, last.counts, last.sum = 2, []float64{0, float64(x), 3}, 3+float64(x)
		}
		w.trees = append(w.trees, []tested{{column: numbers, test: higher(0.5), rows: 10, passed: 4}, last, first})
	}
	return &w
}

// TestRounds: a round of boosting is one tree of each score (num_trees_per_iter), of a forest one
// tree. The first rounds predict what the folder would predict if it had no more trees. YDF removes
// the trees after the best iteration itself, so all are the default.
func TestRounds(t *testing.T) {
	const rounds = 4
	for name, c := range map[string]struct {
		model writer
		per   int // trees of a round
	}{
		"regression": {writer{name: "GRADIENT_BOOSTED_TREES", task: 2, loss: 2, start: []float32{0.5}}, 1},
		"two classes": {writer{name: "GRADIENT_BOOSTED_TREES", task: 1, loss: 1, start: []float32{0.5},
			classy: true, values: 3}, 1},
		"three classes": {writer{name: "GRADIENT_BOOSTED_TREES", task: 1, loss: 3,
			start: []float32{0.5, 0, 1}, classy: true, values: 4}, 3},
		"forest":            {writer{name: "RANDOM_FOREST", task: 2}, 1},
		"forest of classes": {writer{name: "RANDOM_FOREST", task: 1, classy: true, values: 3}, 1},
		"forest of votes":   {writer{name: "RANDOM_FOREST", task: 1, classy: true, values: 3, votes: true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := decode(t, staged(c.model, rounds*c.per).folder())
			if e.NumRounds() != rounds || len(e.Trees) != rounds*c.per || e.Best != 0 {
				t.Fatalf("%d rounds of %d trees, by default %d", e.NumRounds(), len(e.Trees), e.Best)
			}
			for n := 1; n <= rounds; n++ {
				_, ref := decode(t, staged(c.model, n*c.per).folder())
				p, err := e.Bind(&e.Meta.Schema, model.Options{Output: model.Raw, Rounds: n, Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				got, want := make([]float64, e.Scores()), make([]float64, ref.Scores())
				for _, x := range []float64{0, 1} {
					if err := p.PredictRow(got, []float64{x}); err != nil {
						t.Fatal(err)
					}
					ref.Raw(want, []float64{x})
					for k := range want {
						if !(math.Abs(got[k]-want[k]) <= 1e-6) {
							t.Errorf("%d rounds: score %d is %v, want %v", n, k, got[k], want[k])
						}
					}
				}
			}
		})
	}
}
