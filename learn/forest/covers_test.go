package forest

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Each tree of a forest has the cover that the rows of its bag make, of honest trees those that
// make the leaves: they are sent down the finished tree.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		file, label string
		task        data.Task
		weighted    bool
		learner     *Learner
		settings    []string
		whole       bool // covers are whole numbers, in bytes
	}{
		{"iris/iris.csv", "species", data.Multiclass, false, New(), nil, true},
		{"iris/iris.csv", "species", data.Multiclass, false, New(),
			[]string{"vote=probability", "prune=oob"}, true},
		{"iris/iris.csv", "species", data.Multiclass, true, New(), nil, false},
		{"adult/adult-train.csv.gz", "income", data.Binary, false, New(), nil, true},
		{"adult/adult-train.csv.gz", "income", data.Binary, false, New(), []string{"sample=none"},
			true},
		{"adult/adult-train.csv.gz", "income", data.Binary, false, NewExtraTrees(), nil, true},
		{"adult/adult-train.csv.gz", "income", data.Binary, true, New(),
			[]string{"class_weight=balanced", "honest=0.5", "prune=oob"}, false},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, false, New(),
			[]string{"honest=0.4"}, true},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, true, New(),
			[]string{"quantiles=true"}, false},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, false, NewExtraTrees(),
			[]string{"sample=subsample"}, true},
	} {
		j := begun(t, c.file, c.label, c.task, 150, c.weighted)
		if err := c.learner.Params().Set(append(c.settings, "trees=5",
			"importance=none")); err != nil {
			t.Fatal(err)
		}
		table, err := c.learner.prepare(t.Context(), j.frame, data.AllRows(150), 0)
		if err != nil {
			t.Fatal(err)
		}
		from, job := &prepared{j.frame, table}, learn.Job{Seed: 4}
		stages, err := begin(c.learner, from, j.target, job)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.learner.fit(t.Context(), from, j.target, job)
		if err != nil {
			t.Fatal(err)
		}
		for i, grown := range m.(*model.Ensemble).Trees {
			b, err := stages.sampler.sample(i)
			if err != nil {
				t.Fatal(err)
			}
			count := b.structure
			if c.learner.Honest > 0 {
				count = b.leaves
			}
			want, parent := make([]float64, grown.Len()), grown.Parents()
			for at, row := range stages.pop.Rows {
				for n := grown.Over(j.frame.Columns).LeafOf(row); n >= 0; n = parent[n] {
					want[n] += stages.weightAt(at) * float64(timesOf(count, at))
				}
			}
			got := grown.Covers()
			if !slices.EqualFunc(got, want,
				func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*b }) {
				t.Errorf("%s %v, tree %d: covers %v, want %v", c.learner.name, c.settings, i, got,
					want)
			}
			if whole := len(grown.Cover.Counts) > 0; whole != c.whole {
				t.Errorf("%s %v, tree %d: covers in bytes: %v", c.learner.name, c.settings, i,
					whole)
			}
		}
	}
}
