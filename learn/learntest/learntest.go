// Package learntest owns the conformance suite that every learner of the catalog passes: awkward
// tables, any number of workers, cancelled contexts, refusals. A new row of the catalog is tested
// at once. Package relations below it compares trainings that have to agree.
package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// Run checks a learner that make returns, with default parameters or others, on classes and on
// numbers; one that needs times of events on these, and one that needs no label without. Tables
// have only what the learner takes; that the rest is refused with the right error is checked, too.
// In the short tier learner number i is tried on one task, in turn.
func Run(t *testing.T, i int, make func() learn.Learner) {
	run(t, make, inTurn(make, i))
}

func inTurn(make func() learn.Learner, i int) []data.Task {
	on := tasks(make().Capabilities().Needs)
	if testing.Short() {
		return on[i%len(on):][:1]
	}
	return on
}

// Variant is Run for other settings of a learner that the catalog runs with its own on every task.
// By day variant number i is tried on one task, in turn, by night on all.
func Variant(t *testing.T, i int, make func() learn.Learner) {
	on := tasks(make().Capabilities().Needs)
	if !tier.Night() {
		on = on[i%len(on):][:1]
	}
	run(t, make, on)
}

func run(t *testing.T, make func() learn.Learner, on []data.Task) {
	needs := make().Capabilities().Needs
	for _, task := range on {
		s := suite{make(), needs, task}
		t.Run(task.String(), func(t *testing.T) {
			t.Run("awkward tables", s.awkward)
			t.Run("workers do not matter", s.workers)
			t.Run("repeated fits are equal", s.repeated)
			t.Run("cancelled", s.cancelled)
			t.Run("stopped", s.stopped)
			t.Run("rows that are not there", s.absentRows)
			t.Run("dates", s.dates)
			t.Run("other tables", s.otherTables)
			t.Run("validation set", s.validation)
			t.Run("weights", s.weights)
			t.Run("rows are counted", s.counted)
			t.Run("rows need no memory", s.allocations)
		})
	}
	t.Run("parameters", func(t *testing.T) { parameters(t, make()) })
	t.Run("refuses other tasks", func(t *testing.T) { refusesTasks(t, make, needs) })
	t.Run("labels do not matter", func(t *testing.T) { ignoresLabels(t, make, needs) })
	t.Run("refuses other columns", func(t *testing.T) { refusesColumns(t, make, needs) })
	t.Run("large labels", func(t *testing.T) { largeLabels(t, make, needs) })
}

// Validation checks alone that what a learner declares to use a validation set for is what it does,
// on the tasks of Run.
func Validation(t *testing.T, i int, make func() learn.Learner) {
	for _, task := range inTurn(make, i) {
		t.Run(task.String(), suite{make(), make().Capabilities().Needs, task}.validation)
	}
}

// tasks lists what a learner is tried on; data.Auto stands for no label.
func tasks(needs learn.Needs) []data.Task {
	switch {
	case needs.Unsupervised:
		return []data.Task{data.Auto}
	case needs.Classes:
		return []data.Task{data.Binary, data.Multiclass}
	case needs.Survival:
		return []data.Task{data.Survival}
	}
	return []data.Task{data.Binary, data.Multiclass, data.Regression}
}

type suite struct {
	learner learn.Learner // which no training changes
	needs   learn.Needs
	task    data.Task
}

// predict fits nothing: it returns the responses, after checking that they are finite and that
// class probabilities add up to 1.
func predict(t *testing.T, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	dst := modeltest.Predict(t, m, f, model.Options{}, nil)
	k := len(dst) / max(f.Rows(), 1)
	for i := range f.Rows() {
		sum := 0.0
		for _, v := range dst[i*k : (i+1)*k] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("row %d: response %v", i, dst[i*k:(i+1)*k])
			}
			sum += v
		}
		if m.Spec().Task.Classes() && math.Abs(sum-1) > 1e-9 {
			t.Fatalf("row %d: probabilities sum to %g", i, sum)
		}
	}
	return dst
}

// awkward fits tables on which careless code fails.
func (s suite) awkward(t *testing.T) {
	n := 24
	constant, missing, codes, none := make([]float64, n), make([]float64, n), make([]uint32, n),
		make([]uint32, n)
	large, tiny := make([]float64, n), make([]float64, n)
	for i := range n {
		constant[i], missing[i], none[i] = 3, math.NaN(), data.MissingCode
		large[i], tiny[i] = math.Inf(1-2*(i%2)), float64(i)*5e-324
	}
	for name, c := range map[string]data.Column{"constant": data.Numbers(constant),
		"all missing": data.Numbers(missing), "infinite": data.Numbers(large),
		"subnormal": data.Numbers(tiny), "one category": data.Codes(codes),
		"no category": data.Codes(none)} {
		ds := s.table(n)
		field := data.Field{Name: "x"}
		if c.Codes() != nil {
			field.Kind, field.Levels = data.Categorical, []string{"only"}
		}
		ds.Frame = mustFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{c})
		if s.needs.Categorical && field.Kind == data.Numeric || s.needs.Complete &&
			ds.IsMissing(0, 0) {
			continue
		}
		m, err := Fit(context.Background(), learn.Env{}, s.learner, ds, learn.Job{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		predict(t, m, ds.Frame)
	}
}

func (s suite) workers(t *testing.T) {
	ds := s.table(3000)
	var want model.Model
	for _, workers := range []int{1, 2, 7}[tier.Count(1, 0, 0):] {
		m, err := Fit(context.Background(), learn.Env{Workers: workers}, s.learner, ds,
			learn.Job{Seed: 5, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = m
		}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("%d workers grow another model than fewer", workers)
		}
	}
}

// repeated: one fitter, used concurrently, gives the same model each time.
func (s suite) repeated(t *testing.T) {
	ds := s.table(400)
	f, err := s.learner.Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	models := make(chan model.Model)
	for range 4 {
		go func() {
			m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Seed: 3})
			if err != nil {
				t.Error(err)
			}
			models <- m
		}()
	}
	want := <-models
	for range 3 {
		if m := <-models; !reflect.DeepEqual(m, want) {
			t.Error("two fits differ")
		}
	}
}

func (s suite) cancelled(t *testing.T) {
	ds := s.table(400)
	f, err := s.learner.Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := f.Fit(ctx, &ds.Target, learn.Job{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	if m != nil {
		predict(t, m, ds.Frame)
	}
	stop := fmt.Errorf("enough")
	_, err = f.Fit(context.Background(), &ds.Target,
		learn.Job{Observe: func(learn.Round) error { return stop }})
	if err != nil && !errors.Is(err, stop) {
		t.Errorf("error %v, want the observer's", err)
	}
}

// stopped: an observer that returns learn.Stop ends the training with a model and without an error,
// whenever it does so; it is not called again.
func (s suite) stopped(t *testing.T) {
	ds := s.table(400)
	f, err := s.learner.Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, last := range []int{1, 2, 7} {
		calls := 0
		m, err := f.Fit(context.Background(), &ds.Target,
			learn.Job{Observe: func(learn.Round) error {
				if calls++; calls >= last {
					return fmt.Errorf("call %d: %w", calls, learn.Stop)
				}
				return nil
			}})
		if err != nil || m == nil {
			t.Fatalf("stopped at call %d: a model %t, error %v", last, m != nil, err)
		}
		if calls > last {
			t.Errorf("the observer is called %d times, and has stopped the training at call %d",
				calls, last)
		}
		if c, ok := m.(model.Checked); ok {
			if err := c.Validate(); err != nil {
				t.Errorf("stopped at call %d: %v", last, err)
			}
		}
		predict(t, m, ds.Frame)
	}
}

// validation: a validation set changes the model if the learner declares a use of it, and else does
// not. Opposite labels of the set change the predictions if the learner declares that it chooses
// something by them, and else do not.
func (s suite) validation(t *testing.T) {
	use := s.learner.Capabilities().Validation
	ds := s.table(300)
	job := learn.Job{Rows: data.AllRows(200)}
	fit := func() model.Model {
		m, err := Fit(context.Background(), learn.Env{}, s.learner, ds, job)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	without := fit()
	job.Valid = data.AllRows(300)[200:]
	with := fit()
	if used := !reflect.DeepEqual(with, without); used != (use != (learn.Validation{})) {
		t.Errorf("the use of a validation set is %q, and whether one changes the model is %v", use,
			used)
	}
	before := predict(t, with, ds.Frame)
	turnLabels(&ds.Target, job.Valid)
	if chosen := !reflect.DeepEqual(before,
		predict(t, fit(), ds.Frame)); chosen != (use.Chosen() != (learn.Validation{})) {
		t.Errorf("the use of a validation set is %q, and whether its labels change predictions is "+
			"%v", use, chosen)
	}
}

// parameters: defaults are valid, described, and survive JSON.
func parameters(t *testing.T, l learn.Learner) {
	set := l.Params()
	if err := set.Validate(); err != nil {
		t.Error(err)
	}
	set.Reset()
	seen := map[string]string{}
	for _, p := range set.All() {
		for _, name := range append([]string{p.Name}, p.Aliases...) {
			if seen[name] != "" {
				t.Errorf("%q is a name of %s and of %s", name, seen[name], p.Name)
			}
			seen[name] = p.Name
		}
	}
	for _, p := range set {
		if p.Help == "" || p.Range == "" {
			t.Errorf("%s has no help or no range", p.Name)
		}
		if p.Value() != p.Default {
			t.Errorf("%s is %q after a reset, its default is %q", p.Name, p.Value(), p.Default)
		}
	}
}
