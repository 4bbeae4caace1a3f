package bag_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/bag"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/model"
)

// TestRows: rows outside the job and of weight 0 are not sampled; repeated rows are sampled more
// often; all of a group or none.
func TestRows(t *testing.T) {
	ds := table(t, 30)
	ds.Target.Weight = make([]float64, 30)
	for i := range ds.Target.Weight {
		ds.Target.Weight[i] = float64(i % 3)
	}
	rows := []int32{1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6}
	l, s := spied(t, "members=200", "base.depth=1")
	m := mustFit(t, l, ds, learn.Job{Rows: rows, Workers: 1})
	sampled := map[int32]int{}
	for _, j := range s.jobs {
		if len(j.Rows) != 11 {
			t.Fatalf("rows %v", j.Rows)
		}
		for _, r := range j.Rows {
			sampled[r]++
		}
	}
	// 1600 and 600 of 2200
	if len(sampled) != 4 || sampled[1] < 1400 || sampled[2]+sampled[4]+sampled[5] < 400 {
		t.Errorf("sampled %v", sampled)
	}
	if summary(t, m).Rows != 11 || s.weights[0] == nil {
		t.Errorf("%d rows, weights %v", summary(t, m).Rows, s.weights[0])
	}
	l, s = spied(t, "members=50", "base.depth=1", "weighted_sampling=true")
	mustFit(t, l, ds, learn.Job{Workers: 1})
	sampled = map[int32]int{}
	for i, j := range s.jobs {
		for _, r := range j.Rows {
			sampled[r%3]++
		}
		if s.weights[i] != nil {
			t.Fatal("rows that are sampled by weight are weighed again")
		}
	}
	if sampled[0] != 0 || sampled[1] > 400 || sampled[2] < 600 { // 333 and 667
		t.Errorf("sampled by weight %v", sampled)
	}
	ds.Target.Weight = nil
	ds.Target.Group = make([]int64, 30)
	for i := range ds.Target.Group {
		ds.Target.Group[i] = int64(i / 10)
	}
	l, s = spied(t, "members=20", "base.depth=1", "grouped_sampling=true")
	mustFit(t, l, ds, learn.Job{Workers: 1})
	for _, j := range s.jobs {
		if len(j.Rows) != 30 {
			t.Errorf("rows %v of groups of 10", j.Rows)
		}
		count := map[int32]int{}
		for _, r := range j.Rows {
			count[r/10]++
		}
		for g, n := range count {
			if n%10 != 0 {
				t.Errorf("group %d has %d rows", g, n)
			}
		}
	}
}

// The validation set and the folds of a job reaches every member.
func TestJobReachesTheBase(t *testing.T) {
	ds := table(t, 60)
	plan := &split.Plan{K: 3}
	l, s := spied(t, "members=3", "base.prune=validation")
	mustFit(t, l, ds, learn.Job{Rows: data.AllRows(40), Valid: []int32{41, 42}, Plan: plan,
		Workers: 1})
	for _, j := range s.jobs {
		if !reflect.DeepEqual(j.Valid, []int32{41, 42}) || j.Plan != plan {
			t.Errorf("job %+v", j)
		}
	}
}

// TestCancelled: the members so far, in their order, are a model.
func TestCancelled(t *testing.T) {
	ds := table(t, 100)
	whole := mustFit(t, made(t, "members=20", "columns=0.6"), ds, learn.Job{Seed: 2})
	stop := errors.New("enough")
	ctx, cancel := context.WithCancel(t.Context())
	for _, c := range []struct {
		ctx   context.Context
		after func() error
		want  error
	}{
		{t.Context(), func() error { return stop }, stop},
		{ctx, func() error { cancel(); return nil }, context.Canceled},
	} {
		m, err := fit(c.ctx, made(t, "members=20", "columns=0.6"), ds,
			learn.Job{Seed: 2, Workers: 3, Observe: func(r learn.Round) error {
				if r.Of != 20 || r.Stage != "grow" {
					t.Errorf("round %+v", r)
				}
				if r.N == 6 {
					return c.after()
				}
				return nil
			}})
		if !errors.Is(err, c.want) || m == nil {
			t.Fatalf("model %v, error %v, want %v", m, err, c.want)
		}
		n := summary(t, m).Members
		if n < 6 || c.want == stop && n != 6 || summary(t, m).OutOfBag.Members != n {
			t.Errorf("%v: %d members", c.want, n)
		}
		if d := cmp.Diff(leaves(t, whole, ds.Frame, n), leaves(t, m, ds.Frame, 0)); d != "" {
			t.Errorf("%v: other members than those of the whole bag", c.want)
		}
	}
}

// Costs of the base decide: of the mean by the bag, in a vote by each member.
func TestCosts(t *testing.T) {
	ds := table(t, 90)
	costs := `base.costs={"classes":["p","q","r"],"cost":[[0,1,1],[9,0,1],[1,1,0]]}`
	var reported *learn.HoldOut
	m := mustFit(t, made(t, "members=30", costs), ds,
		learn.Job{OutOfBag: func(o *learn.HoldOut) error {
			reported = o
			return nil
		}})
	d := m.Spec().Decision
	if d.Costs.Of(1, 0) != 9 {
		t.Errorf("costs %v", d.Costs)
	}
	wrong, cost, other := 0.0, 0.0, 0
	for i, row := range reported.Rows {
		probabilities := reported.Values[i*reported.Width : (i+1)*reported.Width]
		label, class := d.Label(probabilities), int(ds.Target.Class[row])
		if label != class {
			wrong++
		}
		if label != model.ArgMax(probabilities) {
			other++
		}
		cost += d.Costs.Of(class, label)
	}
	n := float64(len(reported.Rows))
	if o := summary(t, m).OutOfBag; o.Never != 0 || other == 0 ||
		math.Abs(*o.Error-wrong/n) > 1e-12 || math.Abs(*o.Cost-cost/n) > 1e-12 {
		t.Errorf("out of the bag %+v, want error %g and cost %g; %d labels by costs", o, wrong/n,
			cost/n, other)
	}
	m = mustFit(t, made(t, "members=3", "vote=majority", costs), ds, learn.Job{})
	if m.Spec().Decision.Costs != nil {
		t.Errorf("votes are decided by costs %v", m.Spec().Decision.Costs)
	}
}

func TestRefused(t *testing.T) {
	for set, want := range map[string]string{
		"members=0":           "members=0: want an integer >= 1",
		"base=forrest":        `base=forrest: unknown learner "forrest": did you mean "forest"?`,
		"base.dept=3":         `unknown parameter "base.dept": did you mean "base.depth"?`,
		"base.confidence=0.1": `unknown parameter "base.confidence"`,
		"columns=0":           "columns=0: want a number > 0",
		"vote=mean":           "vote=mean: want probability or majority",
		"sample=boostrap":     `did you mean "bootstrap"?`,
		"confidence=0.1":      `unknown parameter "confidence"`,
	} {
		if err := bag.New(catalog.Resolve).Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", set, err, want)
		}
	}
	ds := table(t, 20)
	for want, settings := range map[string][]string{
		"grouped_sampling needs a group column":   {"grouped_sampling=true"},
		"weighted_sampling needs a weight column": {"weighted_sampling=true"},
		"sample=none takes every row once":        {"sample=none", "fraction=0.5"},
		`column "a": id3 cannot split numbers`:    {"base=id3", "columns=0.9"},
		"prune=validation needs a validation set": {"base.prune=validation"},
	} {
		if m, err := fit(t.Context(), made(t, settings...), ds, learn.Job{}); err == nil ||
			m != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: model %v, error %v, want %s", settings, m, err, want)
		}
	}
	if _, err := (&bag.Learner{}).Prepare(t.Context(), ds.Frame, nil, nil,
		learn.Env{}); err == nil {
		t.Error("a learner without parameters prepares")
	}
	ds.Target.Weight = slices.Repeat([]float64{2}, 20)
	twice := "weighted_sampling of a member finds no weights: bag samples rows by weight already " +
		"(weighted_sampling), and each sampled row counts once: set one of the two to false"
	if _, err := fit(t.Context(), made(t, "base=forest", "weighted_sampling=true",
		"base.weighted_sampling=true"), ds, learn.Job{}); err == nil || err.Error() != twice {
		t.Errorf("error %v, want %s", err, twice)
	}
	nobody := bag.New(nil)
	if _, err := nobody.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{}); err == nil ||
		!strings.Contains(err.Error(), `find the learner "cart"`) {
		t.Errorf("error %v", err)
	}
	if _, err := nobody.Prepare(t.Context(), ds.Frame, nil, nil, catalog.Env(1)); err != nil {
		t.Error(err)
	}
	ds.Target.Weight = make([]float64, 20)
	if _, err := fit(t.Context(), made(t), ds, learn.Job{}); !errors.Is(err, grow.ErrNoWeight) {
		t.Errorf("error %v", err)
	}
	ds.Target = data.Target{}
	var wrong *learn.TaskError
	if _, err := fit(t.Context(), made(t), ds, learn.Job{}); !errors.As(err, &wrong) ||
		wrong.Task != data.Auto {
		t.Errorf("error %v", err)
	}
}

// What is done to the learner after Prepare does not matter to the fitter.
func TestPreparedIsFixed(t *testing.T) {
	ds := table(t, 60)
	l := made(t, "members=4", "columns=0.6", "base=c45")
	f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Fit(t.Context(), &ds.Target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Params().Set([]string{"base.depth=1", "members=2"}); err != nil {
		t.Fatal(err)
	}
	got, err := f.Fit(t.Context(), &ds.Target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(leaves(t, want, ds.Frame, 0), leaves(t, got, ds.Frame, 0)); d != "" ||
		string(want.Spec().Params) != string(got.Spec().Params) {
		t.Errorf("the second fit differs: %s", got.Spec().Params)
	}
}
