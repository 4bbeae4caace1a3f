package coppice_test

import (
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// twoClasses is a table of two classes, of which the first is the rarer one.
func twoClasses(t *testing.T, positive string) *data.Dataset {
	t.Helper()
	type row struct {
		Size   float64
		Colour string
		Kind   string
	}
	var rows []row
	for i := range 60 {
		r := row{Size: float64(i*37%60) / 7, Colour: []string{"red", "blue", "green"}[i%3], Kind: "b"}
		if r.Size+float64(i%5) < 4 {
			r.Kind = "a"
		}
		rows = append(rows, r)
	}
	f, err := data.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "Kind", Positive: positive}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// Which class is the positive one changes nothing of a model but its name: of every learner the
// order of the classes, trees, raw scores, probabilities and labels are the same to the last bit.
// The name survives the file.
func TestPositiveClassChangesNoModel(t *testing.T) {
	for _, entry := range catalog.Table() {
		if needs := entry.New().Capabilities().Needs; needs.Unsupervised || needs.Survival {
			continue
		}
		t.Run(entry.Name, func(t *testing.T) {
			var models [2]model.Model
			for i, positive := range []string{"a", "b"} {
				models[i] = trainedOn(t, entry, positive)
				path := filepath.Join(t.TempDir(), "m.coppice")
				if err := coppice.Save(path, models[i]); err != nil {
					t.Fatal(err)
				}
				read, err := coppice.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				if models[i].Spec().Positive() != i || read.Spec().Positive() != i {
					t.Errorf("the positive class is %d, as read %d, want %d", models[i].Spec().Positive(), read.Spec().Positive(), i)
				}
				models[i] = read
			}
			if a, b := models[0].Spec(), models[1].Spec(); !slices.Equal(a.Classes, b.Classes) || string(a.Summary) != string(b.Summary) {
				t.Errorf("classes %q and %q, summaries %s and %s", a.Classes, b.Classes, a.Summary, b.Summary)
			}
			ds := twoClasses(t, "")
			for _, out := range []model.Output{model.Response, model.Raw, model.Label, model.Leaf} {
				a, err := predictionsOf(models[0], ds.Frame, out)
				b, otherErr := predictionsOf(models[1], ds.Frame, out)
				if (err == nil) != (otherErr == nil) {
					t.Fatalf("%s: %v, %v", out, err, otherErr)
				}
				if !slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
					t.Errorf("%s differs", out)
				}
			}
			if a, ok := models[0].(*model.Ensemble); ok && !reflect.DeepEqual(a.Trees, models[1].(*model.Ensemble).Trees) {
				t.Error("the trees differ")
			}
		})
	}
}

func predictionsOf(m model.Model, f *data.Frame, out model.Output) ([]float64, error) {
	p, err := m.Bind(&f.Schema, model.Options{Output: out, Workers: 1})
	if err != nil {
		return nil, err
	}
	values := make([]float64, f.Rows()*p.Width())
	return values, p.Predict(values, f, data.AllRows(f.Rows()))
}

// trainedOn trains a learner of the catalog, on the categories alone where it takes no numbers.
func trainedOn(t *testing.T, entry catalog.Entry, positive string) model.Model {
	t.Helper()
	ds := twoClasses(t, positive)
	if entry.New().Capabilities().Needs.Categorical {
		ds.Frame = ds.Select([]int{ds.Schema.Index("Colour")})
	}
	m, err := coppice.Train(t.Context(), learntest.Small(entry.New()), ds, coppice.Seed(3), coppice.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Where no class is named, the rarer one of the training rows is the positive class, not that of
// the whole table.
func TestTrainChoosesThePositiveClass(t *testing.T) {
	for _, c := range []struct {
		rows []int32
		want int
	}{{nil, 0}, {onlySome(twoClasses(t, "")), 1}} {
		ds := twoClasses(t, "")
		m, err := coppice.Train(t.Context(), cart.New(), ds, coppice.Rows(c.rows))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Spec().Positive(); got != c.want {
			t.Errorf("the positive class is %d, want %d", got, c.want)
		}
		if ds.Target.Positive.Why != "" {
			t.Error("the data set was changed")
		}
	}
}

// onlySome returns all rows of class a and two others.
func onlySome(ds *data.Dataset) (rows []int32) {
	others := 0
	for row, class := range ds.Target.Class {
		if class == 1 {
			others++
		}
		if class == 0 || others <= 2 {
			rows = append(rows, int32(row))
		}
	}
	return rows
}
