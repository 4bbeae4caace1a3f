package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// constant is a learner whose model predicts the training rows' class frequencies, or mean, for
// every row. It records what it was given.
type constant struct {
	prepared, fitted [][]int32
	seeds            []uint64
	fail             int // the Fit, counted from 1, that fails
}

func (c *constant) Params() param.Set { return nil }

func (*constant) Capabilities() learn.Capabilities { return learn.Capabilities{} }

func (c *constant) Prepare(
	_ context.Context, features data.Features, rows []int32, _ []float64, _ learn.Env,
) (learn.Fitter, error) {
	f, err := features.InMemory()
	if err != nil {
		return nil, err
	}
	c.prepared = append(c.prepared, rows)
	return fitConstant{c, f}, nil
}

type fitConstant struct {
	*constant
	frame *data.Frame
}

func (c fitConstant) Fit(_ context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	c.fitted = append(c.constant.fitted, job.Rows)
	c.constant.fitted = c.fitted
	c.constant.seeds = append(c.constant.seeds, job.Seed)
	if len(c.constant.fitted) == c.fail {
		return nil, errors.New("the roof is on fire")
	}
	kind, value := tree.Scalar, []float64{0}
	if t.Task.Classes() {
		kind, value = tree.Counts, make([]float64, t.NumClasses())
	}
	total := 0.0
	for _, row := range job.Rows {
		w := t.WeightAt(row)
		total += w
		if t.Task.Classes() {
			value[t.Class[row]] += w
		} else {
			value[0] += w * t.Y[0][row]
		}
	}
	if kind == tree.Scalar {
		value[0] /= total
	}
	b := tree.NewBuilder(kind, len(value), false)
	b.SetValue(0, value)
	leaf, err := b.Build()
	if err != nil {
		return nil, err
	}
	m := &model.Ensemble{Trees: []*tree.Tree{leaf}, Combine: model.Mean,
		Meta: model.Spec{Schema: c.frame.Schema, Task: t.Task, Classes: t.Classes,
			Learner: "constant"}}
	return m, m.Validate()
}

func dataset(t *testing.T, rows int, target data.Target) *data.Dataset {
	t.Helper()
	cells := make([][]float64, rows)
	for i := range cells {
		cells[i] = []float64{float64(i)}
	}
	f, err := data.FromRows(cells, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: target}
}

func binary(t *testing.T) *data.Dataset {
	return dataset(t, 6, data.Target{Task: data.Binary, Classes: []string{"a", "b"},
		Class: []uint32{0, 0, 0, 0, 1, 1}})
}

// halves puts rows 0, 1 and 4 into one fold, 2, 3 and 5 into the other.
var halves = &split.Plan{K: 2, Assign: []int32{0, 0, 1, 1, 0, 1}}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

func expect(t *testing.T, m eval.Metrics, want map[string]float64) {
	t.Helper()
	if len(m) != len(want) {
		t.Errorf("metrics are %v, want %v", m, want)
	}
	for name, w := range want {
		if v, ok := m.Get(name); !ok || !near(v, w) {
			t.Errorf("%s is %v (%v), want %v", name, v, ok, w)
		}
	}
}

// train fits the constant learner on all rows.
func train(t *testing.T, ds *data.Dataset) model.Model {
	t.Helper()
	f, err := (&constant{}).Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Rows: data.AllRows(ds.Rows())})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ofBinary are the metrics of the constant 1/3 for b on binary: b in two of six rows, and in one of
// three.
var ofBinary = map[string]float64{"accuracy": 2.0 / 3, "balanced_accuracy": 0.5, "error": 1.0 / 3,
	"f1": 0, "mcc": 0, "auc": 0.5,
	"average_precision": 1.0 / 3, "logloss": -(2*math.Log(2.0/3) + math.Log(1.0/3)) / 3,
	"brier": 2.0 / 9}

func TestEvaluateClasses(t *testing.T) {
	ds := binary(t)
	r, err := eval.EvaluateRows(t.Context(), train(t, ds), ds, nil, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r.Metrics, ofBinary)
	want := &eval.Confusion{Classes: []string{"a", "b"}, Counts: [][]int64{{4, 0}, {2, 0}}}
	if d := cmp.Diff(want, r.Confusion); d != "" || r.Rows != 6 || r.Task != data.Binary {
		t.Errorf("%d rows, %s, confusion %s", r.Rows, r.Task, d)
	}
}

// A report of rows of one class leaves out what has no value there, as auc and balanced_accuracy.
func TestEvaluateSomeRows(t *testing.T) {
	ds := binary(t)
	r, err := eval.EvaluateRows(t.Context(), train(t, ds), ds, []int32{5, 4, 5}, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r.Metrics, map[string]float64{"accuracy": 0, "error": 1, "f1": 0,
		"average_precision": 1, "logloss": math.Log(3), "brier": 4.0 / 9})
	if d := cmp.Diff([][]int64{{0, 0}, {3, 0}}, r.Confusion.Counts); d != "" {
		t.Error(d)
	}
}

func TestEvaluateUsesWeights(t *testing.T) {
	ds := binary(t)
	m := train(t, ds)
	ds.Target.Weight = []float64{1, 0, 0, 0, 3, 0}
	r, err := eval.EvaluateRows(t.Context(), m, ds, []int32{0, 1, 4}, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := r.Metrics.Get("accuracy"); v != 0.25 {
		t.Errorf("accuracy %v, want 0.25", v)
	}
}

func TestReportJSON(t *testing.T) {
	ds := dataset(t, 2, data.Target{Task: data.Regression, Y: [][]float64{{1, 3}}})
	r, err := eval.EvaluateRows(t.Context(), train(t, ds), ds, nil, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rows":2,"task":"regression","metrics":{"rmse":1,"mae":1,"r2":0}}`
	got := text(t, r)
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	var back eval.Report
	if err := json.Unmarshal([]byte(got), &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(*r, back); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{`[]`, `{"rmse":"x"}`} {
		if err := json.Unmarshal([]byte(bad), &back.Metrics); err == nil {
			t.Errorf("%s was read as metrics", bad)
		}
	}
	ds = dataset(t, 3, data.Target{Task: data.Binary, Classes: []string{"no", "yes"},
		Class: []uint32{0, 0, 0}})
	if r, err = eval.EvaluateRows(t.Context(), train(t, ds), ds, nil, model.Options{}); err != nil {
		t.Fatal(err)
	}
	r.Metrics = r.Metrics[:2]
	want = `{"rows":3,"task":"binary","positive":"yes","metrics":{"accuracy":1,"error":0},"confusion":{"classes":["no","yes"],"counts":[[3,0],[0,0]]}}`
	if got := text(t, r); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// scores is a model of anomalies that makes x/8 of the column x and calls more than the threshold
// an anomaly.
func scores(t *testing.T, ds *data.Dataset, threshold float64) model.Model {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	for n := range int32(ds.Rows()) {
		last := b.Split(max(0, 2*n), tree.Split{Kind: tree.Numeric, SplitPoint: float64(n)})
		b.SetValue(last, []float64{float64(n) / 8})
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{grown},
		Meta: model.Spec{Schema: ds.Schema, Task: data.Anomaly,
			Classes:  []string{"normal", "anomaly"},
			Decision: model.Decision{Threshold: threshold}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// Scores of anomalies are compared with two classes, whatever they are called; the threshold
// decides what is called one.
func TestEvaluateScores(t *testing.T) {
	ds := dataset(t, 6, data.Target{Task: data.Binary, Classes: []string{"fine", "odd"},
		Class: []uint32{0, 0, 1, 0, 1, 1}})
	r, err := eval.EvaluateRows(t.Context(), scores(t, ds, 0.5), ds, nil, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r.Metrics, map[string]float64{"accuracy": 4.0 / 6, "error": 2.0 / 6, "auc": 8.0 / 9})
	if d := cmp.Diff(&eval.Confusion{Classes: []string{"fine", "odd"},
		Counts: [][]int64{{3, 0}, {2, 1}}}, r.Confusion); d != "" || r.Task != data.Anomaly {
		t.Errorf("task %s: %s", r.Task, d)
	}
	for _, c := range []struct {
		target data.Target
		want   string
	}{
		{data.Target{}, "the table has no label to compare predictions with"},
		{data.Target{Name: "y", Class: []uint32{0, 1, 2, 0, 0, 0}, Classes: []string{"a", "b", "c"}},
			`the label "y" has 3 classes: scores of anomalies are compared with one of two classes, normal rows and anomalies`},
		{data.Target{Name: "y", Y: [][]float64{make([]float64, 6)}},
			`the label "y" has numbers: scores of anomalies are compared with one of two classes, normal rows and anomalies`},
		{data.Target{Class: make([]uint32, 6), Classes: []string{"anomaly", "normal"}},
			`the model's classes are ["normal" "anomaly"], the label's are ["anomaly" "normal"]`},
	} {
		other := *ds
		other.Target = c.target
		if _, err := eval.EvaluateRows(t.Context(), scores(t, ds, 0.5), &other, nil,
			model.Options{}); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// eachScores is a learner of models of anomalies whose thresholds differ from fold to fold.
type eachScores struct {
	constant
	t  *testing.T
	ds *data.Dataset
}

func (*eachScores) Capabilities() learn.Capabilities { return learn.Capabilities{} }

func (l *eachScores) Prepare(
	context.Context, data.Features, []int32, []float64, learn.Env,
) (learn.Fitter, error) {
	return l, nil
}

func (l *eachScores) Fit(_ context.Context, _ *data.Target, job learn.Job) (model.Model, error) {
	return scores(l.t, l.ds, float64(1+job.Rows[0])/8), nil
}

// What is called an anomaly is decided by the threshold of each fold's own model, in the pooled
// report too.
func TestCrossValidateScores(t *testing.T) {
	ds := dataset(t, 6, data.Target{Task: data.Binary, Classes: []string{"fine", "odd"},
		Class: []uint32{0, 0, 1, 0, 1, 1}})
	cv, err := eval.CrossValidate(t.Context(), &eachScores{t: t, ds: ds}, ds, halves,
		eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Rows 0, 1 and 4 are tested with the threshold 3/8, rows 2, 3 and 5 with 1/8.
	expect(t, cv.Folds[0].Metrics, map[string]float64{"accuracy": 1, "error": 0, "auc": 1})
	expect(t, cv.Folds[1].Metrics, map[string]float64{"accuracy": 2.0 / 3, "error": 1.0 / 3,
		"auc": 0.5})
	expect(t, cv.Pooled.Metrics, map[string]float64{"accuracy": 5.0 / 6, "error": 1.0 / 6,
		"auc": 8.0 / 9})
	if cv.Pooled.Task != data.Anomaly || len(cv.Summary) != 3 {
		t.Errorf("task %s, %v", cv.Pooled.Task, cv.Summary)
	}
}

func TestEvaluateRefuses(t *testing.T) {
	ds := binary(t)
	m := train(t, ds)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	other := *ds
	other.Target = data.Target{Task: data.Binary, Classes: []string{"a", "c"},
		Class: make([]uint32, 6)}
	numbers := *ds
	numbers.Target = data.Target{Task: data.Regression, Y: [][]float64{make([]float64, 6)}}
	bare := *ds
	bare.Target = data.Target{}
	columns := *ds
	columns.Frame = ds.Select(nil)
	for _, c := range []struct {
		ctx  context.Context
		ds   *data.Dataset
		rows []int32
		want string
	}{
		{t.Context(), &other, nil, `the model's classes are ["a" "b"], the label's are ["a" "c"]`},
		{t.Context(), &numbers, nil, "the model was trained for binary, the label is one of regression"},
		{t.Context(), &bare, nil, "the table has no label to compare predictions with"},
		{t.Context(), &columns, nil, `the table has no column "x", which the model needs`},
		{t.Context(), ds, []int32{}, "no rows to evaluate"},
		{cancelled, ds, nil, "context canceled"},
	} {
		r, err := eval.EvaluateRows(c.ctx, m, c.ds, c.rows, model.Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, %v, want %s", r, err, c.want)
		}
	}
}

func TestCrossValidateClasses(t *testing.T) {
	c := &constant{}
	var rounds []learn.Round
	cv, err := eval.CrossValidate(t.Context(), c, binary(t), halves, eval.Options{
		Observe: func(r learn.Round) error { rounds = append(rounds, r); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	want := ofBinary
	for i := range cv.Folds {
		expect(t, cv.Folds[i].Metrics, want)
	}
	expect(t, cv.Pooled.Metrics, want)
	if d := cmp.Diff([][]int64{{4, 0}, {2, 0}}, cv.Pooled.Confusion.Counts); d != "" ||
		cv.Pooled.Rows != 6 {
		t.Errorf("pooled: %d rows, %s", cv.Pooled.Rows, d)
	}
	for _, s := range cv.Summary {
		if !near(s.Mean, want[s.Name]) || s.SD > 1e-15 || s.Folds != 2 {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
	if d := cmp.Diff([]learn.Round{{Stage: "fold", N: 1, Of: 2}, {Stage: "fold", N: 2, Of: 2}},
		rounds); d != "" {
		t.Error(d)
	}
}

// Neither Prepare nor Fit may see a test row, and each fold has its own seed, a function of the
// seed alone.
func TestCrossValidateShowsTrainingRowsOnly(t *testing.T) {
	c, again := &constant{}, &constant{}
	for _, l := range []*constant{c, again} {
		if _, err := eval.CrossValidate(t.Context(), l, binary(t), halves,
			eval.Options{Seed: 4}); err != nil {
			t.Fatal(err)
		}
	}
	want := [][]int32{{2, 3, 5}, {0, 1, 4}}
	if d := cmp.Diff(want, c.prepared); d != "" {
		t.Errorf("prepared: %s", d)
	}
	if d := cmp.Diff(want, c.fitted); d != "" {
		t.Errorf("fitted: %s", d)
	}
	if d := cmp.Diff(c.seeds, again.seeds); d != "" || c.seeds[0] == c.seeds[1] {
		t.Errorf("seeds %v: %s", c.seeds, d)
	}
}

func TestCrossValidateValues(t *testing.T) {
	ds := dataset(t, 6, data.Target{Task: data.Regression, Y: [][]float64{{1, 2, 5, 7, 3, 12}}})
	cv, err := eval.CrossValidate(t.Context(), &constant{}, ds, halves, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// The means are 2 in rows 0, 1, 4 and 8 in rows 2, 3, 5; each predicts the other rows.
	a, b := math.Sqrt((49.0+36+25)/3), math.Sqrt((9.0+25+100)/3)
	expect(t, cv.Folds[0].Metrics, map[string]float64{"rmse": a, "mae": 6,
		"r2": 1 - (49.0+36+25)/2})
	expect(t, cv.Folds[1].Metrics, map[string]float64{"rmse": b, "mae": 6,
		"r2": 1 - (9.0+25+100)/26})
	expect(t, cv.Pooled.Metrics, map[string]float64{"rmse": math.Sqrt((a*a + b*b) / 2), "mae": 6,
		"r2": 1 - 3*(a*a+b*b)/82})
	s := cv.Summary[0]
	if s.Name != "rmse" || !near(s.Mean, (a+b)/2) || !near(s.SD, (b-a)/math.Sqrt2) ||
		!near(s.SE, (b-a)/2) {
		t.Errorf("summary of rmse: %+v", s)
	}
}

// Where a metric has no value on some folds, the others make its summary; where on none, it has
// none.
func TestCrossValidateWithUndefinedMetrics(t *testing.T) {
	plan := &split.Plan{Assign: []int32{0, 0, 0, 1, 1, -1}}
	cv, err := eval.CrossValidate(t.Context(), &constant{}, binary(t), plan, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	folds := map[string]int{}
	for _, s := range cv.Summary {
		folds[s.Name] = s.Folds
	}
	if d := cmp.Diff(map[string]int{"accuracy": 2, "balanced_accuracy": 1, "error": 2, "f1": 1,
		"mcc": 1, "auc": 1,
		"average_precision": 1, "logloss": 2, "brier": 2}, folds); d != "" {
		t.Error(d)
	}
	if cv.Pooled.Rows != 5 {
		t.Errorf("%d rows are pooled, one of 6 is never tested", cv.Pooled.Rows)
	}
}

func TestCrossValidationJSON(t *testing.T) {
	ds := dataset(t, 4, data.Target{Task: data.Regression, Y: [][]float64{{0, 2, 0, 2}}})
	plan := &split.Plan{Assign: []int32{0, 0, 1, 1}}
	cv, err := eval.CrossValidate(t.Context(), &constant{}, ds, plan, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const metrics = `{"rmse":1,"mae":1,"r2":0}`
	const one, zero = `{"mean":1,"sd":0,"se":0,"folds":2}`, `{"mean":0,"sd":0,"se":0,"folds":2}`
	want := `{"folds":[{"rows":2,"task":"regression","metrics":` + metrics +
		`},{"rows":2,"task":"regression","metrics":` + metrics + `}],` +
		`"summary":{"rmse":` + one + `,"mae":` + one + `,"r2":` + zero +
		`},"pooled":{"rows":4,"task":"regression","metrics":` + metrics + `}}`
	if got := text(t, cv); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestCrossValidateErrors(t *testing.T) {
	ds := binary(t)
	run := func(l learn.Learner, ds *data.Dataset, plan *split.Plan, o eval.Options) string {
		cv, err := eval.CrossValidate(t.Context(), l, ds, plan, o)
		if err == nil {
			t.Fatalf("no error but %v", cv)
		}
		return err.Error()
	}
	enough := errors.New("enough")
	bare := *ds
	bare.Target = data.Target{}
	for got, want := range map[string]string{
		run(&constant{fail: 2}, ds, halves,
			eval.Options{}): "fold 2 of 2: the roof is on fire",
		run(&constant{}, &bare, halves,
			eval.Options{}): "cross-validation needs a label",
		run(&constant{}, ds, &split.Plan{K: 7},
			eval.Options{}): "7 folds are more than the 6 rows",
		run(&constant{}, ds, halves,
			eval.Options{Observe: func(learn.Round) error { return enough }}): "enough",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A real learner finds a rule of one threshold, and its report is the same to the byte for any
// number of workers.
func TestCrossValidateCart(t *testing.T) {
	random := rng.New(8)
	cells, class := make([][]float64, 300), make([]uint32, 300)
	for i := range cells {
		cells[i] = []float64{random.Float64(), random.Float64(), random.Float64()}
		if cells[i][1] > 0.4 {
			class[i] = 1
		}
	}
	f, err := data.FromRows(cells, nil)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Task: data.Binary,
		Classes: []string{"low", "high"}, Class: class}}
	var texts []string
	for _, workers := range []int{1, 3} {
		cv, err := eval.CrossValidate(t.Context(), cart.New(), ds, &split.Plan{K: 5, Seed: 1},
			eval.Options{Workers: workers, Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := cv.Pooled.Metrics.Get("accuracy"); v < 0.97 || cv.Pooled.Rows != 300 {
			t.Errorf("accuracy %v on %d rows", v, cv.Pooled.Rows)
		}
		texts = append(texts, text(t, cv))
	}
	if texts[0] != texts[1] {
		t.Errorf("1 worker: %s\n3 workers: %s", texts[0], texts[1])
	}
}

// TestSummariesOfExtremes: mean and deviation over the folds are finite wherever the metrics are.
func TestSummariesOfExtremes(t *testing.T) {
	y := make([]float64, 40)
	for i := range y {
		y[i] = []float64{-0x1p1023, 0x1p1023, 0x1p1022}[i%3]
	}
	ds := dataset(t, 40, data.Target{Task: data.Regression, Y: [][]float64{y}})
	cv, err := eval.CrossValidate(t.Context(), linear.New(), ds,
		&split.Plan{Kind: split.Random, K: 4}, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range cv.Summary {
		for _, v := range []float64{s.Mean, s.SD, s.SE} {
			if math.IsNaN(v) || math.IsInf(v, 0) || s.Folds != 4 {
				t.Errorf("%+v", s)
			}
		}
	}
	if len(cv.Summary) != 3 || cv.Summary[0].Mean < 0x1p1022 {
		t.Errorf("%+v", cv.Summary)
	}
}

// F1, average precision and the report are of the positive class: the target's where it was chosen,
// else the model's.
func TestEvaluateThePositiveClass(t *testing.T) {
	ds := binary(t) // 1/3 for b everywhere, so that all rows are labeled a
	m := train(t, ds)
	for _, c := range []struct {
		model, chosen bool // the first class is the positive one
		why           string
		class         string
		f1, ap        float64
	}{
		{false, false, "", "b", 0, 1.0 / 3},
		{true, false, "", "a", 0.8, 2.0 / 3},
		{true, false, "it was named", "b", 0, 1.0 / 3},
		{false, true, "it was named", "a", 0.8, 2.0 / 3},
	} {
		m.Spec().Decision.FirstPositive = c.model
		ds.Target.Positive = data.Positive{First: c.chosen, Why: c.why}
		r, err := eval.EvaluateRows(t.Context(), m, ds, nil, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := maps.Clone(ofBinary)
		want["f1"], want["average_precision"] = c.f1, c.ap
		if expect(t, r.Metrics, want); r.Positive != c.class {
			t.Errorf("%+v: the positive class is %q", c, r.Positive)
		}
		rel, err := eval.Reliability(t.Context(), m, ds, nil, 3, model.Options{})
		if err != nil || rel.Class != c.class || !near(rel.Brier, 2.0/9) {
			t.Errorf("%+v: calibration of %+v, %v", c, rel, err)
		}
	}
}

// All folds, and all their rows together, have one positive class: the rarer of all rows, though it
// is not that in each fold.
func TestCrossValidateThePositiveClass(t *testing.T) {
	ds := dataset(t, 8, data.Target{Task: data.Binary, Classes: []string{"a", "b"},
		Class: []uint32{0, 0, 0, 1, 1, 1, 1, 1}})
	// trained without a, and on three of a to one of b
	plan := &split.Plan{Assign: []int32{0, 0, 0, 0, 1, 1, 1, 1}}
	cv, err := eval.CrossValidate(t.Context(), &constant{}, ds, plan, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(cv.Folds, *cv.Pooled) {
		if r.Positive != "a" {
			t.Errorf("the positive class of %d rows is %q", r.Rows, r.Positive)
		}
	}
	if ds.Target.Positive.Why != "" {
		t.Error("the data set was changed")
	}
	if got, ok := cv.Pooled.Metrics.Get("f1"); !ok || got != 0 {
		t.Errorf("f1 of a is %v: no row of it is found", got)
	}
}
