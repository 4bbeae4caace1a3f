package stack_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/model"
)

// table has two columns of numbers and one of categories, which explain a part of the label, or
// nothing of it.
func table(rows int, task data.Task, noise bool) *data.Dataset {
	return learntest.Mixed(rows, task, noise, [3]string{"a", "b", "word"})
}

func made(t testing.TB, settings ...string) *stack.Learner {
	t.Helper()
	return learntest.Made(t, stack.New(catalog.Resolve), settings...)
}

func fit(t testing.TB, l learn.Learner, ds *data.Dataset, job learn.Job) (model.Model, error) {
	t.Helper()
	return learntest.Fit(t.Context(), catalog.Env(1), l, ds, job)
}

func mustFit(t testing.TB, l learn.Learner, ds *data.Dataset, job learn.Job) model.Model {
	t.Helper()
	return learntest.MustFit(t, catalog.Env(1), l, ds, job)
}

// two are members that take little time.
var two = []string{"members=deep:cart,few:forest", "members.deep.prune=none",
	"members.few.trees=5"}

func TestConforms(t *testing.T) {
	tier.NotShort(t, "runs the suite of learners on five stacks")
	variants := map[string][]string{
		"tree of labels": {"meta_learner=cart", "outputs=label", "passthrough=true", "folds=3"},
		"forest of scores": {"meta_learner=forest", "meta_learner.trees=5", "outputs=raw",
			"folds=2"},
		"blend":  {"plan=blend", "meta_learner=cart", "columns=deep=*"},
		"labels": {"outputs=label", "plan=random"},
		"naive":  {"plan=naive"},
	}
	for i, name := range slices.Sorted(maps.Keys(variants)) {
		t.Run(name, func(t *testing.T) {
			learntest.Variant(t, i, func() learn.Learner {
				return made(t, slices.Concat(two, variants[name])...)
			})
		})
	}
}

// A stack that combines a stack has three levels, and reports the out-of-fold predictions of each.
func TestLevels(t *testing.T) {
	settings := slices.Concat(two,
		[]string{"meta_learner=stack", "meta_learner.members=cart,flat:cart",
			"meta_learner.members.flat.depth=1", "meta_learner.meta_learner=cart",
			"meta_learner.passthrough=true", "passthrough=true"})
	ds := table(200, data.Binary, false)
	var whose []string
	m := mustFit(t, made(t, settings...), ds,
		learn.Job{HoldOut: func(what string, h *learn.HoldOut) error {
			whose = append(whose, what)
			if len(h.Rows) != 200 {
				t.Errorf("%s: %d rows", what, len(h.Rows))
			}
			return nil
		}})
	if want := []string{"member deep", "member few", "meta-learner, member cart",
		"meta-learner, member flat"}; !slices.Equal(whose, want) {
		t.Errorf("reported %q", whose)
	}
	inner, ok := m.(*committee.Stack).MetaModel.(*committee.Stack)
	if !ok {
		t.Fatalf("the meta-learner is a %T", m.(*committee.Stack).MetaModel)
	}
	if names := strings.Join(inner.Meta.Schema.Names(),
		" "); names != "deep:yes few:yes a b word" {
		t.Errorf("it gets %s", names)
	}
	if names := strings.Join(inner.MetaModel.Spec().Schema.Names(),
		" "); names != "cart:yes flat:yes deep:yes few:yes a b word" {
		t.Errorf("its meta-learner gets %s", names)
	}
}

// A meta-learner that learns from rows that members were trained on prefers members that overfit.
// One that learns from out-of-fold predictions does not. The label is noise here.
func TestNaiveStacksPreferMembersThatOverfit(t *testing.T) {
	ds := table(300, data.Binary, true)
	settings := []string{"meta_learner.pool=linear", "members=deep:cart,stump:cart",
		"members.deep.prune=none", "members.stump.prune=none", "members.stump.depth=1"}
	_, _, careful := reported(t, made(t, settings...), ds, learn.Job{})
	_, _, naive := reported(t, made(t, append(settings, "plan=naive")...), ds, learn.Job{})
	if w := weightsOf(careful); w[0] > w[1]/2 || *careful.Members[0].Loss < 1 {
		t.Errorf("weights %v, loss %g: memorised noise has a weight", w,
			*careful.Members[0].Loss)
	}
	if w := weightsOf(naive); w[0] < 0.9 || w[1] > 0.1 || *naive.Members[0].Loss > 0.1 {
		t.Errorf("weights %v, loss %g: memorised noise has no weight", w,
			*naive.Members[0].Loss)
	}
	if careful.HoldOut != 300 || careful.Folds != 5 || naive.Folds != 0 ||
		careful.Metric != "logloss" {
		t.Errorf("summaries %+v and %+v", careful, naive)
	}
}

// A logarithmic pool gives no weight to members without information: if two classes are equally
// frequent, all their probabilities are a half. It sharpens the probabilities of an underconfident
// member.
func TestPool(t *testing.T) {
	ds := table(300, data.Binary, true)
	settings := []string{"meta_learner.pool=log", "members=deep:cart,stump:cart",
		"members.deep.prune=none", "members.stump.prune=none", "members.stump.depth=1"}
	m, _, found := reported(t, made(t, settings...), ds, learn.Job{})
	if w := weightsOf(found); w[0] > 0.01 || w[1] > 0.5 {
		t.Errorf("weights %v of noise", w)
	}
	for i, p := range after(t, m, ds, 0) {
		if p < 0.4 || p > 0.6 {
			t.Fatalf("value %d is %g, and the label is noise", i, p)
		}
	}
	unsure := table(300, data.Binary, false)
	_, _, found = reported(t, made(t, "meta_learner.pool=log", "members=unsure:forest",
		"members.unsure.trees=50", "members.unsure.node_size=60"), unsure, learn.Job{})
	if w := weightsOf(found); w[0] < 1.5 {
		t.Errorf("weight %v", w)
	}
}

// A tempered pool predicts nothing of noise, whatever its members predict, and makes one that is
// underconfident surer without a change of its labels.
func TestTempered(t *testing.T) {
	ds := table(300, data.Binary, true)
	m, _, found := reported(t, made(t, "members=deep:cart,stump:cart", "members.deep.prune=none",
		"members.stump.prune=none", "members.stump.depth=1"), ds, learn.Job{})
	if p := *found.Members[0].Power; p > 0.05 {
		t.Errorf("power %g of noise", p)
	}
	for i, p := range after(t, m, ds, 0) {
		if p < 0.4 || p > 0.6 {
			t.Fatalf("value %d is %g, and the label is noise", i, p)
		}
	}
	many := table(300, data.Multiclass, false)
	m, _, found = reported(t, made(t, "members=forest", "members.forest.trees=50",
		"members.forest.node_size=60"), many, learn.Job{})
	if p := *found.Members[0].Power * *found.Power; p < 1.5 {
		t.Errorf("powers %g and %g", *found.Members[0].Power, *found.Power)
	}
	pool := m.(*committee.Committee).Members[0].(*committee.Committee)
	alone := pool.Members[0].(*committee.Committee).Members[0]
	together, own := after(t, pool, many, 0), after(t, alone, many, 0)
	k := len(many.Target.Classes)
	for at := 0; at < len(own); at += k {
		if model.ArgMax(together[at:at+k]) != model.ArgMax(own[at:at+k]) {
			t.Fatalf("row %d: probabilities %v of one member have another label in %v", at/k, own[at:at+k],
				together[at:at+k])
		}
	}
}

// Of noise a tempered pool predicts the frequencies of the classes, though powers alone can only
// make probabilities of noise equal.
func TestTemperedByFrequency(t *testing.T) {
	ds := table(400, data.Binary, true)
	ones := 0.0
	for i := range ds.Target.Class {
		if ds.Target.Class[i] == 1 && i%4 > 0 {
			ds.Target.Class[i] = 0
		}
		ones += float64(ds.Target.Class[i]) / 400
	}
	m, _, found := reported(t, made(t, "members=deep:cart", "members.deep.prune=none"), ds,
		learn.Job{})
	if b := found.Bias; len(b) != 2 || b[0] < 0.5 || math.Abs(b[0]+b[1]) > 1e-9 {
		t.Errorf("biases %v where %g of the rows are of the second class", b, ones)
	}
	mean := 0.0
	for i, p := range after(t, m, ds, 0) {
		if i%2 == 1 {
			mean += p / 400
		}
	}
	if math.Abs(mean-ones) > 0.03 {
		t.Errorf("mean probability %g of the second class, which %g of all rows are of", mean, ones)
	}
}

// Out-of-fold rows follow the requested plan.
func TestPlans(t *testing.T) {
	ds := table(60, data.Regression, false)
	var groups, times []int64
	for i := range 60 {
		groups, times = append(groups, int64(i/6)), append(times, int64(i/5))
	}
	for _, c := range []struct {
		settings       []string
		plan           *split.Plan
		folds, holdOut int
	}{
		{[]string{"plan=leave-one-out"}, nil, 10, 60},    // one group
		{[]string{"plan=random", "folds=4"}, nil, 4, 60}, // groups stay whole
		{[]string{"plan=grouped", "folds=50"}, nil, 10, 60},
		{[]string{"plan=time", "folds=3"}, nil, 3, 45},
		{[]string{"plan=blend", "blend=0.5"}, nil, 1, 30},
		{nil, &split.Plan{Kind: split.ByTime}, 5, 50},
		{nil, &split.Plan{Kind: split.Random, K: 2}, 2, 60},
	} {
		ds.Target.Group, ds.Target.Time = groups, nil
		if slices.Contains(c.settings, "plan=time") || c.plan != nil && c.plan.Kind == split.ByTime {
			ds.Target.Group, ds.Target.Time = nil, times
		}
		_, predicted, found := reported(t, made(t, slices.Concat(two, c.settings)...), ds,
			learn.Job{Plan: c.plan})
		requested := 0
		if slices.Contains(c.settings, "folds=50") {
			requested = 50
		}
		if found.Requested != requested {
			t.Errorf("%v, %v: %d folds were requested, want %d", c.settings, c.plan,
				found.Requested, requested)
		}
		if found.Folds != c.folds || found.HoldOut != c.holdOut ||
			len(predicted[0].Rows) != c.holdOut {
			t.Errorf("%v, %v: %d folds hold %d rows back, want %d and %d", c.settings, c.plan,
				found.Folds, found.HoldOut, c.folds, c.holdOut)
		}
	}
	// Where there is one row, group or time, there are no folds, by whatever plan.
	for _, settings := range [][]string{nil, {"plan=grouped"}, {"plan=leave-one-out"},
		{"plan=blend"}} {
		for _, plan := range []*split.Plan{nil, {Kind: split.ByTime}} {
			ds.Target.Group, ds.Target.Time = groups, nil
			if plan != nil && !slices.Contains(settings, "plan=leave-one-out") {
				ds.Target.Time = times
			}
			_, predicted, found := reported(t, made(t, slices.Concat(two, settings)...), ds,
				learn.Job{Plan: plan, Rows: data.AllRows(5)})
			if w := weightsOf(found); found.HoldOut != 0 || predicted != nil || w[0] != w[1] {
				t.Errorf("%v, %v: %d rows are out of fold, weights %v", settings, plan, found.HoldOut,
					w)
			}
		}
	}
	// A blend with the validation set: members are those that predicted it.
	part := learn.Job{Rows: data.AllRows(40), Valid: data.AllRows(60)[40:]}
	m, predicted, found := reported(t, made(t, append(two, "plan=blend")...), ds, part)
	if found.HoldOut != 20 || predicted[0].Rows[0] != 40 || len(m.Spec().Summary) == 0 {
		t.Errorf("rows %v are out of fold", predicted[0].Rows)
	}
	ds.Target.Group, ds.Target.Time = nil, nil
	if _, err := fit(t, made(t, append(two, "plan=grouped")...), ds, learn.Job{}); err == nil ||
		err.Error() != "plan=grouped: a grouped plan needs groups: name a group column" {
		t.Errorf("error %v", err)
	}
}

// Members without weight are left out of the model, and the parameters that a model stores make it
// again.
func TestWeights(t *testing.T) {
	ds := table(300, data.Regression, false)
	l := made(t, "members=good:cart,bad:cart", "columns=good=a+b+word,bad=b", "meta_learner.l2=0.5",
		"members.bad.depth=1")
	m, _, found := reported(t, l, ds, learn.Job{Seed: 4})
	w := weightsOf(found)
	if w[0] < 0.8 || w[1] > 0.2 {
		t.Errorf("weights %v", w)
	}
	c, ok := m.(*committee.Committee)
	if ok && slices.Contains(c.Weights, 0) {
		t.Errorf("weights %v of members", c.Weights)
	}
	again := stack.New(catalog.Resolve)
	if err := again.Params().UnmarshalJSON(m.Spec().Params); err != nil {
		t.Fatal(err)
	}
	if same := mustFit(t, again, ds, learn.Job{Seed: 4}); !reflect.DeepEqual(same, m) {
		t.Error("the parameters that a model stores make another model")
	}
	var params map[string]any
	if err := json.Unmarshal(m.Spec().Params, &params); err != nil ||
		params["meta_learner.l2"] != 0.5 || params["meta_learner"] != "ridge" {
		t.Errorf("parameters %v", params)
	}
}

func TestRefuses(t *testing.T) {
	ds := table(40, data.Binary, false)
	for want, settings := range map[string][]string{
		"passthrough=true needs a meta-learner that takes columns": {"passthrough=true"},
		"outputs=raw needs another meta-learner":                   {"outputs=raw"},
		"meta_learner.pool=log pools class probabilities": {"outputs=label",
			"meta_learner.pool=log"},
		`columns: there is no member "tree": did you mean "extratrees"?`: {"columns=tree=a"},
	} {
		if _, err := fit(t, made(t, settings...), ds, learn.Job{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %s", settings, err, want)
		}
	}
	for setting, want := range map[string]string{
		"members=@old.coppice": "a model that is trained already may have seen the labels; only " +
			"vote takes one",
		"meta_learner=rigde": `unknown learner "rigde"`,
		"meta_learner.l3=1":  `unknown parameter "meta_learner.l3": did you mean "meta_learner.l2"?`,
		"plan=kfold":         "want auto, random",
		"blend=0":            "want a number > 0",
		"blend=1":            "want a number > 0 and < 1",
	} {
		if err := stack.New(catalog.Resolve).Params().Set([]string{setting}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", setting, err, want)
		}
	}
	numbers := table(40, data.Regression, false)
	// A member that cannot do the task is an error before anything is trained.
	for want, settings := range map[string][]string{
		"member c45: c45 cannot do regression: use a learner such as gbm": {"members=cart,c45"},
		"meta-learner: c45 cannot do regression: use a learner such as gbm": {"members=cart",
			"meta_learner=c45"},
	} {
		var wrong *learn.TaskError
		trained := func(learn.Round) error { return errors.New("a member is trained") }
		if _, err := fit(t, made(t, settings...), numbers,
			learn.Job{Observe: trained}); !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := fit(t, made(t, "members=a:cart,b:cart", "meta_learner=cart", "passthrough=true"),
		numbers, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), `two columns are called "a": give the member another name`) {
		t.Errorf("error %v", err)
	}
}
