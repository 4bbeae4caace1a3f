package catboost

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/model"
)

// TestRounds: a round is one tree, which has the values of all scores. The first rounds predict
// what the file would predict if it had no more, as CatBoost's ntree_end does; the default is all.
func TestRounds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := randomFile().Draw(rt, "file")
		all := open(t, Format(), asBinary(t, f))
		e := all.model
		if e.NumRounds() != len(f.trees) || len(e.Trees) != len(f.trees) || e.Best != 0 {
			rt.Fatalf("%d rounds of %d trees, by default %d", e.NumRounds(), len(f.trees), e.Best)
		}
		n := rapid.IntRange(1, len(f.trees)).Draw(rt, "rounds")
		first := *f
		first.trees = slices.Clone(f.trees[:n])
		ref := open(t, Format(), asBinary(t, &first)).ref
		p, err := e.Bind(&e.Meta.Schema, model.Options{Output: model.Raw, Rounds: n, Workers: 1})
		if err != nil {
			rt.Fatal(err)
		}
		probes := parity.Make(e, 100)
		got, want := make([]float64, e.Scores()), make([]float64, ref.Scores())
		for i := range probes.Rows() {
			if err := p.PredictRow(got, probes.Row(i)); err != nil {
				rt.Fatal(err)
			}
			ref.Raw(want, probes.Row(i))
			for k := range want {
				if !(math.Abs(got[k]-want[k]) <= 1e-12) {
					rt.Fatalf("%d rounds: score %d is %v, want %v", n, k, got[k], want[k])
				}
			}
		}
	})
}
