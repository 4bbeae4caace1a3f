package gbm_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// fingerprint hashes the trees of a model to the last bit, its start values and what it derives of
// categories.
func fingerprint(m model.Model) string {
	e := m.(*model.Ensemble)
	h := sha256.New()
	bits := func(values []float64) {
		for _, v := range values {
			fmt.Fprintf(h, "%x ", math.Float64bits(v))
		}
	}
	bits(e.Bias)
	for _, t := range e.Trees {
		for n := range int32(t.Len()) {
			fmt.Fprint(h, t.Kind(n), t.Feature(n), t.Missing(n), t.Child(n))
			bits([]float64{t.SplitPoint(n)})
		}
		bits(t.Leaf.Value)
		fmt.Fprint(h, t.Sets)
		if l := t.Leaf.Linear; l != nil {
			fmt.Fprint(h, *l)
		}
	}
	fmt.Fprintf(h, "{%v %v}", e.Inputs.Tables, e.Inputs.Columns)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestFrozenModels holds boosted models to the bytes that they had when the hashes were taken: on
// every architecture, for any number of workers. A hash may change only with an
// intended change of the algorithm, which the changelog lists.
func TestFrozenModels(t *testing.T) {
	for _, c := range []struct {
		name, file, label string
		task              data.Task
		rows              int
		settings          []string
		hash              string
	}{
		{"two classes, categories and missing values", "adult/adult-train.csv.gz", "income",
			data.Binary, 2000, []string{"categories=native"}, "d63efc97c8363b09"},
		{"target statistics", "adult/adult-train.csv.gz", "income", data.Binary, 1000,
			[]string{"categories=target"}, "c3b70ec44f3c8b66"},
		{"many classes", "letter/letter.csv.gz", "lettr", data.Multiclass, 1000,
			[]string{"leaves=12"}, "561a7c8a4b7bc240"},
		{"numbers, level by level", "adult/adult-train.csv.gz", "hours-per-week", data.Regression,
			1500,
			[]string{"growth=depth", "depth=5", "loss=huber", "l1=0.5", "min_leaf=20",
				"path_smooth=5"}, "62686df6532022ae"},
		{"medians", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 1000,
			[]string{"loss=absolute", "max_delta_step=2"}, "16f815e51d77062e"},
		{"counts, symmetric", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 1500,
			[]string{"growth=symmetric", "loss=poisson"}, "df3b2221e4ef9772"},
		{"sampled rows and columns", "spambase/spambase.csv", "spam", data.Binary, 2000,
			[]string{"sampling=goss", "colsample=0.7", "colsample_node=0.5", "extra_trees=true"},
			"f47aa4fcfc43e70f"},
		{"variance by rows", "spambase/spambase.csv", "spam", data.Binary, 2000,
			[]string{"sampling=mvs", "boosting=dart", "monotone=word_freq_all=1"},
			"1e84c00377ca7638"},
		{"equations", "spambase/spambase.csv", "spam", data.Binary, 1000,
			[]string{"linear_tree=true", "leaves=6"}, "3571a806aebe4aed"},
		{"ordered, target statistics", "adult/adult-train.csv.gz", "income", data.Binary, 1000,
			[]string{"boosting=ordered", "categories=target", "leaves=8"},
			"e01a8455782b6534"},
		{"ordered, medians", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 1000,
			[]string{"boosting=ordered", "loss=absolute", "growth=symmetric", "min_leaf=20"},
			"ee8b2d1c62adcd49"},
		{"as CatBoost", "adult/adult-train.csv.gz", "income", data.Binary, 1000,
			[]string{"compat=catboost", "growth=symmetric", "split_score=cosine",
				"random_strength=1", "sampling=mvs", "sampling.fraction=0.8", "l2=3"},
			"af1927387fdd1ca8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := read(t, c.file, c.label, c.task)
			// no short binary fractions: their products round, so a fused multiply-add would show
			for i := range ds.Rows() {
				ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
			}
			l := learner(t, append([]string{"trees=8", "learning_rate=0.1"}, c.settings...)...)
			fitter, err := l.Prepare(t.Context(), ds.Frame, data.AllRows(c.rows), nil, learn.Env{})
			if err != nil {
				t.Fatal(err)
			}
			for _, workers := range []int{2, 1, 7}[tier.Count(1, 0, 0):] {
				m, err := fitter.Fit(t.Context(), &ds.Target, learn.Job{Seed: 7, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if got := fingerprint(m); got != c.hash {
					t.Errorf("%d workers: %s, want %s", workers, got, c.hash)
				}
			}
		})
	}
}
