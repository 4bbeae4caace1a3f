package learntest

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/param"
)

// sized gives a learner parameters that count rows: least sizes, bins and samples. Those that it
// does not have, or does not take, are left out.
func sized(l learn.Learner) learn.Learner {
	for _, p := range l.Params().All() {
		for stem, value := range map[string]string{"min_leaf": "9", "bins": "7",
			"subsample": "0.8"} {
			if p.Name == stem || strings.HasSuffix(p.Name, "."+stem) {
				before := p.Value()
				if l.Params().Set([]string{p.Name + "=" + value}) != nil ||
					l.Capabilities().Conflicts != nil {
					_ = l.Params().Set([]string{p.Name + "=" + before})
				}
			}
		}
	}
	return l
}

// absent: a row of weight 0 is absent. A table with such rows makes the model of the table without
// them, whatever their values and labels, with and without a validation set.
func (s suite) absent(t *testing.T) {
	if s.make().Capabilities().Unweighted {
		t.Skip("the learner reports to ignore weights")
	}
	n := 110
	ds := s.table(n)
	random := rng.New(5)
	ds.Target.Weight = make([]float64, n)
	var rows, without []int32
	for i := range ds.Rows() {
		if ds.Target.Weight[i] = float64(random.Intn(4)) / 2; ds.Target.Weight[i] > 0 {
			rows = append(rows, int32(i))
		} else {
			without = append(without, int32(i))
		}
	}
	turnLabels(&ds.Target, without)
	ds.Frame = spoiled(ds.Frame, without)
	for _, valid := range []int{0, 20} {
		if valid > 0 && testing.Short() {
			continue
		}
		first := len(rows) - valid // the last ones are the validation set
		job := learn.Job{Seed: 3, Rows: data.AllRows(int(rows[first-1]) + 1)}
		only := learn.Job{Seed: 3, Rows: data.AllRows(first)}
		if valid > 0 {
			job.Valid = data.AllRows(n)[len(job.Rows):]
			only.Valid = data.AllRows(len(rows))[first:]
		}
		a, err := Fit(context.Background(), learn.Env{}, sized(s.make()), ds, job)
		if err != nil {
			t.Fatal(err)
		}
		sub := &data.Dataset{Frame: ds.Frame.Subset(rows), Target: ds.Target.Subset(rows)}
		b, err := Fit(context.Background(), learn.Env{}, sized(s.make()), sub, only)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := predict(t, a, sub.Frame), predict(t, b, sub.Frame); !same(got, want) {
			t.Errorf("with %d rows for validation, predictions differ by up to %g from those of "+
				"the table without the rows of weight 0", valid, apart(got, want))
		}
	}
}

// spoiled gives rows values that no other row has: large numbers and a category of their own.
func spoiled(f *data.Frame, rows []int32) *data.Frame {
	columns := slices.Clone(f.Columns)
	for i := range columns {
		if codes := columns[i].Codes(); codes != nil {
			codes = slices.Clone(codes)
			for _, r := range rows {
				codes[r] = uint32(len(f.Schema.Fields[i].Levels) - 1)
			}
			columns[i] = data.Codes(codes)
			continue
		}
		numbers := slices.Clone(columns[i].Numbers())
		for k, r := range rows {
			numbers[r] = 1e6 + float64(k)
		}
		columns[i] = data.Numbers(numbers)
	}
	return mustFrame(f.Schema, columns)
}

// repeatedRows: integer weights are as many copies of the row, up to rounding, for a learner that
// does not count rows.
func repeatedRows(t *testing.T, make func() learn.Learner, task data.Task) {
	s := suite{make, make().Capabilities().Needs, task}
	ds := s.table(60)
	var rows []int32
	for i := range ds.Rows() {
		w := 1 + i*7%3
		ds.Target.Weight = append(ds.Target.Weight, float64(w))
		rows = append(rows, slices.Repeat([]int32{int32(i)}, w)...)
	}
	copies := &data.Dataset{Frame: ds.Frame.Subset(rows), Target: ds.Target.Subset(rows)}
	copies.Target.Weight = nil
	job := learn.Job{Seed: 3}
	got := predict(t, MustFit(t, learn.Env{}, make(), ds, job), ds.Frame)
	want := predict(t, MustFit(t, learn.Env{}, make(), copies, job), ds.Frame)
	if d := apart(got, want); d > 1e-6 {
		t.Errorf("%s: predictions by weights and by copies differ by up to %g", task, d)
	}
}

// RepeatedRows checks that integer weights have the effect of as many copies of the row, on all
// tasks.
func RepeatedRows(t *testing.T, make func() learn.Learner) {
	for _, task := range tasks(make().Capabilities().Needs) {
		repeatedRows(t, make, task)
	}
}

// classWeights: a class_weight has the effect of the same weights of the rows.
func (s suite) classWeights(t *testing.T) {
	if !s.task.Classes() || !slices.ContainsFunc(s.make().Params().All(), isClassWeight) {
		return
	}
	ds := s.table(90)
	for i := range ds.Rows() {
		ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%3))
	}
	fit := func(ds *data.Dataset, settings ...string) []float64 {
		m, err := Fit(context.Background(), learn.Env{}, Made(t, sized(s.make()), settings...), ds,
			learn.Job{Seed: 3, Valid: data.AllRows(90)[70:], Rows: data.AllRows(70)})
		if err != nil {
			t.Fatal(err)
		}
		return predict(t, m, ds.Frame)
	}
	got := fit(ds, "class_weight=b=8")
	own := *ds
	own.Target.Weight = slices.Clone(ds.Target.Weight)
	for i, c := range ds.Target.Class {
		if c == 1 {
			own.Target.Weight[i] *= 8
		}
	}
	if want := fit(&own); !same(got, want) {
		t.Errorf("predictions differ by up to %g from those of the same weights by row",
			apart(got, want))
	}
}

// same reports whether predictions have the same bits.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y)
	})
}

// apart returns the largest difference.
func apart(a, b []float64) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

func isClassWeight(p param.Param) bool { return p.Name == "class_weight" }
