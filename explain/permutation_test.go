package explain_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// twoColumns is a table of which the label is decided by "signal", and "noise" carries no
// information: 200 rows, half of them for a test.
func twoColumns(task data.Task, categorical bool) (ds *data.Dataset, train, test []int32) {
	const n = 200
	s := rng.New(11)
	target := data.Target{Name: "y", Task: task}
	var columns [2]data.Column
	for range n {
		values := [2]int{s.Intn(4), s.Intn(4)}
		for c := range columns {
			if categorical {
				columns[c] = data.Codes(append(columns[c].Codes(), uint32(values[c])))
			} else {
				columns[c] = data.Numbers(append(columns[c].Numbers(), float64(values[c])))
			}
		}
		if task == data.Regression || task == data.Survival {
			target.Y = append(target.Y, nil)
			target.Y[0] = append(target.Y[0], float64(10*(values[0]/2))+s.Float64())
			target.Y = target.Y[:1]
		} else {
			target.Class = append(target.Class, uint32(values[0]/2))
			target.Classes = []string{"no", "yes"}
		}
	}
	fields := []data.Field{{Name: "signal"}, {Name: "noise"}}
	if categorical {
		for i := range fields {
			fields[i].Kind, fields[i].Levels = data.Categorical, []string{"a", "b", "c", "d"}
		}
	}
	frame, err := data.NewFrame(data.Schema{Fields: fields}, columns[:])
	if err != nil {
		panic(err) // the columns are as long as each other
	}
	rows := data.AllRows(n)
	return &data.Dataset{Frame: frame, Target: target}, rows[:n/2], rows[n/2:]
}

// fitted trains a learner of few trees.
func fitted(
	t *testing.T, l learn.Learner, ds *data.Dataset, rows []int32, settings ...string,
) model.Model {
	t.Helper()
	for _, p := range l.Params().All() {
		for stem, value := range map[string]string{"trees": "15", "epochs": "15",
			"learning_rate": "0.3", "rounds": "15"} {
			if p.Name == stem || strings.HasSuffix(p.Name, "."+stem) {
				settings = append([]string{p.Name + "=" + value}, settings...)
			}
		}
	}
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	f, err := l.Prepare(context.Background(), ds.Frame, rows, nil, catalog.Env(1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Rows: rows, Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drop returns the entry of a column.
func drop(t *testing.T, p *model.Permutation, name string) model.Permuted {
	t.Helper()
	for _, c := range p.Columns {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no entry of %q in %+v", name, p.Columns)
	return model.Permuted{}
}

// TestPermutationOfEveryLearner: the column that decides the label stands out, whatever the
// learner, and the result is the same for any number of workers.
func TestPermutationOfEveryLearner(t *testing.T) {
	for _, row := range catalog.Table() {
		t.Run(row.Name, func(t *testing.T) {
			needs := row.New().Capabilities().Needs
			task := data.Regression
			if needs.Classes || needs.Unsupervised {
				task = data.Binary
			}
			if needs.Survival {
				task = data.Survival
			}
			ds, train, test := twoColumns(task, needs.Categorical)
			if needs.Unsupervised { // unlike rows are the second class
				for _, r := range []int32{train[5], train[50], test[3], test[40], test[77]} {
					ds.Columns[0].Numbers()[r] = 100
				}
				for i := range ds.Target.Class {
					ds.Target.Class[i] = uint32(ds.Columns[0].Number(i) / 100)
				}
				ds.Target.Classes = []string{"normal", "anomaly"}
			}
			m := fitted(t, row.New(), ds, train)
			var found [2]*model.Permutation
			for i, workers := range []int{1, 7} {
				var err error
				if found[i], err = explain.Permutation(context.Background(), m, ds, test,
					explain.PermutationOptions{Seed: 3, Workers: workers}); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(found[0], found[1]); diff != "" {
				t.Errorf("1 and 7 workers differ:\n%s", diff)
			}
			signal, noise := drop(t, found[0], "signal"), drop(t, found[0], "noise")
			least := 0.1
			if task == data.Regression {
				least = 1
			}
			if signal.Drop < least || math.Abs(noise.Drop) > signal.Drop/4 {
				t.Errorf("signal drops %s by %g, noise by %g", found[0].Metric, signal.Drop,
					noise.Drop)
			}
		})
	}
}

// TestPermutationByHand: the drop is the mean change of the metric over the repeats, on tables that
// are permuted by hand.
func TestPermutationByHand(t *testing.T) {
	ds, train, test := twoColumns(data.Regression, false)
	m := fitted(t, gbm.New(), ds, train)
	const seed, repeats = 5, 3
	for _, name := range []string{"rmse", "r2"} {
		got, err := explain.Permutation(context.Background(), m, ds, test,
			explain.PermutationOptions{Metric: name, Seed: seed, Repeats: repeats,
				Groups: [][]int32{{1, 0}}})
		if err != nil {
			t.Fatal(err)
		}
		value := func(frame *data.Frame) float64 {
			r, err := eval.EvaluateRows(context.Background(), m,
				&data.Dataset{Frame: frame, Target: ds.Target}, test, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			v, _ := r.Metrics.Get(name)
			return v
		}
		base := value(ds.Frame)
		for unit, columns := range [][]int{{0}, {1}, {0, 1}} {
			var drops [repeats]float64
			mean, squares := 0.0, 0.0
			for r := range drops {
				permuted, err := data.NewFrame(ds.Schema,
					[]data.Column{data.Numbers(slices.Clone(ds.Columns[0].Numbers())),
						data.Numbers(slices.Clone(ds.Columns[1].Numbers()))})
				if err != nil {
					t.Fatal(err)
				}
				for i, from := range rng.New(seed, 1, uint64(unit), uint64(r)).Perm(len(test)) {
					for _, c := range columns {
						permuted.Columns[c].Numbers()[test[i]] = ds.Columns[c].Number(int(test[from]))
					}
				}
				if drops[r] = value(permuted) - base; name == "r2" {
					drops[r] = -drops[r]
				}
				mean += drops[r] / repeats
			}
			for _, d := range drops {
				squares += (d - mean) * (d - mean)
			}
			entry := drop(t, got, []string{"signal", "noise", "noise + signal"}[unit])
			if want := math.Sqrt(squares / (repeats - 1) / repeats); math.Abs(entry.Drop-mean) > 1e-12 || math.Abs(entry.StdError-want) > 1e-12 {
				t.Errorf("%s of %s: %g ± %g, want %g ± %g", name, entry.Name, entry.Drop,
					entry.StdError, mean, want)
			}
		}
		if got.Metric != name || got.Value != base || got.Rows != len(test) ||
			got.Repeats != repeats || got.Higher != (name == "r2") {
			t.Errorf("%+v", got)
		}
	}
}

// TestPermutationOfParts: columns that were made of one column of the table are permuted together,
// under its name.
func TestPermutationOfParts(t *testing.T) {
	ds, train, test := twoColumns(data.Binary, false)
	for i, f := range []string{"day.year", "day.month"} {
		ds.Schema.Fields[i].Name, ds.Schema.Fields[i].From = f, &data.DatePart{Source: "day"}
	}
	m := fitted(t, gbm.New(), ds, train)
	got, err := explain.Permutation(context.Background(), m, ds, test, explain.PermutationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Columns) != 1 || got.Columns[0].Name != "day" || len(got.Columns[0].Columns) != 2 ||
		got.Columns[0].Drop < 0.2 {
		t.Errorf("%+v", got.Columns)
	}
}

// TestPermutationOfUnusedColumns: a column that no tree tests has exactly 0.
func TestPermutationOfUnusedColumns(t *testing.T) {
	b := tree.NewBuilder(tree.Counts, 2, true)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 1.5})
	for n, counts := range [][]float64{{1, 1}, {1, 0}, {0, 1}} {
		b.SetValue(int32(n), counts)
		b.SetStats(int32(n), 1, 1, 0)
	}
	grown, err := b.Build()
	if err != nil || first != 1 {
		t.Fatal(err)
	}
	ds, _, test := twoColumns(data.Binary, false)
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Combine: model.Mean,
		Meta: model.Spec{Schema: ds.Schema, Task: data.Binary, Classes: ds.Target.Classes,
			Label: "y"}}
	got, err := explain.Permutation(context.Background(), m, ds, test, explain.PermutationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if entry := drop(t, got, "noise"); entry.Drop != 0 || entry.StdError != 0 || got.Value != 1 ||
		drop(t, got, "signal").Drop < 0.3 {
		t.Errorf("%+v", got)
	}
}

func TestPermutationRefused(t *testing.T) {
	ds, train, test := twoColumns(data.Binary, false)
	m := fitted(t, gbm.New(), ds, train)
	try := func(ds *data.Dataset, rows []int32, o explain.PermutationOptions) error {
		_, err := explain.Permutation(context.Background(), m, ds, rows, o)
		return err
	}
	for want, err := range map[string]error{
		`unknown metric "acuracy"`:    try(ds, test, explain.PermutationOptions{Metric: "acuracy"}),
		"rmse is no metric of binary": try(ds, test, explain.PermutationOptions{Metric: "rmse"}),
		"-1 repeats":                  try(ds, test, explain.PermutationOptions{Repeats: -1}),
		"a group holds column 2 of 2": try(ds, test, explain.PermutationOptions{Groups: [][]int32{{0, 2}}}),
		"no rows to evaluate":         try(ds, []int32{}, explain.PermutationOptions{}),
		`no column "noise"`:           try(&data.Dataset{Frame: ds.Select([]int{0}), Target: ds.Target}, test, explain.PermutationOptions{}),
		"the table has no label":      try(&data.Dataset{Frame: ds.Frame}, test, explain.PermutationOptions{}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
	var undefined *metric.Undefined
	var same []int32
	for _, r := range test {
		if ds.Target.Class[r] == 1 {
			same = append(same, r)
		}
	}
	if err := try(ds, same, explain.PermutationOptions{}); !errors.As(err, &undefined) {
		t.Errorf("AUC of rows of one class: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := explain.Permutation(ctx, m, ds, test,
		explain.PermutationOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
