package eval_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
)

// asked notes what a learner is trained with.
type asked struct {
	*constant
	envs []learn.Env
	jobs []learn.Job
}

func (l *asked) Prepare(
	ctx context.Context, f data.Features, rows []int32, w []float64, env learn.Env,
) (learn.Fitter, error) {
	l.envs = append(l.envs, env)
	of, err := l.constant.Prepare(ctx, f, rows, w, env)
	return askedFitter{of, l}, err
}

type askedFitter struct {
	learn.Fitter
	l *asked
}

func (f askedFitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	f.l.jobs = append(f.l.jobs, job)
	return f.Fitter.Fit(ctx, t, job)
}

// Learners get the workers and the memory of the options, train alone, on the rows of a fold, and
// split these by the plan within it. Each fold has a seed of its own.
func TestLearnersGetTheOptions(t *testing.T) {
	ds := labeledDataset(t)
	plan := &split.Plan{K: 3, Seed: 2}
	folds, err := plan.Folds(&ds.Target, data.AllRows(ds.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func(l learn.Learner, o eval.Options) error{
		"CrossValidate": func(l learn.Learner, o eval.Options) error {
			_, err := eval.CrossValidate(t.Context(), l, ds, plan, o)
			return err
		},
		"Compare": func(l learn.Learner, o eval.Options) error {
			_, err := eval.Compare(t.Context(), []eval.Entrant{{Name: "a", Learner: l}, {Name: "b", Learner: &constant{}}},
				ds, plan, eval.CompareOptions{Options: o})
			return err
		},
	} {
		l := &asked{constant: &constant{}}
		o := eval.Options{Workers: 3, Memory: 1 << 30, Seed: 4}
		o.Env.Scratch = "folder"
		o.Env.Ranks = ranks.Of(nil)
		if err := do(l, o); err != nil {
			t.Fatal(name, err)
		}
		if len(l.envs) != 3 || len(l.jobs) != 3 {
			t.Fatalf("%s: %d trainings", name, len(l.jobs))
		}
		seeds := map[uint64]bool{}
		for i, e := range l.envs {
			if e.Workers != 3 || e.Memory != 1<<30 || e.Ranks != nil || e.Scratch != "folder" {
				t.Errorf("%s: fold %d has %+v", name, i, e)
			}
			job := l.jobs[i]
			if seeds[job.Seed] || job.Workers != 3 || !slices.Equal(job.Rows, folds[i].Train) {
				t.Errorf("%s: fold %d has %+v", name, i, job)
			}
			seeds[job.Seed] = true
		}
	}
	l := &asked{constant: &constant{}}
	o := eval.Options{Workers: 3, Memory: 1 << 30, Seed: 4}
	if _, err := eval.CheckLeakage(t.Context(), l, ds, plan, 4, o); err != nil {
		t.Fatal(err)
	}
	for i, e := range l.envs {
		if e.Workers != 3 || e.Memory != 1<<30 || l.jobs[i].Workers != 3 || len(l.jobs[i].Rows) != len(folds[i%3].Train) {
			t.Errorf("shuffle %d has %+v and %+v", i, e, l.jobs[i])
		}
	}
	many := &split.Plan{K: 61}
	if _, err := eval.CheckLeakage(t.Context(), l, ds, many, 2, o); err == nil || !strings.HasPrefix(err.Error(), "shuffle 1 of 2: ") {
		t.Errorf("61 folds of 60 rows: %v", err)
	}
}

// Observers are told of each fold, test and shuffle, in their order, and how many there are. Of two
// assignments to folds each has the same learners.
func TestObservedRounds(t *testing.T) {
	ds := labeledDataset(t)
	plan := &split.Plan{K: 3, Seed: 2}
	var seen []learn.Round
	o := eval.Options{Workers: 1, Observe: func(r learn.Round) error {
		seen = append(seen, r)
		return nil
	}}
	check := func(stage string, of int, err error) {
		t.Helper()
		if err != nil || len(seen) != of {
			t.Fatalf("%s: %d rounds, want %d, %v", stage, len(seen), of, err)
		}
		for i, r := range seen {
			if r.Stage != stage || r.N != i+1 || r.Of != of {
				t.Errorf("round %d: %+v, want %s of %d", i+1, r, stage, of)
			}
		}
		seen = nil
	}
	_, err := eval.CrossValidate(t.Context(), &constant{}, ds, plan, o)
	check("fold", 3, err)
	c, err := eval.Compare(t.Context(), []eval.Entrant{{Name: "a", Learner: &constant{}}, {Name: "b", Learner: &constant{}}}, ds, plan,
		eval.CompareOptions{Options: o, Repeats: 2})
	check("test", 12, err)
	if c.Repeats != 2 || c.Folds != 3 || len(c.Learners[0].Tests) != 6 || c.Task != data.Binary || c.LeftOut != 0 {
		t.Errorf("%+v", c)
	}
	_, err = eval.CheckLeakage(t.Context(), &constant{}, ds, plan, 2, o)
	check("shuffle", 2, err)
	if _, err = eval.CheckLeakage(t.Context(), &constant{}, ds, plan, 1, o); err == nil || err.Error() != "1 shuffles: at least 2 are needed" {
		t.Errorf("one shuffle: %v", err)
	}
}

// A table without the label of the model, or with one that it cannot have, is refused.
func TestEvaluateTableRefuses(t *testing.T) {
	f := labeledTable(t, 20)
	m := labelled{reported(t, []string{"0", "1"}, []float64{3, 7}, []float64{1, 1}, []float64{5, 5}, []float64{2, 9}), "class"}
	if _, err := eval.EvaluateTable(t.Context(), m, f); err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"none", "grade"} {
		m.label = label
		if r, err := eval.EvaluateTable(t.Context(), m, f); err == nil || r != nil {
			t.Errorf("the label %s: %+v, %v", label, r, err)
		}
	}
}

// One bin has all rows, and its error is that of the mean.
func TestReliabilityOfOneBin(t *testing.T) {
	s := &metric.Sample{Width: 2, Class: []uint32{0, 1, 1, 1}, Pred: []float64{1, 0, 0.5, 0.5, 0.25, 0.75, 0.25, 0.75}}
	c, err := eval.ReliabilityOf(s, []string{"n", "y"}, 1)
	if err != nil || len(c.Bins) != 1 {
		t.Fatal(c, err)
	}
	want := eval.Bin{From: 0, To: 1, Rows: 4, Weight: 4, Probability: 0.5, Frequency: 0.75}
	if c.Class != "y" || c.Bins[0] != want || c.ECE != 0.25 || c.MCE != 0.25 || c.Brier != 0.375/4 {
		t.Errorf("%+v", c)
	}
	if e := c.Bins[0].Error(); !near(e, math.Sqrt(0.75*0.25/4)) || (&eval.Bin{}).Error() != 0 {
		t.Errorf("error %v", e)
	}
	s.FirstPositive = true
	if c, err = eval.ReliabilityOf(s, []string{"n", "y"}, 1); err != nil || c.Class != "n" || c.Bins[0].Frequency != 0.25 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, bins := range []int{0, -1} {
		if _, err := eval.ReliabilityOf(s, []string{"n", "y"}, bins); err == nil {
			t.Errorf("%d bins", bins)
		}
	}
}

func labeledDataset(t *testing.T) *data.Dataset {
	t.Helper()
	r := data.Roles{Label: "class", Classes: []string{"0", "1"}, Ignore: []string{"w", "g", "grade"}}
	ds, err := r.Apply(labeledTable(t, 60))
	if err != nil {
		t.Fatal(err)
	}
	return ds
}
