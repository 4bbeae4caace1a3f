package boost

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
)

// weights returns a value of class_weight.
func weights(text string) data.ClassWeight {
	w, _ := weighting.ReadClassWeight(text)
	return w
}

// A row that is trained on n times weighs n times as much, and class_weight multiplies the weights
// of both sets, by the classes of the training set as often as these are there. Classes that are
// weighed already are not weighed again.
func TestWeightsOfASetup(t *testing.T) {
	given := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	class := []uint32{0, 1, 2, 0, 1, 2, 0, 0, 1, 1}
	for _, c := range []struct {
		what, classWeight string
		rows              []int32
		weighed           bool
		factor            []float64 // by class
	}{
		{"once", "", []int32{0, 1, 2, 3, 4}, false, []float64{1, 1, 1}},
		{"twice", "", []int32{0, 1, 1, 2, 3, 3, 3, 4}, false, []float64{1, 1, 1}},
		{"named", "a=3,c=0.5", []int32{0, 1, 2, 3, 4}, false, []float64{3, 1, 0.5}},
		{"balanced", "balanced", []int32{0, 0, 0, 1, 2, 2}, false, []float64{6. / 9, 6. / 3, 6. / 6}},
		{"weighed before", "balanced", []int32{0, 0, 1, 2}, true, []float64{1, 1, 1}},
	} {
		target := data.Target{Name: "y", Task: data.Multiclass, Class: class, Classes: []string{"a", "b", "c"},
			Weight: given}
		ds := &data.Dataset{Frame: classesTable(t, 10).Frame, Target: target}
		valid := []int32{5, 6, 8}
		b := begun(t, ds, learn.Job{Workers: 1, Rows: c.rows, Valid: valid}, func(o *Config) {
			o.Trees = 1
			if !c.weighed {
				o.ClassWeight = weights(c.classWeight)
			}
		})
		got := b.setup.Target
		if c.weighed {
			b.setup.Config.ClassWeight = weights(c.classWeight)
			var err error
			if got, err = b.setup.weighed(&ds.Target, c.rows, true); err != nil {
				t.Fatal(err)
			}
		}
		distinct := slices.Compact(slices.Clone(c.rows))
		if !slices.Equal(b.setup.Rows, distinct) || !slices.Equal(b.setup.Valid, valid) {
			t.Errorf("%s: rows %v, valid %v", c.what, b.setup.Rows, b.setup.Valid)
		}
		for _, r := range slices.Concat(distinct, valid) {
			want := given[r] * c.factor[class[r]]
			if !slices.Contains(valid, r) {
				n := 0
				for _, other := range c.rows {
					if other == r {
						n++
					}
				}
				want *= float64(n)
			}
			if math.Abs(got.WeightAt(r)-want) > 1e-12 {
				t.Errorf("%s: row %d weighs %v, want %v", c.what, r, got.WeightAt(r), want)
			}
		}
		for i, w := range b.setup.weights() {
			if w != b.setup.Target.WeightAt(distinct[i]) {
				t.Errorf("%s: position %d weighs %v", c.what, i, w)
			}
		}
		if &target.Weight[0] != &given[0] || given[0] != 1 || given[5] != 6 {
			t.Fatalf("%s: the caller's weights have changed: %v", c.what, given)
		}
	}
}

// Whatever is wrong with labels, weights, rows or start values is returned before the first round.
func TestTablesThatCannotBegin(t *testing.T) {
	counts := func(t *data.Target) {
		for i := range t.Y[0] {
			t.Y[0][i] = float64(i % 3)
		}
	}
	for want, c := range map[string]struct {
		classes  bool
		prepared []int32
		job      learn.Job
		target   func(t *data.Target)
		config   func(c *Config)
	}{
		"class_weight: ": {classes: true, config: func(c *Config) { c.ClassWeight = weights("z=2") }},
		"class_weight does not fit a regression label": {config: func(c *Config) { c.ClassWeight = weights("balanced") }},
		"row 12 to train on was not prepared":          {prepared: data.AllRows(10), job: learn.Job{Rows: []int32{3, 12}}},
		"validation set: ": {job: learn.Job{Rows: data.AllRows(20), Valid: []int32{21, 22}},
			target: func(t *data.Target) { counts(t); t.Y[0][21] = -1 }, config: func(c *Config) { c.Loss.Name = "poisson" }},
		"loss=poisson needs labels of 0 or more": {target: func(t *data.Target) { t.Y[0][3] = -1 }, config: func(c *Config) { c.Loss.Name = "poisson" }},
		"3 initial scores for 40 rows":           {target: func(t *data.Target) { t.Offset = []float64{1, 2, 3} }},
		"base_score": {target: func(t *data.Target) { t.Offset = make([]float64, 40) },
			config: func(c *Config) { c.BaseScore = "1" }},
		"valid_fraction": {config: func(c *Config) { c.ValidFraction = 0.5 },
			target: func(t *data.Target) { t.Group = make([]int64, 40) }},
		"boosting=ordered does not go": {config: func(c *Config) { c.Permutations = 1 },
			target: func(t *data.Target) {
				counts(t)
				t.Task, t.Group, t.Weight = data.Ranking, make([]int64, 40), nil
			}},
		"row 4: the label 1e+200 is too large": {target: func(t *data.Target) { t.Y[0][3] = 1e200 }},
	} {
		ds := orderedTable(t, 40)
		if c.classes {
			ds = classesTable(t, 40)
		}
		if c.target != nil {
			c.target(&ds.Target)
		}
		c.job.Workers = 1
		b, err := beginOn(t, ds, c.prepared, learn.Env{Workers: 1}, c.job, func(o *Config) {
			if o.Trees = 1; c.config != nil {
				c.config(o)
			}
		})
		if b != nil && c.target == nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
