package coppice_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// sale is a row of a shop whose sales depend on the day of the week, the hour and a number.
type sale struct {
	At    time.Time `coppice:"at"`
	Size  float64   `coppice:"size"`
	Sales float64   `coppice:"sales"`
}

func sales() []sale {
	rows := make([]sale, 240)
	for i := range rows {
		at := time.Date(2024, 2, 20, 0, 0, 0, 0, time.UTC).Add(time.Duration(i*37) * time.Hour)
		rows[i] = sale{at, float64(i * 7 % 5), float64(i*7%5) + float64(at.Hour())/8}
		if day := at.Weekday(); day == time.Saturday || day == time.Sunday {
			rows[i].Sales += 10
		}
	}
	return rows
}

// datedCSV writes rows as CSV, with dates by a layout of package time.
func datedCSV(rows []sale, layout string) []byte {
	var b strings.Builder
	b.WriteString("size,at\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "%v,%s\n", row.Size, row.At.Format(layout))
	}
	return []byte(b.String())
}

// learnerOf returns a learner of the catalog with parameters.
func learnerOf(t *testing.T, name, settings string) learn.Learner {
	t.Helper()
	row, err := catalog.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return learntest.Made(t, row.New(), strings.Fields(settings)...)
}

// predictions predicts all rows of a table.
func predictions(t *testing.T, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	return dst
}

// reopened stores a model and reads it.
func reopened(t *testing.T, m model.Model) model.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.coppice")
	if err := coppice.Save(path, m); err != nil {
		t.Fatal(err)
	}
	m, err := coppice.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestDatesFromEverywhere: models of all kinds are trained on structs. They predict the same for
// the structs, for single rows, and for CSV in any order of year, month and day.
func TestDatesFromEverywhere(t *testing.T) {
	rows := sales()
	f, err := data.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "sales"}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	for name, settings := range map[string]string{
		"cart": "prune=none", "gbm": "trees=20", "linear": "", "bag": "base=knn members=3", "vote": "members=a:cart,b:linear",
		"stack": "members=a:cart,b:knn meta_learner=cart passthrough=true folds=3", "forest": "trees=10",
	} {
		t.Run(name, func(t *testing.T) {
			m, err := coppice.Train(t.Context(), learnerOf(t, name, settings), ds, coppice.Seed(1))
			if err != nil {
				t.Fatal(err)
			}
			want := predictions(t, m, ds.Frame)
			if err := squaredError(want, rows); err > 10 { // of a constant it is 23
				t.Errorf("the error is %v: the model has learned nothing of the day of the week", err)
			}
			m = reopened(t, m)
			if got := predictions(t, m, f); !slices.Equal(got, want) {
				t.Error("structs are predicted otherwise than the training table")
			}
			schema := data.ReadOptions{Schema: &m.Spec().Schema, Bytes: map[string][]byte{
				"t.csv": datedCSV(rows, time.RFC3339)}}
			for _, read := range []func() (*data.Frame, error){
				func() (*data.Frame, error) {
					return csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Bytes: map[string][]byte{"t": datedCSV(rows, "02.01.2006 15:04")}}}, "t").Frame(t.Context())
				},
				func() (*data.Frame, error) {
					return csvdata.Open(csvdata.Options{ReadOptions: schema}, "t.csv").Frame(t.Context())
				},
			} {
				g, err := read()
				if err != nil {
					t.Fatal(err)
				}
				if got := predictions(t, m, g); !slices.Equal(got, want) {
					t.Errorf("columns %v are predicted otherwise than the training table", g.Schema.Names())
				}
			}
			p, err := m.Bind(&f.Schema, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			one := make([]float64, 1)
			for i := range 20 {
				if err := p.PredictRow(one, []float64{data.DateOf(rows[i].At), rows[i].Size, 0}); err != nil || one[0] != want[i] {
					t.Fatalf("row %d alone: %v, %v, in the table %v", i, one[0], err, want[i])
				}
			}
		})
	}
}

// squaredError returns the mean squared error of predictions.
func squaredError(got []float64, rows []sale) float64 {
	sum := 0.0
	for i, row := range rows {
		sum += (got[i] - row.Sales) * (got[i] - row.Sales)
	}
	return sum / float64(len(rows))
}

// TestDatesOfClasses: a calibrated model finds dates too. Training, cross-validation and evaluation
// expand the dates of a data set where this was not done before.
func TestDatesOfClasses(t *testing.T) {
	rows := sales()
	f, err := data.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f.Select([]int{0, 1}), Target: data.Target{Name: "busy", Task: data.Binary, Classes: []string{"no", "yes"}, Class: make([]uint32, len(rows))}}
	for i, row := range rows {
		if row.Sales > 10 {
			ds.Target.Class[i] = 1
		}
	}
	l := learnerOf(t, "calibrate", "base=cart")
	m, err := coppice.Train(t.Context(), l, ds, coppice.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	expanded, err := ds.Expanded(nil)
	if err != nil {
		t.Fatal(err)
	}
	m = reopened(t, m)
	if !slices.Equal(predictions(t, m, ds.Frame), predictions(t, m, expanded.Frame)) {
		t.Error("dates are predicted otherwise than their parts")
	}
	for _, set := range []*data.Dataset{ds, expanded} {
		r, err := eval.EvaluateRows(t.Context(), m, set, nil, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if auc, ok := r.Metrics.Get("auc"); !ok || auc < 0.99 {
			t.Errorf("auc %v", auc)
		}
	}
	cv, err := eval.CrossValidate(t.Context(), learnerOf(t, "cart", ""), ds, &split.Plan{K: 3}, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if auc, ok := cv.Pooled.Metrics.Get("auc"); !ok || auc < 0.9 {
		t.Errorf("auc of cross-validation %v", auc)
	}
}

// TestDatesOfMembers: a model of a file counts days from the first date of its own table; among
// others it predicts as alone.
func TestDatesOfMembers(t *testing.T) {
	rows := sales()
	dataset := func(rows []sale) *data.Dataset {
		f, err := data.FromStructs(rows)
		if err != nil {
			t.Fatal(err)
		}
		ds, err := data.Roles{Label: "sales"}.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	for i := range rows {
		rows[i].Sales = float64(i) // which the days alone explain
	}
	early, late := dataset(rows), dataset(rows[120:])
	m, err := coppice.Train(t.Context(), learnerOf(t, "cart", "prune=none"), early)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "early.coppice")
	if err := coppice.Save(path, m); err != nil {
		t.Fatal(err)
	}
	both, err := coppice.Train(t.Context(), learnerOf(t, "vote", "members=a:@"+path), late)
	if err != nil {
		t.Fatal(err)
	}
	if got := predictions(t, both, late.Frame); !slices.Equal(got, predictions(t, m, late.Frame)) {
		t.Error("the member predicts otherwise than alone")
	}
	f, err := data.FromStructs(rows[120:])
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(predictions(t, m, f), predictions(t, m, late.Frame)) {
		t.Error("parts that count from another date are predicted otherwise than their dates")
	}
	if got := predictions(t, both, f); !slices.Equal(got, predictions(t, m, f)) {
		t.Error("the member predicts dates otherwise than alone")
	}
	var missing *model.MissingColumnError
	if _, err := both.Bind(&f.Select([]int{1}).Schema, model.Options{}); !errors.As(err, &missing) || missing.Column != "at" {
		t.Errorf("a table without dates: %v", err)
	}
}

// TestBikeDates: of the bikes that are rented on a day, the date explains much that the temperature
// does not.
func TestBikeDates(t *testing.T) {
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		root = filepath.Join("..", "shared")
	}
	path := filepath.Join(root, "data", "bike", "day.csv")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the shared data is absent (COPPICE_DATA, else ../shared beside the project): %v", err)
	}
	f, err := csvdata.Open(csvdata.Options{}, path).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r2 := func(columns ...string) float64 {
		var at []int
		for _, name := range append(columns, "cnt") {
			at = append(at, f.Schema.Index(name))
		}
		ds, err := data.Roles{Label: "cnt"}.Apply(f.Select(at))
		if err != nil {
			t.Fatal(err)
		}
		var train, test []int32
		for row := range int32(ds.Rows()) {
			if row%3 == 0 {
				test = append(test, row)
			} else {
				train = append(train, row)
			}
		}
		m, err := coppice.Train(t.Context(), learnerOf(t, "forest", "trees=50"), ds, coppice.Rows(train), coppice.Seed(1))
		if err != nil {
			t.Fatal(err)
		}
		r, err := eval.EvaluateRows(t.Context(), m, ds, test, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := r.Metrics.Get("r2")
		return v
	}
	without, with := r2("temp"), r2("temp", "dteday")
	t.Logf("R2 on days held out: %.3f by the temperature, %.3f with the date", without, with)
	if without > 0.5 || with < 0.75 {
		t.Errorf("R2 is %.3f by the temperature, %.3f with the date: want at most 0.5 and at least 0.75", without, with)
	}
}

// TestDatesResume: rounds are added to a model by its own parts of dates; a table whose days count
// from another date is refused.
func TestDatesResume(t *testing.T) {
	rows := sales()
	f, err := data.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	dataset := func(f *data.Frame, like *data.Schema) *data.Dataset {
		ds, err := data.Roles{Label: "sales", Like: like}.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	early, late := f.Subset(data.AllRows(120)), f.Subset(data.AllRows(240)[120:])
	l := learnerOf(t, "gbm", "trees=5 early_stopping=0")
	first, err := coppice.Train(t.Context(), l, dataset(early, nil))
	if err != nil {
		t.Fatal(err)
	}
	job := learn.Job{Start: &learn.Checkpoint{Model: first}}
	if _, err := coppice.Train(t.Context(), l, dataset(early.Subset(data.AllRows(120)[1:]), nil), coppice.Job(job)); err == nil || !strings.Contains(err.Error(), `"at.days" is another part of its dates`) {
		t.Errorf("days since another date: %v", err)
	}
	// that training expands
	raw := &data.Dataset{Frame: late.Select([]int{0, 1}), Target: dataset(late, nil).Target}
	var want []float64
	for _, ds := range []*data.Dataset{dataset(late, &first.Spec().Schema), raw} {
		m, err := coppice.Train(t.Context(), l, ds, coppice.Job(job))
		if err != nil {
			t.Fatal(err)
		}
		got := predictions(t, m, f)
		if want != nil && !slices.Equal(got, want) {
			t.Error("training expands dates otherwise than Roles")
		}
		want = got
	}
}
