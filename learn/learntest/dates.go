package learntest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// dated makes a data set whose label the day of the week and the hour of a date column explain;
// before it stands a column of numbers that explain nothing. Dates may be missing.
func (s suite) dated(rows int) *data.Dataset {
	const hour = 3600e6
	r := rng.New(12, uint64(rows))
	ds := table(rows, s.task, false)
	when, noise := make([]float64, rows), make([]float64, rows)
	part := data.DatePart{Source: "when", Part: data.Weekday}
	for i := range when {
		when[i], noise[i] = 1.7e15+float64(r.Intn(24*300))*hour, r.Float64()
		weekend := part.Of(when[i]) > 5
		switch {
		case ds.Target.Y != nil:
			ds.Target.Y[0][i] = noise[i]
			if weekend {
				ds.Target.Y[0][i] += 5
			}
		case ds.Target.Class != nil && weekend:
			ds.Target.Class[i] = 1
		case ds.Target.Class != nil:
			ds.Target.Class[i] = uint32(i % len(ds.Target.Classes) &^ 1) // the others
		}
		if !s.needs.Complete && r.Intn(30) == 0 {
			when[i] = math.NaN()
		}
	}
	schema := data.Schema{Fields: []data.Field{{Name: "noise"}, {Name: "when", Kind: data.Date}}}
	ds.Frame = mustFrame(schema, []data.Column{data.Numbers(noise), data.Numbers(when)})
	return ds
}

// dates: a model of a table whose dates were expanded predicts rows with the dates one by one as it
// does the table. A learner that takes no numbers refuses the columns made of them, and names the
// dates. Given dates as they are, no learner makes a model.
func (s suite) dates(t *testing.T) {
	raw := s.dated(300)
	ds, err := raw.Expanded(nil)
	if err != nil {
		t.Fatal(err)
	}
	if names := ds.Schema.Names(); !slices.Equal(names,
		[]string{"noise", "when.year", "when.month", "when.weekday", "when.hour", "when.days"}) {
		t.Fatalf("features %v", names)
	}
	if m, err := Fit(context.Background(), learn.Env{}, s.learner, raw, learn.Job{}); err == nil {
		t.Errorf("a model of dates themselves: %+v", m.Spec().Schema)
	}
	m, err := Fit(context.Background(), learn.Env{}, s.learner, ds, learn.Job{Seed: 1})
	if s.needs.Categorical {
		var refused *learn.ColumnError
		if !errors.As(err, &refused) {
			t.Errorf("error %v, want a ColumnError", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want := predict(t, m, ds.Frame)
	few := raw.Subset([]int32{7, 8, 9})
	other, err := data.Expand(few, nil) // fewer columns, and days since another date
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(predict(t, m, other), predict(t, m, few)) {
		t.Error("parts that count from another date are predicted otherwise than their dates")
	}
	s.datedRows(t, m, raw.Frame, want)
	var missing *model.MissingColumnError
	if _, err := m.Bind(&raw.Select([]int{0}).Schema, model.Options{}); !errors.As(err, &missing) ||
		missing.Column != "when" {
		t.Errorf("a table without the dates: error %v, want one that names their column", err)
	}
}

// datedRows predicts single rows by the schema with the dates.
func (s suite) datedRows(t *testing.T, m model.Model, f *data.Frame, want []float64) {
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := p.Width()
	dst := make([]float64, w)
	for row := range 20 {
		if err := p.PredictRow(dst, values(f, row)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(dst, want[row*w:(row+1)*w]) {
			t.Fatalf("row %d alone is predicted %v, in the table %v", row, dst,
				want[row*w:(row+1)*w])
		}
	}
	var refused *model.ValueError
	if err := p.PredictRow(dst, []float64{0, math.Inf(1)}); !errors.As(err, &refused) ||
		refused.Column != "when" {
		t.Errorf("an infinite date: error %v, want a ValueError", err)
	}
}

// values returns a row as PredictRow takes it.
func values(f *data.Frame, row int) []float64 {
	var v []float64
	for i, c := range f.Columns {
		switch {
		case f.IsMissing(row, i):
			v = append(v, math.NaN())
		case c.Numbers() != nil:
			v = append(v, c.Number(row))
		case c.Code(row) == data.UnseenCode:
			v = append(v, -1)
		default:
			v = append(v, float64(c.Code(row)))
		}
	}
	return v
}
