package bag_test

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree"
)

// TestImpurity: a member's decreases of impurity are those of its own columns, as its base's
// tree stores them.
func TestImpurity(t *testing.T) {
	ds := table(t, 120)
	for _, settings := range [][]string{nil, {"columns=0.4"}, {"columns=0.4", "vote=majority"}} {
		m := mustFit(t, made(t, append(settings, "members=1", "sample=none")...), ds,
			learn.Job{Seed: 3})
		columns := []int{0, 1, 2, 3, 4}
		if settings != nil {
			columns = nil
			for c := range 5 {
				if slices.Contains(looked(m), int32(c)) {
					columns = append(columns, c)
				}
			}
			if len(columns) != 2 {
				t.Fatalf("%v: the tree looks at columns %v", settings, columns)
			}
		}
		l := cart.New()
		l.Prune = "none"
		part := &data.Dataset{Frame: ds.Select(columns), Target: ds.Target}
		single := mustFit(t, l, part, learn.Job{}).(*model.Ensemble).Trees[0]
		want := make([]float64, 5)
		for f, g := range tree.Gains(single, len(columns)) {
			want[columns[f]] = g
		}
		found := summary(t, m).Importances
		if len(found) != 1 || found[0].Kind != training.Impurity || len(found[0].Columns) != 5 {
			t.Fatalf("%v: reported %+v", settings, found)
		}
		sum := 0.0
		for c, i := range found[0].Columns {
			sum += i.Fraction
			if i.Column != ds.Schema.Fields[c].Name || i.Value != want[c] {
				t.Errorf("%v: column %s has %g, want %g", settings, i.Column, i.Value, want[c])
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%v: importances add up to %g", settings, sum)
		}
	}
	if found := summary(t, mustFit(t, made(t, "members=2", "base=rules"), ds,
		learn.Job{})).Importances; found != nil {
		t.Errorf("rules have impurity importances %+v", found)
	}
}

// looked returns the columns that the trees of a model look at.
func looked(m model.Model) []int32 {
	var all []int32
	for _, t := range m.(*model.Ensemble).Trees {
		for n := range int32(t.Len()) {
			all = append(all, t.Looks(n)...)
		}
	}
	return all
}

// TestPermutation: the values of a column, or of a group, are permuted among the rows out of a
// member's bag. The importance is the rise of the member's error, by its labels and by costs where
// it has them.
func TestPermutation(t *testing.T) {
	ds := table(t, 150)
	costs := `base.costs={"classes":["p","q","r"],"cost":[[0,1,1],[9,0,1],[1,1,0]]}`
	for _, settings := range [][]string{
		{"base=rules", "vote=probability"}, {"base=rules", "vote=majority"},
		{"base=cart", "base.min_leaf=15", costs, "vote=probability"},
		{"base=cart", "base.min_leaf=15", costs, "vote=majority"},
	} {
		l := made(t, append(settings, "members=1", "importance=permutation",
			"importance_groups=e+a,c+d")...)
		m := mustFit(t, l, ds, learn.Job{Seed: 8})
		s, err := sample.New(l.Sample, sample.Rows{N: 150})
		if err != nil {
			t.Fatal(err)
		}
		count := make([]uint32, 150)
		s.Sample(count, rng.Seed(8, 1, 0))
		var out []int32
		for r, c := range count {
			if c == 0 {
				out = append(out, int32(r))
			}
		}
		p, err := m.Bind(&ds.Schema, model.Options{Output: model.Label})
		if err != nil {
			t.Fatal(err)
		}
		// wrong is the error rate when the columns are permuted by a unit's stream.
		wrong := func(unit int, columns ...int) float64 {
			order := slices.Clone(out)
			rng.New(8, 4, 0, uint64(unit)).Shuffle(len(order),
				func(i, k int) { order[i], order[k] = order[k], order[i] })
			f := ds.Subset(data.AllRows(150))
			for _, c := range columns {
				for i, r := range out {
					if from := order[i]; c == 4 {
						f.Columns[c].Codes()[r] = ds.Columns[c].Code(int(from))
					} else {
						f.Columns[c].Numbers()[r] = ds.Columns[c].Number(int(from))
					}
				}
			}
			labels := make([]float64, len(out))
			if err := p.Predict(labels, f, out); err != nil {
				t.Fatal(err)
			}
			n := 0.0
			for i, r := range out {
				if uint32(labels[i]) != ds.Target.Class[r] {
					n++
				}
			}
			return n / float64(len(out))
		}
		found := summary(t, m).Importances
		found = found[max(0, len(found)-1):] // trees report impurity first
		if len(found) != 1 || found[0].Kind != training.Permutation || len(found[0].Columns) != 7 {
			t.Fatalf("%s: reported %+v", settings, found)
		}
		for unit, columns := range [][]int{{0}, {1}, {2}, {3}, {4}, {0, 4}, {2, 3}} {
			i := found[0].Columns[unit]
			if want := wrong(unit, columns...) - wrong(unit); math.Abs(i.Value-want) > 1e-12 {
				t.Errorf("%s: %s%v has %g, want %g", settings, i.Column, i.Group, i.Value, want)
			}
		}
		if g := found[0].Columns[5].Group; !slices.Equal(g, []string{"e", "a"}) ||
			!slices.ContainsFunc(found[0].Columns,
				func(i training.Importance) bool { return i.Value > 0.05 }) {
			t.Errorf("%s: reported %+v", settings, found[0].Columns)
		}
	}
}

// What a member does not see, or does not look at, has no importance; the order of workers has no
// part in it.
func TestPermutationOfPart(t *testing.T) {
	ds := table(t, 100)
	for _, base := range []string{"base=rules", "base.depth=1"} {
		m := mustFit(t, made(t, "members=1", "columns=0.2", base, "importance=permutation"), ds,
			learn.Job{Seed: 1})
		some := 0
		for _, i := range summary(t, m).Importances[len(summary(t, m).Importances)-1].Columns {
			if i.Value != 0 {
				some++
			}
		}
		if some > 1 {
			t.Errorf("%s: %d columns have an effect on a member of one", base, some)
		}
	}
	for want, settings := range map[string][]string{
		"importance=permutation needs out-of-bag rows": {"sample=none",
			"importance=permutation"},
		"importance_groups are columns that importance=pe":  {"importance_groups=a+b"},
		`importance_groups: there is no column "f"`:         {"importance_groups=a+f"},
		`importance_groups: column "a" is twice in a group`: {"importance_groups=a+a"},
	} {
		if _, err := fit(t.Context(), made(t, settings...), ds, learn.Job{}); err == nil ||
			len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%v: error %v, want %s", settings, err, want)
		}
	}
}
