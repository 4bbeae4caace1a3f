package bag_test

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/bag"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/model"
)

// table has 4 columns of numbers and one of categories that explain a part of three classes.
func table(t testing.TB, rows int) *data.Dataset {
	t.Helper()
	r := rng.New(17, uint64(rows))
	s := data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"},
		{Name: "e", Kind: data.Categorical, Levels: []string{"u", "v", "w"}}}}
	columns := make([]data.Column, 5)
	for i := range 4 {
		columns[i] = data.Numbers(make([]float64, rows))
	}
	columns[4] = data.Codes(make([]uint32, rows))
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: data.Multiclass,
		Classes: []string{"p", "q", "r"}, Class: make([]uint32, rows)}}
	for row := range rows {
		for i := range 4 {
			columns[i].Numbers()[row] = float64(r.Intn(20))
		}
		columns[4].Codes()[row] = uint32(r.Intn(3))
		ds.Target.Class[row] = uint32(min(2,
			(int(columns[0].Number(row))+int(columns[1].Number(row))+5*int(columns[4].Code(row))+r.Intn(12))/18))
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Frame = f
	return ds
}

func made(t testing.TB, settings ...string) *bag.Learner {
	t.Helper()
	return learntest.Made(t, bag.New(catalog.Resolve), settings...)
}

func fit(ctx context.Context, l learn.Learner, ds *data.Dataset,
	job learn.Job) (model.Model, error) {
	return learntest.Fit(ctx, learn.Env{Workers: job.Workers}, l, ds, job)
}

func mustFit(t testing.TB, l learn.Learner, ds *data.Dataset, job learn.Job) model.Model {
	t.Helper()
	return learntest.MustFit(t, learn.Env{Workers: job.Workers}, l, ds, job)
}

func summary(t *testing.T, m model.Model) bag.Summary {
	t.Helper()
	return learntest.Summary[bag.Summary](t, m)
}

// TestMembersAreTheBaseOnSamples: a bag is what its base makes of each sample of the rows, with the
// seed of each member.
func TestMembersAreTheBaseOnSamples(t *testing.T) {
	ds := table(t, 120)
	for _, settings := range [][]string{{"base=c45", "base.confidence=0.1"},
		{"base.depth=3", "base.mtry=2"}, {"base=c45", "sample=subsample", "fraction=0.5",
			"strata=balanced"}} {
		l := made(t, append(settings, "members=5")...)
		got := mustFit(t, l, ds, learn.Job{Seed: 9}).(*model.Ensemble)
		s, err := sample.New(l.Sample,
			sample.Rows{N: 120, Class: ds.Target.Class, Classes: ds.Target.Classes})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			count := make([]uint32, 120)
			s.Sample(count, rng.Seed(9, 1, uint64(i)))
			var rows []int32
			for r, c := range count {
				for range c {
					rows = append(rows, int32(r))
				}
			}
			f, err := l.Base.Learner.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := f.Fit(t.Context(), &ds.Target,
				learn.Job{Rows: rows, Seed: rng.New(9, 3, uint64(i)).Uint64()})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Trees[i], m.(*model.Ensemble).Trees[0].Compact()) {
				t.Errorf("%v: member %d is another tree than the base grows", settings, i)
			}
			if covers := got.Trees[i].Covers(); covers[0] != float64(len(rows)) {
				t.Errorf("%v: member %d has the cover %v, of %d rows", settings, i, covers[0],
					len(rows))
			}
		}
		if s := summary(t, got); s.Rows != 120 || s.Members != 5 || s.Columns != 5 {
			t.Errorf("summary %+v", s)
		}
	}
}

// TestTreesAreAForest: trees are one ensemble, whose leaves keep their meaning; other members are a
// committee.
func TestTreesAreAForest(t *testing.T) {
	ds := table(t, 200)
	e := mustFit(t, made(t, "members=4"), ds, learn.Job{}).(*model.Ensemble)
	if len(e.Trees) != 4 || e.Weights != nil || e.Combine != model.Mean ||
		e.Meta.Learner != "bag" || summary(t, e).Criterion != "gini" {
		t.Errorf("%d trees, weights %v, %s, %+v", len(e.Trees), e.Weights, e.Meta.Learner,
			summary(t, e))
	}
	for _, settings := range [][]string{{"vote=majority"}, {"columns=0.5", "sample=none"},
		{"columns=0.5", "vote=majority"}} {
		e := mustFit(t, made(t, append(settings, "members=5")...), ds,
			learn.Job{}).(*model.Ensemble)
		if len(e.Trees) != 5 || e.Weights != nil {
			t.Errorf("%v: %d trees, weights %v", settings, len(e.Trees), e.Weights)
		}
		for i, v := range e.Trees[0].Leaf.Value {
			if settings[len(settings)-1] == "vote=majority" && v != 0 && v != 1 {
				t.Errorf("%v: value %d is %g, want a vote", settings, i, v)
			}
		}
	}
	c := mustFit(t, made(t, "members=4", "base=rules"), ds, learn.Job{}).(*committee.Committee)
	if len(c.Members) != 4 || c.Combine != committee.Mean ||
		c.Members[3].Spec().Learner != "rules" {
		t.Errorf("%d members, %s", len(c.Members), c.Combine)
	}
	c = mustFit(t, made(t, "members=3", "base=rules", "vote=majority"), ds,
		learn.Job{}).(*committee.Committee)
	if c.Combine != committee.Vote {
		t.Errorf("members are combined by %s", c.Combine)
	}
	both := mustFit(t, made(t, "members=3", "base=bag", "base.members=2"), ds,
		learn.Job{}).(*model.Ensemble)
	if len(both.Trees) != 6 || both.Weights != nil {
		t.Errorf("a bag of bags has %d trees, weights %v", len(both.Trees), both.Weights)
	}
}

// A label of numbers is averaged, whatever the parameter vote.
func TestNumbers(t *testing.T) {
	ds := table(t, 100)
	y := make([]float64, 100)
	for i := range y {
		y[i] = ds.Columns[0].Number(i) + 0.5
	}
	ds.Target = data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}
	e := mustFit(t, made(t, "members=10", "vote=majority"), ds, learn.Job{}).(*model.Ensemble)
	p, err := e.Bind(&ds.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 100)
	if err := p.Predict(got, ds.Frame, nil); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if d := got[i] - y[i]; d > 2 || d < -2 {
			t.Errorf("row %d: %g, want about %g", i, got[i], y[i])
		}
	}
}

// TestMembersStandAlone: member n does not depend on how many there are.
func TestMembersStandAlone(t *testing.T) {
	ds := table(t, 80)
	for _, settings := range [][]string{{"columns=0.4"},
		{"sample=none", "columns=0.4", "base=rules"}} {
		few := leaves(t, mustFit(t, made(t, append(settings, "members=3")...), ds,
			learn.Job{Seed: 4}), ds.Frame, 0)
		first := leaves(t, mustFit(t, made(t, append(settings, "members=6")...), ds,
			learn.Job{Seed: 4}), ds.Frame, 3)
		if !reflect.DeepEqual(few, first) {
			t.Errorf("%v: the first three members of six are others than three alone", settings)
		}
		if other := leaves(t, mustFit(t, made(t, append(settings, "members=3")...), ds,
			learn.Job{Seed: 5}), ds.Frame, 0); reflect.DeepEqual(few, other) {
			t.Errorf("%v: another seed gives the same members", settings)
		}
	}
}

// leaves predicts leaves by the first rounds members.
func leaves(t *testing.T, m model.Model, f *data.Frame, rounds int) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{Output: model.Leaf, Rounds: rounds})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	return dst
}

// spy is a base that records its jobs.
type spy struct {
	learn.Learner
	prepared atomic.Int64
	columns  []string // of the last Prepare
	jobs     []learn.Job
	weights  [][]float64
}

func (s *spy) Prepare(ctx context.Context, f data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	s.prepared.Add(1)
	s.columns = f.Outline().Schema.Names()
	fitter, err := s.Learner.Prepare(ctx, f, rows, weight, env)
	return &spyFitter{s, fitter}, err
}

type spyFitter struct {
	*spy
	learn.Fitter
}

func (s *spyFitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	s.jobs = append(s.jobs, job)
	s.weights = append(s.weights, t.Weight)
	return s.Fitter.Fit(ctx, t, job)
}

func spied(t *testing.T, settings ...string) (*bag.Learner, *spy) {
	t.Helper()
	l := made(t, settings...)
	s := &spy{Learner: l.Base.Learner}
	l.Base.Name, l.Base.Learner = "spy", s
	return l, s
}

// TestPreparedOnce: the base is prepared once for each choice of columns.
func TestPreparedOnce(t *testing.T) {
	ds := table(t, 60)
	l, s := spied(t, "members=30", "base.depth=1")
	m := mustFit(t, l, ds, learn.Job{Workers: 1})
	if n := s.prepared.Load(); n != 1 || len(s.jobs) != 30 {
		t.Errorf("prepared %d times for %d members on all columns", n, len(s.jobs))
	}
	if !strings.Contains(string(m.Spec().Params), `"base":"spy","base.criterion":"auto"`) {
		t.Errorf("parameters %s", m.Spec().Params)
	}
	l, s = spied(t, "members=30", "base.depth=1", "columns=0.8")
	mustFit(t, l, ds, learn.Job{Workers: 1})
	if n := s.prepared.Load(); n != 5 { // the sets of 4 of 5 columns
		t.Errorf("prepared %d times for 30 members on 4 of 5 columns", n)
	}
	if len(s.columns) != 4 {
		t.Errorf("the last was prepared on %v", s.columns)
	}
}

// TestRandomSubspaces: each member has its fraction of the columns, in their order, and all rows.
func TestRandomSubspaces(t *testing.T) {
	ds := table(t, 60)
	c := mustFit(t, made(t, "members=40", "base=rules", "columns=0.5", "sample=none"), ds,
		learn.Job{}).(*committee.Committee)
	seen := map[string]int{}
	for _, m := range c.Members {
		names := m.Spec().Schema.Names()
		if len(names) != 3 || !slices.IsSorted(names) {
			t.Fatalf("a member has columns %v", names)
		}
		for _, n := range names {
			seen[n]++
		}
	}
	for n, count := range seen { // 24 are expected, with standard deviation 3.1
		if count < 12 || count > 36 {
			t.Errorf("column %s is in %d members of 40", n, count)
		}
	}
	if s := summary(t, c); s.Columns != 3 || len(seen) != 5 {
		t.Errorf("%d columns, %d seen", s.Columns, len(seen))
	}
}

// TestConformance runs the suite of learners on bags of other bases and samples than the default's,
// which the catalog runs.
func TestConformance(t *testing.T) {
	variants := map[string][]string{
		"votes of rules on part of the columns": {"base=rules", "columns=0.5", "vote=majority"},
		"divided rows":                          {"base=c45", "sample=subsample"},
		"forests": {"base=forest", "base.trees=3", "columns=0.7",
			"sample=subsample"},
		"bags of id3": {"base=bag", "base.base=id3", "base.members=2"},
	}
	for i, name := range slices.Sorted(maps.Keys(variants)) {
		t.Run(name, func(t *testing.T) {
			learntest.Variant(t, i, func() learn.Learner {
				return made(t, append(variants[name], "members=4")...)
			})
		})
	}
}
