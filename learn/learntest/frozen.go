package learntest

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Case is what another program predicts of a table in testdata, after training on its first rows.
type Case struct {
	Name        string
	File        string
	Train       int      // the first rows of the table
	Labels      []string // several are the outputs of a regression
	Ignored     []string // columns that are no features
	Settings    []string // parameters, as "name=value"
	Weighted    bool     // row i has the weight 1 + (i mod 7) / 10
	Raw         bool     // predictions are scores before the link
	Rows        []int32  // of which there are predictions
	Predictions [][]float64
	Tolerance   float64 // by how much predictions may differ
}

// ReadCases reads the list "cases" of a JSON file, which a script beside it made.
func ReadCases(t *testing.T, path string) []Case {
	t.Helper()
	f := reference.Read[struct{ Cases []Case }](t, path)
	if len(f.Cases) == 0 {
		t.Fatalf("%s has no cases", path)
	}
	return f.Cases
}

// Dataset reads the table, from a folder two below the project's root.
func (c *Case) Dataset(t *testing.T) *data.Dataset {
	t.Helper()
	f, err := csvdata.Open(csvdata.Options{}, "../../testdata/"+c.File).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: c.Labels[0]}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range c.Labels {
		at := f.Schema.Index(name)
		if ds.Target.Y == nil && f.Schema.Fields[at].Kind == data.Numeric {
			ds.Target.Task, ds.Target.Class, ds.Target.Classes = data.Regression, nil, nil
		}
		if ds.Target.Class != nil {
			break
		}
		ds.Target.Y = append(ds.Target.Y[:i], f.Columns[at].Numbers())
	}
	var features []int
	for i := range ds.Schema.Fields {
		if name := ds.Schema.Fields[i].Name; !slices.Contains(c.Labels, name) &&
			!slices.Contains(c.Ignored, name) {
			features = append(features, i)
		}
	}
	ds.Frame = ds.Select(features)
	if c.Weighted {
		for i := range ds.Rows() {
			ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
		}
	}
	return ds
}

// Check trains the learner and compares its predictions.
func (c *Case) Check(t *testing.T, l learn.Learner) model.Model {
	t.Helper()
	if err := l.Params().Set(c.Settings); err != nil {
		t.Fatal(err)
	}
	ds := c.Dataset(t)
	m, err := Fit(t.Context(), learn.Env{}, l, ds, learn.Job{Rows: data.AllRows(c.Train)})
	if err != nil {
		t.Fatal(err)
	}
	o := model.Options{}
	if c.Raw {
		o.Output = model.Raw
	}
	p, err := m.Bind(&ds.Schema, o)
	if err != nil {
		t.Fatal(err)
	}
	k := p.Width()
	dst := make([]float64, len(c.Rows)*k)
	if err := p.Predict(dst, ds.Frame, c.Rows); err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, want := range c.Predictions {
		if len(want) != k {
			t.Fatalf("%d values of a row, want %d", k, len(want))
		}
		for j, w := range want {
			got := dst[i*k+j]
			d := math.Abs(got-w) / max(1, math.Abs(w))
			worst = max(worst, d)
			if !(d <= c.Tolerance) {
				t.Fatalf("row %d: %.12g, want %.12g", c.Rows[i], dst[i*k:(i+1)*k], want)
			}
		}
	}
	t.Logf("largest difference %.1g", worst)
	return m
}
