package gbm_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// categoriesModes are all values of the parameter categories.
var categoriesModes = []string{"auto", "native", "target", "both", "ordinal"}

// unequal is a table of ten categories of unequal weight whose means do not depend on the weights.
// names are those of the categories, of which the last has no row.
type unequal struct {
	code   []uint32
	y      []float64
	weight []float64 // nil: all 1
}

func newUnequal(s *rng.Stream) unequal {
	var u unequal
	counts := s.Perm(10)
	weighted := s.Intn(2) == 0
	for c := range uint32(10) {
		mean := 10 * s.Float64()
		for range 1 + int(counts[c])*(1+9*s.Intn(2)) {
			u.code, u.y = append(u.code, c), append(u.y, mean+s.Float64()/4)
			if weighted {
				u.weight = append(u.weight, 0.1+s.Float64())
			}
		}
	}
	return u
}

// dataset returns the table with names for its categories, and one more that no row has.
func (u *unequal) dataset(t testing.TB, names []string) *data.Dataset {
	t.Helper()
	levels := slices.Sorted(slices.Values(names))
	code := data.Codes(make([]uint32, len(u.code)))
	for i, c := range u.code {
		code.Codes()[i] = uint32(slices.Index(levels, names[c]))
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical,
		Levels: levels}}}, []data.Column{code})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{u.y}, Weight: u.weight}}
}

// namesOf returns names for eleven categories in a random order.
func namesOf(s *rng.Stream) []string {
	names := make([]string, 11)
	for i, at := range s.Perm(len(names)) {
		names[i] = fmt.Sprintf("%c", 'a'+at)
	}
	return names
}

// predictNew returns the predictions for a category outside the dictionary, for one that is in the
// dictionary but had no row, and for a missing one.
func predictNew(t testing.TB, m model.Model, ds *data.Dataset, names []string) []float64 {
	t.Helper()
	absent := uint32(slices.Index(ds.Frame.Schema.Fields[0].Levels, names[10]))
	f, err := data.NewFrame(ds.Frame.Schema,
		[]data.Column{data.Codes([]uint32{data.UnseenCode, absent, data.MissingCode})})
	if err != nil {
		t.Fatal(err)
	}
	return predict(t, m, f, nil, model.Raw)
}

// TestNewCategoriesGoToTheHeavierSide: in a tree of one split, a value that training had not gets
// the value of the side of larger weight, whatever the categories are called. Where the split is of
// a number that is derived of the category, it is on the side of the number that new categories
// have.
func TestNewCategoriesGoToTheHeavierSide(t *testing.T) {
	tables, derived := tier.Count(20, 50, 200), 0
	ways := []string{"growth=leaf", "growth=symmetric", "one_hot=20"}
	for seed := range uint64(tables) {
		s := rng.New(seed, 85)
		u := newUnequal(s)
		for _, mode := range categoriesModes {
			way := ways[s.Intn(len(ways))]
			var before []float64
			for range 2 {
				names := namesOf(s)
				ds := u.dataset(t, names)
				m := fit(t, ds, learn.Job{Seed: seed, Workers: 1}, "trees=1", "depth=1",
					"learning_rate=1", "categories="+mode, way)
				got := predictNew(t, m, ds, names)
				want := u.heavier(t, m, ds)
				switch {
				case m.Trees[0].Len() > 1 && m.Trees[0].Feature(0) > 0:
					want = u.ofDerived(m)
					derived++
				case math.IsNaN(want):
					want = got[0] // a hash has chosen, for all that is new
				}
				if !slices.Equal(got, []float64{want, want, want}) {
					t.Fatalf("table %d, categories=%s %s: new values have %v, want %v of %v", seed, mode,
						way, got, want, m.Trees[0].Leaf.Value)
				}
				if before != nil && mode != "ordinal" && !slices.Equal(got, before) {
					t.Fatalf("table %d, categories=%s %s: %v, with other names %v", seed, mode, way, got,
						before)
				}
				before = got
			}
		}
	}
	if derived < 2*tables {
		t.Errorf("%d splits of derived columns", derived)
	}
}

// heavier returns the prediction that training rows of the larger weight have, NaN if both sides
// have the same: then the means are equally far from the root's too.
func (u *unequal) heavier(t testing.TB, m model.Model, ds *data.Dataset) float64 {
	weight := map[float64]float64{}
	for i, v := range predict(t, m, ds.Frame, nil, model.Raw) {
		weight[v] += ds.Target.WeightAt(int32(i))
	}
	best, most := math.NaN(), 0.0
	for v, w := range weight {
		switch {
		case w > most:
			best, most = v, w
		case w == most:
			best = math.NaN()
		}
	}
	return best
}

// ofDerived returns the prediction of a tree of one split by a derived column for what a new
// category has there: the statistic, or the count, of the category of the middle row. Fewer than 20
// rows are alone with their category.
func (u *unequal) ofDerived(m *model.Ensemble) float64 {
	type category struct{ weight, sum, value float64 }
	tr, all := m.Trees[0], 0.0
	of := make([]category, 10)
	for i, c := range u.code {
		w := 1.0
		if u.weight != nil {
			w = u.weight[i]
		}
		of[c].weight += w
		of[c].sum += w * u.y[i]
		all += w
	}
	column := &m.Inputs.Columns[tr.Feature(0)-1]
	for c := range of {
		of[c].value = column.Value(of[c].weight, of[c].sum)
	}
	slices.SortFunc(of, func(a, b category) int { return cmp.Compare(a.value, b.value) })
	x := 0.0
	for before := 0.0; 2*before < all; of = of[1:] {
		x = of[0].value
		before += of[0].weight
	}
	next := tr.Child(0)
	if x > tr.SplitPoint(0) {
		next++
	}
	return m.Bias[0] + tr.Value(next)[0]
}

// TestNewCategoriesAreInTheMass: with many trees, a new category is mostly between the quartiles of
// what training rows get. With sets and statistics together it is a little less often, as the two
// rules need not agree.
func TestNewCategoriesAreInTheMass(t *testing.T) {
	tier.NotShort(t, "trains on two hundred tables")
	const tables = 60
	for _, mode := range categoriesModes {
		within := 0
		for seed := range uint64(tables) {
			s := rng.New(seed, 86)
			u := newUnequal(s)
			names := namesOf(s)
			ds := u.dataset(t, names)
			m := fit(t, ds, learn.Job{Seed: seed, Workers: 1}, "trees=30", "categories="+mode)
			rows := predict(t, m, ds.Frame, nil, model.Raw)
			slices.Sort(rows)
			v := predictNew(t, m, ds, names)[0]
			if n := len(rows); rows[n/4] <= v && v <= rows[n-1-n/4] {
				within++
			}
		}
		t.Logf("categories=%s: between the quartiles in %d of %d tables", mode, within, tables)
		least := 0.8
		if mode == "both" {
			least = 0.7
		}
		if float64(within) < least*tables {
			t.Errorf("categories=%s: between the quartiles in %d of %d tables only", mode, within, tables)
		}
	}
}
