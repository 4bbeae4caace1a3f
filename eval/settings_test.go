package eval_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
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

func labeledDataset(t *testing.T) *data.Dataset {
	t.Helper()
	r := data.Roles{Label: "class", Classes: []string{"0", "1"}, Ignore: []string{"w", "g", "grade"}}
	ds, err := r.Apply(labeledTable(t, 60))
	if err != nil {
		t.Fatal(err)
	}
	return ds
}
