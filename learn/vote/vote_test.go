package vote_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
)

// table has two columns of numbers and one of categories, each of which explains a part of the
// label.
func table(rows int, task data.Task) *data.Dataset {
	return learntest.Mixed(rows, task, false, [3]string{"lab_a", "lab_b", "word"})
}

func made(t testing.TB, settings ...string) *vote.Learner {
	t.Helper()
	return learntest.Made(t, vote.New(catalog.Resolve), settings...)
}

func fit(t testing.TB, l learn.Learner, ds *data.Dataset, job learn.Job) (model.Model, error) {
	t.Helper()
	return learntest.Fit(t.Context(), catalog.Env(1), l, ds, job)
}

func mustFit(t testing.TB, l learn.Learner, ds *data.Dataset, job learn.Job) model.Model {
	t.Helper()
	return learntest.MustFit(t, catalog.Env(1), l, ds, job)
}

func TestConforms(t *testing.T) {
	tier.NotShort(t, "runs the suite of learners on three votes")
	trees := []string{"members=cart,many:forest", "members.cart.prune=none", "members.many.trees=5"}
	variants := map[string][]string{
		"majority":  {"vote=majority", "weights=many=2"},
		"ranks":     {"vote=ranks", "folds=3"},
		"resamples": {"resamples=4", "vote=ranks", "sample=subsample", "fraction=0.5"},
	}
	for i, name := range slices.Sorted(maps.Keys(variants)) {
		t.Run(name, func(t *testing.T) {
			learntest.Variant(t, i, func() learn.Learner {
				return made(t, slices.Concat(trees, variants[name])...)
			})
		})
	}
}

// The members' parameters are set by their names, and the model stores them all.
func TestMembersBySettings(t *testing.T) {
	l := made(t, "members.deep.depth=4", "members=deep:cart,flat:cart,bag", "members.flat.depth=1",
		"members.bag.base=c45", "members.bag.base.confidence=0.1", "members.bag.members=3")
	m := mustFit(t, l, table(300, data.Binary), learn.Job{Seed: 1})
	var reported map[string]any
	if err := json.Unmarshal(m.Spec().Params, &reported); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"members": "deep:cart,flat:cart,bag",
		"members.deep.depth": 4., "members.flat.depth": 1., "members.bag.base": "c45",
		"members.bag.base.confidence": 0.1} {
		if reported[key] != want {
			t.Errorf("%s is stored as %v, want %v", key, reported[key], want)
		}
	}
	again := vote.New(catalog.Resolve)
	if err := again.Params().UnmarshalJSON(m.Spec().Params); err != nil {
		t.Fatal(err)
	}
	if same := mustFit(t, again, table(300, data.Binary),
		learn.Job{Seed: 1}); !reflect.DeepEqual(same, m) {
		t.Error("the parameters that a model stores make another model")
	}
	for _, c := range []struct{ setting, want string }{
		{"members=cart,cart", `two members are called "cart": give them names, as in a:cart,b:cart`},
		{"members=crat", `unknown learner "crat": did you mean "cart"?`},
		{"members=a.b:cart", "a name has none of"},
		{"members=cart,,forest", "a member has no name"},
		{"members=@", "@ is followed by the name of a file"},
		{"members.forest.tress=3",
			`unknown parameter "members.forest.tress": did you mean "members.forest.trees"?`},
		{"weights=forest=0", `weight "0" of member`},
		{"columns=forest", `"forest" is not NAME=COLUMNS`},
		{"columns=forest=a,forest=b", `member "forest" has columns twice`},
		{"columns=forest=a+", "a column without a name"},
	} {
		if err := vote.New(catalog.Resolve).Params().Set([]string{c.setting}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.setting, err, c.want)
		}
	}
}

// Each member uses its source and no other column.
func TestSources(t *testing.T) {
	ds := table(400, data.Binary)
	l := made(t, "members=labs:cart,words:c45,all:cart,one:cart",
		"columns=labs=lab_*,words=categorical,one=numeric+word")
	m := mustFit(t, l, ds, learn.Job{})
	c, ok := m.(*committee.Committee)
	if !ok {
		if _, ok = m.(*model.Ensemble); !ok {
			t.Fatalf("a %T", m)
		}
		l.Vote = vote.VoteRanks // which is not flattened
		c = mustFit(t, l, ds, learn.Job{}).(*committee.Committee)
	}
	for i, want := range []string{"lab_a lab_b", "word", "lab_a lab_b word", "lab_a lab_b word"} {
		if got := strings.Join(c.Members[i].Spec().Schema.Names(), " "); got != want {
			t.Errorf("member %d uses %s, want %s", i, got, want)
		}
	}
	for _, bad := range []struct{ columns, want string }{
		{"labs=lab_c", `columns: there is no column "lab_c": did you mean "lab_a"?`},
		{"labs=*xyz*", `columns: there is no column "*xyz*" among the 3 features`},
		{"lbs=lab_a", `columns: there is no member "lbs": did you mean "labs"?`},
	} {
		l.Columns = bad.columns
		if _, err := fit(t, l, ds, learn.Job{}); err == nil || err.Error() != bad.want {
			t.Errorf("error %v, want %s", err, bad.want)
		}
	}
}

// count is a learner that records the rows of its fits.
type count struct {
	learn.Learner
	seen *[][]int32
}

func (c count) Prepare(ctx context.Context, f data.Features, rows []int32, w []float64,
	env learn.Env) (learn.Fitter, error) {
	inner, err := c.Learner.Prepare(ctx, f, rows, w, env)
	return counting{inner, c.seen}, err
}

type counting struct {
	learn.Fitter
	seen *[][]int32
}

func (c counting) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	if ctx.Err() == nil { // no question whether it can do the task
		*c.seen = append(*c.seen, job.Rows)
	}
	return c.Fitter.Fit(ctx, t, job)
}

// The subsets of a partition have no row and no group in common, and have all rows; resamples
// overlap.
func TestSubsets(t *testing.T) {
	ds := table(120, data.Regression)
	for i := range 120 {
		ds.Target.Group = append(ds.Target.Group, int64(i/4))
	}
	for _, c := range []struct {
		set      func(l *vote.Learner)
		disjoint bool
	}{{func(l *vote.Learner) { l.Partition = 5 }, true},
		{func(l *vote.Learner) { l.Resamples = 5 }, false}} {
		var seen [][]int32
		cart, err := catalog.New("cart")
		if err != nil {
			t.Fatal(err)
		}
		l := vote.New(nil)
		l.Members.List = []learn.Member{{Name: "mine",
			Learner: learn.Choice{Name: "mine", Learner: count{cart, &seen}}}}
		c.set(l)
		m := mustFit(t, l, ds, learn.Job{Workers: 1})
		if e, ok := m.(*model.Ensemble); !ok || len(e.Trees) != 5 {
			t.Errorf("a %T", m)
		}
		rows, group, shared := map[int32]bool{}, map[int64]int{}, 0
		for part, fitted := range seen {
			for _, r := range data.Distinct(fitted) {
				if rows[r] {
					shared++
				}
				rows[r] = true
				if was, ok := group[ds.Target.Group[r]]; ok && was != part && c.disjoint {
					t.Fatalf("group %d is torn", ds.Target.Group[r])
				}
				group[ds.Target.Group[r]] = part
			}
		}
		if len(seen) != 5 || c.disjoint && (shared > 0 || len(rows) != 120) || !c.disjoint &&
			shared < 60 {
			t.Errorf("%d fits, %d rows, %d of them shared", len(seen), len(rows), shared)
		}
	}
}

// The scales of ranks are made of rows that members have not seen: one that memorises is not
// surer for it.
func TestRanksOfHoldOut(t *testing.T) {
	ds := table(300, data.Binary)
	l := made(t, "members=cart", "members.cart.prune=none", "members.cart.min_leaf=1", "vote=ranks")
	c := mustFit(t, l, ds, learn.Job{}).(*committee.Committee)
	_, own, err := fitting.PredictRows(c.Members[0], ds.Frame, data.AllRows(300), model.Response,
		1)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0.0
	for i, v := range own {
		if i%2 == 1 {
			wrong += math.Abs(v - float64(ds.Target.Class[i/2]))
		}
	}
	if wrong > 1e-9 {
		t.Fatalf("the tree does not memorise its rows: %g", wrong)
	}
	in := committee.NewScale(own, 1024)
	if reflect.DeepEqual(in, c.Scales[0]) || c.Scales[0].Rank[0] == in.Rank[0] {
		t.Errorf("scale %v is that of the rows trained on", c.Scales[0])
	}
	var found vote.Summary
	if err := json.Unmarshal(c.Meta.Summary, &found); err != nil || found.HoldOut != 300 ||
		found.Rows != 300 {
		t.Errorf("summary %+v, %v", found, err)
	}
}

// The predictions that scales of ranks are made of are reported as out-of-fold: once
// for each row and member, by the models that have not seen the row.
func TestRanksReportHoldOut(t *testing.T) {
	ds := table(90, data.Binary)
	for _, c := range []struct {
		settings []string
		rows     [2]int // at least, at most
	}{
		{nil, [2]int{90, 90}},
		{[]string{"partition=3"}, [2]int{90, 90}},
		{[]string{"resamples=2", "sample=subsample", "fraction=0.9"}, [2]int{10, 18}},
	} {
		l := made(t, append([]string{"members=full:cart,knn", "members.full.prune=none",
			"vote=ranks"}, c.settings...)...)
		var reported []string
		mustFit(t, l, ds, learn.Job{HoldOut: func(what string, h *learn.HoldOut) error {
			reported = append(reported, what)
			if n := len(h.Rows); n < c.rows[0] || n > c.rows[1] ||
				len(data.Distinct(h.Rows)) != n || h.Width != 2 || len(h.Values) != 2*n {
				t.Errorf("%v: %s: %d rows, %d values", c.settings, what, n, len(h.Values))
			}
			wrong := 0.0
			for i, row := range h.Rows {
				wrong += math.Abs(h.Values[2*i+1] - float64(ds.Target.Class[row]))
			}
			if wrong == 0 {
				t.Errorf("%v: %s: the labels were known", c.settings, what)
			}
			return nil
		}})
		if !slices.Equal(reported, []string{"member full", "member knn"}) {
			t.Errorf("%v: reported %q", c.settings, reported)
		}
	}
}

func TestModelsMustFit(t *testing.T) {
	ds, other := table(60, data.Binary), table(60, data.Binary)
	other.Target.Classes = []string{"n", "y"}
	l := vote.New(catalog.Resolve)
	l.Members.List = []learn.Member{{Name: "old", Model: mustFit(t, made(t, "members=cart"), other,
		learn.Job{})}}
	if _, err := fit(t, l, ds, learn.Job{}); err == nil ||
		err.Error() != `member old: the model predicts binary, classes ["n" "y"], the label is binary, classes ["no" "yes"]` {
		t.Errorf("error %v", err)
	}
	other.Target.Classes = ds.Target.Classes
	other.Frame.Schema.Fields[1].Name = "weight"
	l.Members.List[0].Model = mustFit(t, made(t, "members=cart"), other, learn.Job{})
	var missing *model.MissingColumnError
	if _, err := fit(t, l, ds, learn.Job{}); !errors.As(err, &missing) ||
		missing.Column != "weight" {
		t.Errorf("error %v", err)
	}
	l.Members.List = []learn.Member{{Name: "old", File: "old.coppice"}}
	if _, err := fit(t, l, ds, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), `nothing to read the model "old.coppice" with`) {
		t.Errorf("error %v", err)
	}
}

func TestExcludes(t *testing.T) {
	for want, settings := range map[string][]string{
		"partition does not go with resamples":                   {"partition=2", "resamples=2"},
		"fraction controls how rows are sampled":                 {"fraction=0.5"},
		`weights: there is no member "gmb": did you mean "gbm"?`: {"weights=gmb=2"},
	} {
		if err := made(t, settings...).Capabilities().Conflicts; err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %s", settings, err, want)
		}
	}
}
