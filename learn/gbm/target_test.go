package gbm_test

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/losstest"
	"github.com/coppice-ml/coppice/model"
)

// TestInitScores: what is learned from initial scores is what they leave of the label.
func TestInitScores(t *testing.T) {
	ds := table(t, 300, data.Regression)
	y := ds.Target.Y[0]
	start, rest := make([]float64, len(y)), make([]float64, len(y))
	for i := range y {
		start[i] = float64(i%7) / 4
		rest[i] = y[i] - start[i]
	}
	ds.Target.Offset = start
	got := fit(t, ds, learn.Job{}, "trees=10")
	ds.Target.Y, ds.Target.Offset = [][]float64{rest}, make([]float64, len(y))
	want := fit(t, ds, learn.Job{}, "trees=10")
	if !reflect.DeepEqual(got.Trees, want.Trees) || !slices.Equal(got.Bias, []float64{0}) {
		t.Error("the trees are others than those of what initial scores leave")
	}
	ds.Target.Offset = make([]float64, 2*len(y))
	if _, err := tryFit(t.Context(), t, ds, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), "600 initial scores for 300 rows") {
		t.Errorf("error %v", err)
	}
}

// TestClassWeights are weights of rows, for bins, training and validation. With compat bins do not
// depend on classes.
func TestClassWeights(t *testing.T) {
	for _, c := range []struct {
		compat   string
		weighted bool // bins are
	}{{"none", true}, {"lightgbm", false}, {"xgboost", false}} {
		ds := table(t, 400, data.Binary)
		train, valid := trainTest(ds)
		job := learn.Job{Rows: train, Valid: valid}
		settings := []string{"trees=10", "categories=native", "bins=12", "compat=" + c.compat}
		got := fit(t, ds, job, append(settings, "class_weight=high=3")...)
		ds.Target.Weight = make([]float64, ds.Rows())
		for i, c := range ds.Target.Class {
			ds.Target.Weight[i] = float64(1 + 2*c)
		}
		var weight []float64
		if c.weighted {
			weight = ds.Target.Weight
		}
		f, err := learner(t, settings...).Prepare(t.Context(), ds.Frame, train, weight, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.Fit(t.Context(), &ds.Target, job)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Trees, want.(*model.Ensemble).Trees) ||
			!reflect.DeepEqual(summary(t, got), summary(t, want)) {
			t.Errorf("compat=%s: weights of classes are not those of their rows", c.compat)
		}
	}
}

// TestRepeatedRowsAreWeights: a row that is trained on twice has twice the weight, and whether
// other rows were prepared too does not matter to derivatives and values.
func TestRepeatedRowsAreWeights(t *testing.T) {
	ds := table(t, 300, data.Multiclass)
	var rows []int32
	weighted := table(t, 300, data.Multiclass)
	weighted.Target.Weight = make([]float64, 300)
	for i := range int32(300) {
		for range 1 + i%3 {
			rows = append(rows, i)
			weighted.Target.Weight[i]++
		}
	}
	for _, task := range [][]string{{"trees=8"}} {
		got := fit(t, ds, learn.Job{Rows: rows}, task...)
		f, err := learner(t, task...).Prepare(t.Context(), weighted.Frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.Fit(t.Context(), &weighted.Target, learn.Job{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Trees, want.(*model.Ensemble).Trees) {
			t.Error("repeated rows make another model than weights")
		}
	}
}

// TestEveryLoss trains with each loss of the table: its value falls on the rows of training.
func TestEveryLoss(t *testing.T) {
	for _, row := range loss.Table() {
		task := row.Tasks[len(row.Tasks)-1]
		ds := table(t, 400, task)
		switch task {
		case data.Ranking:
			ds.Target.Group = make([]int64, ds.Rows())
			for i := range ds.Target.Group {
				ds.Target.Group[i] = int64(i / 8)
				ds.Target.Y[0][i] = math.Floor(4 * max(0, ds.Target.Y[0][i]))
			}
		default:
			if task.Classes() {
				break
			}
			for i, y := range ds.Target.Y[0] { // within all domains
				ds.Target.Y[0][i] = min(max(y, 0.01), 0.99)
			}
		}
		m := fit(t, ds, learn.Job{}, "loss="+row.Name, "trees=20", "metric=loss",
			"training_metric=1", "leaves=8")
		values := summary(t, m).Curves[0].Values
		if len(values) < 2 {
			t.Errorf("%s: %+v", row.Name, summary(t, m))
			continue
		}
		if first, last := values[0], values[len(values)-1]; !(last < first) {
			t.Errorf("%s: the loss goes from %v to %v", row.Name, first, last)
		}
		p := predict(t, m, ds.Frame, nil, model.Response)
		if len(p) != ds.Rows()*m.Outputs() || slices.ContainsFunc(p, math.IsNaN) {
			t.Errorf("%s: %d predictions", row.Name, len(p))
		}
	}
}

// TestQuantilesAtOnce: several quantiles are outputs that do not cross.
func TestQuantilesAtOnce(t *testing.T) {
	ds := table(t, 600, data.Regression)
	m := fit(t, ds, learn.Job{}, "loss=quantile", "loss.quantiles=0.1,0.5,0.9", "trees=60",
		"leaves=6")
	p := predict(t, m, ds.Frame, nil, model.Response)
	below := [3]float64{}
	for i, y := range ds.Target.Y[0] {
		q := p[3*i : 3*i+3]
		if !slices.IsSorted(q) {
			t.Fatalf("row %d: quantiles %v", i, q)
		}
		for k := range q {
			if y <= q[k] {
				below[k] += 1.0 / 600
			}
		}
	}
	for k, want := range []float64{0.1, 0.5, 0.9} {
		if math.Abs(below[k]-want) > 0.06 {
			t.Errorf("%.3f of the rows are below their quantile %g", below[k], want)
		}
	}
}

// TestLinearLeaves: a function of straight pieces takes fewer trees of linear leaves.
func TestLinearLeaves(t *testing.T) {
	s := rng.New(8)
	x, y := make([]float64, 400), make([]float64, 400)
	for i := range x {
		x[i] = s.Float64()
		y[i] = math.Abs(x[i]-0.4) * 3
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers(x)})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{y}}}
	train, test := trainTest(ds)
	settings := []string{"trees=20", "learning_rate=0.5", "leaves=4", "linear_l2=0.01"}
	constant := evaluated(t, "rmse", fit(t, ds, learn.Job{Rows: train}, settings...), ds, test)
	job := learn.Job{Rows: train, Valid: test}
	m, all := checkpoints(t, ds, job, append(settings, "linear_tree=true", "early_stopping=0")...)
	if linear := evaluated(t, "rmse", m, ds, test); !(linear < constant/2) {
		t.Errorf("linear leaves have an error of %.4f, constant ones of %.4f", linear, constant)
	}
	o, err := losstest.New("squared").Bind(&ds.Target, test)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.Value(predict(t, m, ds.Frame, test, model.Raw), 1),
		summary(t, m).Curves[1].Values[19]; got != want {
		t.Errorf("the model has %v, training reported %v", got, want)
	}
	job.Start = all[5]
	if again := fit(t, ds, job, append(settings, "linear_tree=true",
		"early_stopping=0")...); !reflect.DeepEqual(again, m) {
		t.Error("resumed training ends elsewhere")
	}
}

// TestLinearLeavesOfMonotoneColumns: the constraint is proved of the model, and leaves that it does
// not bind have equations.
func TestLinearLeavesOfMonotoneColumns(t *testing.T) {
	ds := table(t, 500, data.Regression)
	for i := range ds.Target.Y[0] {
		ds.Target.Y[0][i] += math.Sin(float64(i)) // noise to be tempted by
	}
	for _, growth := range []string{"leaf", "symmetric"} {
		m := fit(t, ds, learn.Job{}, "linear_tree=true", "monotone=d=1", "trees=20",
			"growth="+growth)
		sloped := 0
		for _, tr := range m.Trees {
			for n := range int32(tr.Len()) {
				if _, terms, _ := tr.Equation(n); len(terms) > 0 {
					sloped++
				}
			}
		}
		if sloped == 0 {
			t.Errorf("%s: no leaf has an equation", growth)
		}
		if found, err := explain.Monotone(t.Context(), m, 3, true); err != nil || !found.Proven {
			t.Errorf("%s: %+v, %v", growth, found, err)
		}
		m = fit(t, ds, learn.Job{}, "linear_tree=true", "trees=20", "growth="+growth)
		if _, err := explain.Monotone(t.Context(), m, 3, true); err == nil ||
			!strings.Contains(err.Error(), `below splits by column "d"`) {
			t.Errorf("%s, without the constraint: %v", growth, err)
		}
	}
}

// TestConstraints: predictions do not fall with a rising column, and columns that may not be
// together are not.
func TestConstraints(t *testing.T) {
	ds := table(t, 500, data.Regression)
	for i := range ds.Target.Y[0] {
		ds.Target.Y[0][i] += math.Sin(float64(i)) // noise to be tempted by
	}
	for _, how := range []string{"loss=squared", "loss=absolute", "loss=quantile"} {
		m := fit(t, ds, learn.Job{}, "monotone=d=1,e=-1", how, "trees=40", "growth=depth")
		for column, sign := range map[int]float64{3: 1, 4: -1} {
			low, high := *ds.Frame, *ds.Frame
			low.Columns, high.Columns = slices.Clone(ds.Columns), slices.Clone(ds.Columns)
			low.Columns[column] = data.Numbers(make([]float64, 500))
			high.Columns[column] = data.Numbers(make([]float64, 500))
			for i := range 500 {
				low.Columns[column].Numbers()[i] = float64(i%50) / 50
				high.Columns[column].Numbers()[i] = float64(i%50+i%13) / 50
			}
			a, b := predict(t, m, &low, nil, model.Response),
				predict(t, m, &high, nil, model.Response)
			for i := range a {
				if sign*(b[i]-a[i]) < 0 {
					t.Fatalf("%s: column %d rises and the prediction goes from %v to %v", how,
						column, a[i], b[i])
				}
			}
		}
	}
	m := fit(t, ds, learn.Job{}, "interactions=a+b,c+d", "trees=30")
	for i, tr := range m.Trees {
		seen := make([]map[int32]bool, tr.Len()) // columns on the path to each node
		for n := range int32(tr.Len()) {
			for c := tr.Child(n); tr.Arity(n) > 0 && c < tr.Child(n)+tr.Arity(n); c++ {
				seen[c] = maps.Clone(seen[n])
				if seen[c] == nil {
					seen[c] = map[int32]bool{}
				}
				seen[c][tr.Feature(n)] = true
			}
			for a := range seen[n] {
				for b := range seen[n] {
					if a != b && a+b != 1 && (a+b != 5 || a*b != 6) {
						t.Fatalf("tree %d splits by columns %d and %d on one path", i, a, b)
					}
				}
			}
		}
	}
}
