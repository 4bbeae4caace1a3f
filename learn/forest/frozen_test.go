package forest

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
	"github.com/coppice-ml/coppice/tree"
)

// fingerprint hashes the summary of a model and the splits and values of all its trees.
func fingerprint(m model.Model) string {
	e := m.(*model.Ensemble)
	h := sha256.New()
	put := func(numbers ...float64) {
		for _, x := range numbers {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	for _, t := range e.Trees {
		for n := range int32(t.Len()) {
			if t.Kind(n) == tree.Leaf {
				put(t.Value(n)...)
				continue
			}
			s := t.SplitOf(n)
			put(float64(s.Kind), float64(s.Feature), s.SplitPoint, float64(s.Missing))
			for _, word := range s.Set {
				put(math.Float64frombits(word))
			}
		}
	}
	h.Write(modeltest.SummaryValues(e.Meta.Summary))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestFrozenForests holds forests to the bytes that they had when the hashes were taken: on every
// architecture, for any number of workers. A hash may change only with a change of the algorithm
// that is intended and listed in the changelog.
func TestFrozenForests(t *testing.T) {
	for _, c := range []struct {
		name, file, label string
		task              data.Task
		rows              int
		learner           *Learner
		settings          []string
		hash              string
	}{
		{"defaults, many classes", "letter/letter.csv.gz", "lettr", data.Multiclass, 800, New(),
			nil, "910557ff7d709021"},
		{"categories and missing values", "adult/adult-train.csv.gz", "income", data.Binary, 800,
			New(),
			[]string{"vote=probability", "importance=impurity,corrected,permutation",
				"importance_groups=age+education"}, "0a0d3827234e4997"},
		{"numbers, honest", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 600,
			New(),
			[]string{"honest=0.5", "sample=subsample", "weighted_sampling=true"},
			"8fa2e612076fc082"},
		{"pruned, balanced", "spambase/spambase.csv", "spam", data.Binary, 1500, New(),
			[]string{"prune=oob", "strata=balanced", "class_weight=balanced", "criterion=entropy"},
			"32fbfeba3f931ee6"},
		{"settled", "iris/iris.csv", "species", data.Multiclass, 150, New(),
			[]string{"trees=80", "early_stopping=10"}, "4d517ae3bbc829c3"},
		{"extratrees, classes", "adult/adult-train.csv.gz", "income", data.Binary, 800,
			NewExtraTrees(), nil, "5444371734af0262"},
		{"extratrees, numbers", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 600,
			NewExtraTrees(), nil, "325116cd557c3ae4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := read(t, c.file, c.label, c.task)
			// no short binary fractions: their products round, so a fused multiply-add would show
			for i := range ds.Rows() {
				ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
			}
			c.learner.Trees = 12
			if err := c.learner.Params().Set(c.settings); err != nil {
				t.Fatal(err)
			}
			f, err := c.learner.Prepare(t.Context(), ds.Frame, data.AllRows(c.rows), nil,
				learn.Env{})
			if err != nil {
				t.Fatal(err)
			}
			for _, workers := range []int{1, 2, 7} {
				m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Seed: 7, Workers: workers})
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
