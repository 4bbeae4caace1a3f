package adaboost

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// fingerprint hashes the responses of a model and its summary, which holds errors, weights and
// margins.
func fingerprint(t *testing.T, m model.Model, f *data.Frame) string {
	t.Helper()
	h := sha256.New()
	predicted, _ := predict(t, m, f, model.Options{})
	for _, x := range predicted {
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
	}
	h.Write(modeltest.SummaryValues(m.Spec().Summary))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestFrozenBoosts holds boosted models to the bytes that they had when the hashes were taken: on
// every architecture, for any number of workers. A hash may change only with a change of the
// algorithm that is intended, and listed in the changelog.
func TestFrozenBoosts(t *testing.T) {
	all := []string{"sepal_length", "sepal_width", "petal_length", "petal_width"}
	for _, c := range []struct {
		variant  string
		numbers  bool
		settings []string
		hash     string
	}{
		{"samme", false, []string{"rounds=30"}, "7090342d2bf406de"},
		{"discrete", false, []string{"base.depth=2", "learning_rate=0.3", "class_weight=balanced"},
			"f222ee7d22ba7d4d"},
		{"real", false, []string{"rounds=20"}, "b14273e25d7bed93"},
		{"gentle", false, []string{"rounds=20"}, "80ff20190b1d5141"},
		{LogitBoost, false, []string{"rounds=20"}, "4c3845d8a67e5844"},
		{"samme", false, []string{"resample=true", "rounds=20"}, "8c4fd49133473530"},
		{"r2", true, []string{"loss=exponential", "base.depth=3"}, "135efd29c3d093fa"},
	} {
		ds := table(t, "iris/iris.csv", "species", all, 1)
		// no short binary fractions: their products round, so a fused multiply-add would show
		for i := range ds.Rows() {
			ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/3)
		}
		if c.numbers {
			y := ds.Columns[3].Numbers()
			ds.Frame = ds.Frame.Select([]int{0, 1, 2})
			ds.Target = data.Target{Name: "petal_width", Task: data.Regression, Y: [][]float64{y},
				Weight: ds.Target.Weight}
		}
		for _, workers := range []int{1, 3} {
			l := NewLogitBoost(stumps("auto", 50).Base.Resolve)
			if c.variant != LogitBoost {
				l = stumps(c.variant, 50)
			}
			if err := l.Params().Set(append([]string{"base=cart"}, c.settings...)); err != nil {
				t.Fatal(err)
			}
			m, _ := fit(t, l, ds, learn.Job{Seed: 9, Workers: workers})
			if got := fingerprint(t, m, ds.Frame); got != c.hash {
				t.Errorf("%s %v, %d workers: hash %s, want %s", c.variant, c.settings, workers, got,
					c.hash)
			}
		}
	}
}
