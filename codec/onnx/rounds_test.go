package onnx

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/model"
)

// TestRounds: files have no rounds. A round is one tree of each score, or one that feeds all, and
// the first rounds predict what the file would predict if it had no more trees. All are the
// default.
func TestRounds(t *testing.T) {
	for _, s := range []struct {
		name     string
		per      int // trees of a round
		multiple int // scores
	}{
		{"sklearn-wine-boosting", 3, 3}, {"sklearn-cancer-boosting", 1, 1},
		{"sklearn-diabetes-boosting", 1, 1}, {"sklearn-wine-forest", 1, 3},
		{"sklearn-diabetes-forest", 1, 1}, {"regressor-average", 1, 1},
	} {
		t.Run(s.name, func(t *testing.T) {
			file, err := os.ReadFile("../../testdata/models/onnx/" + s.name + ".onnx")
			if err != nil {
				t.Fatal(err)
			}
			in := bytes.NewReader(file)
			f := readFile(in, in.Size(), foreign.NewBudget(formatName, in.Size(), codec.Limits{}))
			m, err := decodeModel(in, in.Size(), codec.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			e, trees := m.(*model.Ensemble), len(f.roots)
			if e.NumRounds() != trees/s.per || len(e.Trees) != trees || e.Best != 0 || e.Scores() != s.multiple {
				t.Fatalf("%d rounds of %d trees and %d scores, by default %d", e.NumRounds(),
					trees, e.Scores(), e.Best)
			}
			roots, probes := f.roots, parity.Make(e, 200)
			for _, rounds := range []int{1, 2, trees / s.per} {
				f.roots = roots[:rounds*s.per]
				checkRounds(t, e, newReference(f), probes, rounds)
			}
		})
	}
}

// checkRounds compares the first rounds of a model with a file that has no more.
func checkRounds(t *testing.T, e *model.Ensemble, ref reference, probes *parity.Probes, rounds int) {
	t.Helper()
	p, err := e.Bind(&e.Meta.Schema, model.Options{Output: model.Raw, Rounds: rounds, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, want := make([]float64, p.Width()), make([]float64, ref.Scores())
	for i := range probes.Rows() {
		if err := p.PredictRow(got, probes.Row(i)); err != nil {
			t.Fatal(err)
		}
		ref.Raw(want, probes.Row(i))
		for k := range want {
			if !(math.Abs(got[k]-want[k]) <= 1e-4*max(1, math.Abs(want[k]))) {
				t.Fatalf("%d rounds: score %d is %v, want %v", rounds, k, got[k], want[k])
			}
		}
	}
}
