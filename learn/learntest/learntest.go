// Package learntest owns the conformance suite that every learner of the catalog passes: awkward tables, repeated
// rows, any number of workers, cancelled contexts. A new row of the catalog is tested at once.
package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Run checks a learner that make returns with default parameters, on classes and on numbers.
func Run(t *testing.T, make func() learn.Learner) {
	for _, task := range []data.Task{data.Binary, data.Multiclass, data.Regression} {
		s := suite{make, task}
		t.Run(task.String(), func(t *testing.T) {
			t.Run("awkward tables", s.awkward)
			t.Run("one value is one answer", s.oneValue)
			t.Run("workers do not matter", s.workers)
			t.Run("repeated fits are equal", s.repeated)
			t.Run("cancelled", s.cancelled)
			t.Run("unseen values", s.unseen)
			t.Run("subset", s.subset)
		})
	}
	t.Run("parameters", func(t *testing.T) { parameters(t, make()) })
	t.Run("refuses other tasks", func(t *testing.T) {
		ds := table(20, data.Regression)
		ds.Target.Task = data.Ranking
		var wrong *learn.TaskError
		if _, err := fit(context.Background(), make(), ds, learn.Job{}); !errors.As(err, &wrong) {
			t.Errorf("error %v, want a TaskError", err)
		}
	})
}

type suite struct {
	make func() learn.Learner
	task data.Task
}

// table makes a data set with numeric and categorical columns that explain part of the target; both have missing
// values, and infinities.
func table(rows int, task data.Task) *data.Dataset {
	r := rng.New(11, uint64(rows))
	num, other, code := make([]float64, rows), make([]float64, rows), make([]uint32, rows)
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: task, Y: [][]float64{make([]float64, rows)}, Class: make([]uint32, rows)}}
	for i := range num {
		num[i], other[i], code[i] = float64(r.Intn(40)), r.Float64(), uint32(r.Intn(5))
		v := num[i]/8 + float64(code[i]) + 2*r.Float64()
		ds.Target.Y[0][i] = v
		ds.Target.Class[i] = uint32(min(2, int(v)/3))
		if task == data.Binary {
			ds.Target.Class[i] = uint32(min(1, int(v)/5))
		}
		switch r.Intn(30) {
		case 0:
			num[i] = math.NaN()
		case 1:
			code[i] = data.MissingCode
		case 2:
			other[i] = math.Inf(1)
		case 3:
			other[i] = math.Inf(-1)
		}
	}
	if task == data.Regression {
		ds.Target.Class = nil
	} else {
		ds.Target.Y = nil
		ds.Target.Classes = []string{"a", "b", "c"}
		if task == data.Binary {
			ds.Target.Classes = []string{"a", "b"}
		}
	}
	schema := data.Schema{Fields: []data.Field{{Name: "num"}, {Name: "other"}, {Name: "code", Kind: data.Categorical, Levels: []string{"p", "q", "r", "s", "t", "absent"}}}}
	ds.Frame = mustFrame(schema, []data.Column{{Num: num}, {Num: other}, {Code: code}})
	return ds
}

func mustFrame(s data.Schema, c []data.Column) *data.Frame {
	f, err := data.NewFrame(s, c)
	if err != nil {
		panic(err) // the suite's own tables are sound
	}
	return f
}

func fit(ctx context.Context, l learn.Learner, ds *data.Dataset, job learn.Job) (model.Model, error) {
	f, err := l.Prepare(ctx, ds.Frame, job.Rows, ds.Target.Weight, learn.Env{Workers: job.Workers})
	if err != nil {
		return nil, err
	}
	return f.Fit(ctx, &ds.Target, job)
}

// predict fits nothing: it returns the responses, after checking that they are finite, and shares of classes sum
// to 1.
func predict(t *testing.T, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := p.Width()
	dst := make([]float64, f.Rows()*k)
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	for i := range f.Rows() {
		sum := 0.0
		for _, v := range dst[i*k : (i+1)*k] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("row %d: response %v", i, dst[i*k:(i+1)*k])
			}
			sum += v
		}
		if m.Spec().Task.Classes() && math.Abs(sum-1) > 1e-9 {
			t.Fatalf("row %d: shares sum to %g", i, sum)
		}
	}
	return dst
}

// awkward fits tables on which careless code fails.
func (s suite) awkward(t *testing.T) {
	n := 24
	constant, missing, codes, none := make([]float64, n), make([]float64, n), make([]uint32, n), make([]uint32, n)
	large, tiny := make([]float64, n), make([]float64, n)
	for i := range n {
		constant[i], missing[i], none[i] = 3, math.NaN(), data.MissingCode
		large[i], tiny[i] = math.Inf(1-2*(i%2)), float64(i)*5e-324
	}
	numeric := func(v []float64) data.Column { return data.Column{Num: v} }
	for name, c := range map[string]data.Column{"constant": numeric(constant), "all missing": numeric(missing), "infinite": numeric(large),
		"subnormal": numeric(tiny), "one category": {Code: codes}, "no category": {Code: none}} {
		ds := table(n, s.task)
		field := data.Field{Name: "x"}
		if c.Code != nil {
			field.Kind, field.Levels = data.Categorical, []string{"only"}
		}
		ds.Frame = mustFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{c})
		m, err := fit(context.Background(), s.make(), ds, learn.Job{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		predict(t, m, ds.Frame)
	}
}

// oneValue: one row, or one label, gives that label everywhere.
func (s suite) oneValue(t *testing.T) {
	ds := table(50, s.task)
	for i := range 50 {
		if s.task == data.Regression {
			ds.Target.Y[0][i] = 0.1
		} else {
			ds.Target.Class[i] = 1
		}
	}
	for name, job := range map[string]learn.Job{"one row": {Rows: []int32{7}}, "one label": {}} {
		m, err := fit(context.Background(), s.make(), ds, job)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		k := m.Outputs()
		for i, v := range predict(t, m, ds.Frame) {
			want := 0.1
			if s.task != data.Regression {
				want = 0
				if i%k == 1 {
					want = 1
				}
			}
			if v != want {
				t.Fatalf("%s: row %d has response %g, want %g", name, i/k, v, want)
			}
		}
	}
}

func (s suite) workers(t *testing.T) {
	ds := table(3000, s.task)
	var want model.Model
	for _, workers := range []int{1, 2, 7} {
		m, err := fit(context.Background(), s.make(), ds, learn.Job{Seed: 5, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = m
		}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("%d workers grow another model than 1", workers)
		}
	}
}

// repeated: one fitter, used concurrently, gives the same model each time.
func (s suite) repeated(t *testing.T) {
	ds := table(400, s.task)
	f, err := s.make().Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
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
	ds := table(400, s.task)
	f, err := s.make().Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
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
	_, err = f.Fit(context.Background(), &ds.Target, learn.Job{Observe: func(learn.Round) error { return stop }})
	if err != nil && !errors.Is(err, stop) {
		t.Errorf("error %v, want the observer's", err)
	}
}

// unseen: missing values, categories outside the dictionary and levels without training rows get an answer.
func (s suite) unseen(t *testing.T) {
	ds := table(200, s.task)
	m, err := fit(context.Background(), s.make(), ds, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	schema := ds.Schema
	f := mustFrame(schema, []data.Column{{Num: []float64{nan, 1, math.Inf(1), math.Inf(-1)}}, {Num: []float64{nan, nan, 1, 2}},
		{Code: []uint32{data.MissingCode, data.UnseenCode, 5, 0}}})
	all := predict(t, m, f)
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range [][]float64{{nan, nan, nan}, {1, nan, -1}, {math.Inf(1), 1, 5}, {math.Inf(-1), 2, 0}} {
		dst := make([]float64, p.Width())
		if err := p.PredictRow(dst, row); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(dst, all[i*p.Width():(i+1)*p.Width()]) {
			t.Errorf("row %d alone is predicted %v, in the table %v", i, dst, all[i*p.Width():(i+1)*p.Width()])
		}
	}
}

// subset: rows outside the job do not matter, whatever their values.
func (s suite) subset(t *testing.T) {
	ds := table(300, s.task)
	rows := data.AllRows(200)
	want, err := fit(context.Background(), s.make(), ds, learn.Job{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	for i := 200; i < 300; i++ {
		ds.Columns[0].Num[i], ds.Columns[2].Code[i] = -1e300, data.MissingCode
		if s.task == data.Regression {
			ds.Target.Y[0][i] = 1e300
		} else {
			ds.Target.Class[i] = 0
		}
	}
	got, err := fit(context.Background(), s.make(), ds, learn.Job{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("rows that were not to be trained on changed the model")
	}
}

// parameters: defaults are valid, described, and survive JSON.
func parameters(t *testing.T, l learn.Learner) {
	set := l.Params()
	if err := set.Validate(); err != nil {
		t.Error(err)
	}
	for _, p := range set {
		if p.Help == "" || p.Range == "" {
			t.Errorf("%s has no help or no range", p.Name)
		}
		if p.Value() != p.Default {
			t.Errorf("%s is %q at the start, its default is %q", p.Name, p.Value(), p.Default)
		}
	}
}
