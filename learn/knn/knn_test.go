package knn_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	models "github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/knn"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/param"
)

// frozen is testdata/sklearn.json, which testdata/freeze.py made.
type frozen struct {
	Tables []struct {
		Name  string
		X     [][]float64
		Code  []uint32
		Y     []float64
		Class []uint32
	}
	Cases []struct {
		Name    string
		K       int
		Weights models.NeighbourWeights
		// which predicted rows have k nearest rows, whatever becomes of equal distances
		Clear         []bool
		Probabilities [][]float64
		Numbers       []float64
	}
}

// table returns a frozen table, and the rows to train on and to predict.
func (f *frozen) table(t *testing.T, name string) (ds *data.Dataset, train, rest []int32) {
	t.Helper()
	for _, table := range f.Tables {
		if table.Name != name {
			continue
		}
		schema, columns := data.Schema{}, []data.Column{}
		for k := range table.X[0] {
			column := make([]float64, len(table.X))
			for i := range table.X {
				column[i] = table.X[i][k]
			}
			schema.Fields = append(schema.Fields, data.Field{Name: string(rune('a' + k))})
			columns = append(columns, data.Numbers(column))
		}
		schema.Fields = append(schema.Fields, data.Field{Name: "code", Kind: data.Categorical,
			Levels: []string{"p", "q", "r"}})
		frame, err := data.NewFrame(schema, append(columns, data.Codes(table.Code)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range table.X {
			if i%4 != 0 {
				train = append(train, int32(i))
			} else {
				rest = append(rest, int32(i))
			}
		}
		return &data.Dataset{Frame: frame,
			Target: data.Target{Y: [][]float64{table.Y}, Class: table.Class,
				Classes: []string{"x", "y", "z"}}}, train, rest
	}
	t.Fatalf("no table %s", name)
	return nil, nil, nil
}

func read(t *testing.T) *frozen { return reference.Read[frozen](t, "testdata/sklearn.json") }

func fit(t *testing.T, l *knn.Learner, f *data.Frame, target *data.Target,
	rows []int32) model.Model {
	t.Helper()
	return learntest.MustFit(t, learn.Env{}, l, &data.Dataset{Frame: f, Target: *target},
		learn.Job{Rows: rows})
}

func predict(t *testing.T, m model.Model, f *data.Frame, rows []int32, o model.Output) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{Output: o}, rows)
}

// TestScikitLearn compares predictions of classes and of numbers with scikit-learn's.
func TestScikitLearn(t *testing.T) {
	f := read(t)
	for _, c := range f.Cases {
		ds, train, rest := f.table(t, c.Name)
		l := &knn.Learner{K: c.K, Weights: c.Weights}
		class := ds.Target
		class.Task, class.Y = data.Multiclass, nil
		probabilities := predict(t, fit(t, l, ds.Frame, &class, train), ds.Frame, rest,
			model.Response)
		number := data.Target{Task: data.Regression, Y: ds.Target.Y}
		numbers := predict(t, fit(t, l, ds.Frame, &number, train), ds.Frame, rest, model.Response)
		for i := range rest {
			if !c.Clear[i] {
				continue
			}
			for k, want := range c.Probabilities[i] {
				if got := probabilities[3*i+k]; math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, k %d, %s, row %d, class %d: %.12f, scikit-learn has %.12f",
						c.Name, c.K, c.Weights, i, k, got, want)
				}
			}
			if math.Abs(numbers[i]-c.Numbers[i]) > 1e-9 {
				t.Errorf("%s, k %d, %s, row %d: %.12f, scikit-learn has %.12f", c.Name, c.K,
					c.Weights, i, numbers[i], c.Numbers[i])
			}
		}
	}
}

// line is a table of one number, with the rows' labels.
func line(x, y []float64) *data.Dataset {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers(x)})
	if err != nil {
		panic(err) // a table of the test
	}
	return &data.Dataset{Frame: f, Target: data.Target{Task: data.Regression, Y: [][]float64{y}}}
}

// TestByHand: weights are factors, rows of weight 0 are not there, copies are rows, and all
// rows at one distance count.
func TestByHand(t *testing.T) {
	ds := line([]float64{0, 1, 2, 4, 7}, []float64{10, 20, 40, 80, 160})
	for _, c := range []struct {
		name    string
		k       int
		weights models.NeighbourWeights
		weight  []float64
		rows    []int32
		query   float64
		want    float64
	}{
		{"mean of two", 2, models.UniformWeights, nil, nil, 0.2, 15},
		{"both that are as far", 1, models.UniformWeights, nil, nil, 3, 60},
		{"both that are as far share a place", 2, models.UniformWeights, nil, []int32{1, 2, 3}, 3, 60},
		{"one nearer, two that are as far", 2, models.UniformWeights, nil, []int32{0, 1, 2, 2}, 1.1, 30},
		{"inverse distances, as far", 1, models.DistanceWeights, nil, nil, 3, 60},
		{"weights, as far", 1, models.UniformWeights, []float64{1, 1, 3, 1, 1}, nil, 3, 50},
		{"one and half of two", 2, models.UniformWeights, nil, []int32{2, 1, 0}, 1, 22.5},
		{"all", 99, models.UniformWeights, nil, nil, 0, 62},
		{"inverse distances", 2, models.DistanceWeights, nil, nil, 0.25, 12.5},
		{"distance 0", 3, models.DistanceWeights, nil, nil, 4, 80},
		{"weights", 2, models.UniformWeights, []float64{3, 1, 1, 1, 1}, nil, 0.2, 12.5},
		{"weights and distances", 2, models.DistanceWeights, []float64{1, 3, 1, 1, 1}, nil, 0.25, 15},
		{"weight 0", 2, models.UniformWeights, []float64{1, 0, 1, 1, 1}, nil, 0.2, 25},
		{"copies", 3, models.UniformWeights, nil, []int32{0, 1, 1, 2, 3, 4}, 0.2, 50.0 / 3},
	} {
		target := ds.Target
		target.Weight = c.weight
		m := fit(t, &knn.Learner{K: c.k, Weights: c.weights}, ds.Frame, &target, c.rows)
		query := line([]float64{c.query}, nil)
		if got := predict(t, m, query.Frame, []int32{0},
			model.Response)[0]; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// TestFarAway: rows absurdly far from all others are predicted, by inverse distances too.
func TestFarAway(t *testing.T) {
	ds := line([]float64{0, 1, 2}, []float64{1, 2, 6})
	m := fit(t, &knn.Learner{K: 2, Weights: models.DistanceWeights}, ds.Frame, &ds.Target, nil)
	far := line([]float64{1e300, -math.MaxFloat64}, nil)
	got := predict(t, m, far.Frame, []int32{0, 1}, model.Response)
	// both at 1e100 from all rows
	if want := []float64{3, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestOutputs: labels are those of the decision; there are no leaves and no quantiles.
func TestOutputs(t *testing.T) {
	ds := line([]float64{0, 1, 2}, nil)
	target := data.Target{Task: data.Binary, Class: []uint32{0, 0, 1},
		Classes: []string{"no", "yes"}}
	m := fit(t, &knn.Learner{K: 3, Weights: models.UniformWeights}, ds.Frame, &target,
		nil).(*models.Neighbours)
	if got := predict(t, m, ds.Frame, []int32{2}, model.Label); got[0] != 0 {
		t.Errorf("class %g, want that of the vote", got[0])
	}
	cautious := *m
	cautious.Meta.Decision.Threshold = 0.3
	if got := predict(t, &cautious, ds.Frame, []int32{2}, model.Label); got[0] != 1 {
		t.Errorf("class %g, want that of the threshold", got[0])
	}
	heavy := fit(t, &knn.Learner{K: 3, Weights: models.UniformWeights,
		ClassWeight: data.ClassWeight{Of: []param.Named{{Name: "yes", Value: 6}}}}, ds.Frame,
		&target, nil)
	if got := predict(t, heavy, ds.Frame, []int32{0}, model.Response); !slices.Equal(got,
		[]float64{0.25, 0.75}) {
		t.Errorf("probabilities %v with a class weight", got)
	}
	for _, o := range []model.Output{model.Leaf, model.Quantiles} {
		if _, err := m.Bind(&ds.Schema, model.Options{Output: o}); err == nil {
			t.Errorf("output %s is there", o)
		}
	}
}

// TestBadSettings: labels that cannot be stored are refused with their place, unknown settings
// before any work.
func TestBadSettings(t *testing.T) {
	ds := line([]float64{0, 1}, []float64{1, 1e200})
	f, err := knn.New().Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(context.Background(), &ds.Target, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(),
			"row 2: the label 1e+200 is too large for knn, whose limit on these rows is 1e+140") {
		t.Errorf("a label of 1e200: %v", err)
	}
	if _, err := (&knn.Learner{K: 0, Weights: 9}).Prepare(context.Background(), ds.Frame, nil, nil,
		learn.Env{}); err == nil ||
		!strings.Contains(err.Error(), "k") || !strings.Contains(err.Error(), "weights") {
		t.Errorf("both settings are wrong: %v", err)
	}
}

// TestTies: with categories alone many rows are at one distance. All of them count, so that the
// order of the rows does not matter.
func TestTies(t *testing.T) {
	code := []uint32{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	for _, backwards := range []bool{false, true} {
		if backwards {
			slices.Reverse(code)
		}
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "g",
			Kind: data.Categorical, Levels: []string{"a", "b"}}}}, []data.Column{data.Codes(code)})
		if err != nil {
			t.Fatal(err)
		}
		target := data.Target{Task: data.Binary, Class: code, Classes: []string{"no", "yes"}}
		query, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "g",
			Kind: data.Categorical, Levels: []string{"new", "b"}}}},
			[]data.Column{data.Codes([]uint32{0, data.MissingCode, 1})})
		if err != nil {
			t.Fatal(err)
		}
		got := predict(t, fit(t, knn.New(), f, &target, nil), query, []int32{0, 1, 2}, model.Response)
		for i, want := range []float64{2.0 / 3, 2.0 / 3, 1} {
			if math.Abs(got[2*i+1]-want) > 1e-12 {
				t.Errorf("row %d, backwards %t: %v, want %v", i, backwards, got[2*i+1], want)
			}
		}
	}
}
