package eval

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// leaf is a model of classes that predicts the same for all rows of a table with a column x.
func leaf(t *testing.T, task data.Task, classes []string) (*model.Ensemble, *data.Frame) {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, len(classes), false)
	value := make([]float64, len(classes))
	for i := range value {
		value[i] = float64(1 + i)
	}
	b.SetValue(0, value)
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: []float64{1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	return &model.Ensemble{Trees: []*tree.Tree{grown}, Combine: model.Mean,
		Meta: model.Spec{Schema: f.Schema, Task: task, Classes: classes, Learner: "cart"}}, f
}

// The confusion matrix, and the probabilities of all rows, must fit into the memory.
func TestMemoryOfClasses(t *testing.T) {
	classes := []string{"a", "b", "c"}
	m, f := leaf(t, data.Multiclass, classes)
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Multiclass, Classes: classes, Class: []uint32{0, 1, 2}}}
	for limit, fits := range map[memory.Limit]bool{71: false, 72: true} { // 3 x 3 numbers
		_, err := newBound(m, ds, model.Options{Memory: limit})
		if errors.Is(err, memory.ErrLimit) == fits || err != nil && !strings.Contains(err.Error(), "matrix of 3 classes") {
			t.Errorf("matrix, limit %d: %v", limit, err)
		}
	}
	for limit, fits := range map[memory.Limit]bool{143: false, 144: true} { // 3 rows of 3 classes, twice
		_, err := Sample(t.Context(), m, ds, nil, model.Options{Memory: limit})
		if errors.Is(err, memory.ErrLimit) == fits || err != nil && !strings.Contains(err.Error(), "evaluation with 3 rows of 3 classes") {
			t.Errorf("rows, limit %d: %v", limit, err)
		}
	}
}

// Errors about a row of a block are about that of the table, and those about no row stay so. The
// error itself is not changed.
func TestLocated(t *testing.T) {
	frame, err := data.FromColumns(data.NamedColumn{Name: "x", Values: make([]float64, 10)})
	if err != nil {
		t.Fatal(err)
	}
	ds := data.BlockDataset{Dataset: data.Dataset{Frame: frame, Target: data.Target{Task: data.Regression, Y: [][]float64{make([]float64, 10)}}},
		Features: &halves{frame}}
	begin := 0
	for b, err := range ds.Labeled(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []int{-1, 0, 3} {
			given, want := &model.ValueError{Row: row}, row
			if row >= 0 {
				want += begin
			}
			var got *model.ValueError
			if !errors.As(located(given, &b), &got) || got.Row != want || given.Row != row {
				t.Errorf("row %d of the block from %d is now %+v", row, begin, got)
			}
		}
		other := errors.New("another")
		if located(other, &b) != other || located(nil, &b) != nil {
			t.Error("an error that names no row has changed")
		}
		begin += b.Rows()
	}
	if begin != 10 {
		t.Errorf("%d rows", begin)
	}
}

// halves is a frame in two blocks.
type halves struct{ *data.Frame }

func (h *halves) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		all := data.AllRows(h.Rows())
		half := len(all) / 2
		if yield(data.RowBlock{Frame: h.Subset(all[:half])}, nil) {
			yield(data.RowBlock{Frame: h.Subset(all[half:]), First: half}, nil)
		}
	}
}

// Learners are ranked by what is asked for, by the metric that all of them have in common, or by
// the main one.
func TestChooseMetric(t *testing.T) {
	for _, c := range []struct {
		name     string
		task     data.Task
		learners []string
		want     string
		higher   bool
	}{
		{"error", data.Binary, []string{"auc", "auc"}, "error", false},
		{"", data.Binary, []string{"auc", "auc"}, "auc", true},
		{"", data.Binary, []string{"brier"}, "brier", false},
		{"", data.Binary, []string{"auc", "brier"}, metric.Main(data.Binary), false},
		{"", data.Regression, []string{"", ""}, metric.Main(data.Regression), false},
		{"", data.Regression, nil, metric.Main(data.Regression), false},
		{"mae", data.Binary, nil, "", false},
	} {
		got, higher, err := ChooseMetric(c.name, c.task, c.learners...)
		if of := (*MetricError)(nil); c.want == "" {
			if !errors.As(err, &of) || of.Error() != `"mae" is no metric of binary` || !slices.Contains(of.Known, "auc") {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if found, _ := metric.Lookup(c.want); err != nil || got != c.want || higher != found.Higher {
			t.Errorf("%+v: %q, higher %v, %v", c, got, higher, err)
		}
	}
}

// Scores of anomalies become the probabilities of two classes, with the labels that a threshold
// chooses. Without one nothing is changed.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		task      data.Task
		threshold float64
		width     int
		pred      []float64
		chosen    []uint32
		want      []float64
	}{
		{data.Anomaly, 0.5, 1, []float64{0.25, 0.75}, []uint32{0, 1}, []float64{0.75, 0.25, 0.25, 0.75}},
		{data.Anomaly, 0, 1, []float64{0.25, 0.75}, nil, []float64{0.25, 0.75}},
		{data.Binary, 0.25, 2, []float64{0.5, 0.5, 0.9, 0.1}, []uint32{1, 0}, []float64{0.5, 0.5, 0.9, 0.1}},
	} {
		s := &metric.Sample{Width: c.width, Pred: slices.Clone(c.pred)}
		choose(s, &model.Spec{Task: c.task, Decision: model.Decision{Threshold: c.threshold}})
		if !slices.Equal(s.Pred, c.want) || !slices.Equal(s.Chosen, c.chosen) || s.Width*2 != len(c.want) {
			t.Errorf("%+v: %+v", c, s)
		}
	}
}

// Predictions and a label of another kind cannot be compared.
func TestFits(t *testing.T) {
	classes := []string{"a", "b"}
	of := func(task data.Task, more ...func(*model.Spec)) *model.Spec {
		s := &model.Spec{Task: task}
		if task.Classes() || task == data.Anomaly {
			s.Classes = classes
		}
		for _, f := range more {
			f(s)
		}
		return s
	}
	y := [][]float64{{1, 2}}
	class := []uint32{0, 1}
	for _, c := range []struct {
		s    *model.Spec
		t    data.Target
		want string
	}{
		{of(data.Regression), data.Target{Y: y}, ""},
		{of(data.Regression), data.Target{Y: [][]float64{{1}, {2}}}, "the label has 2 outputs, evaluation takes one"},
		{of(data.Regression), data.Target{}, "the table has no label to compare predictions with"},
		{of(data.Regression), data.Target{Task: data.Binary, Class: class, Classes: classes}, "the model was trained for regression, the label is one of binary"},
		{of(data.Binary), data.Target{Class: class, Classes: classes}, ""},
		{of(data.Binary), data.Target{Class: class, Classes: []string{"b", "a"}}, `the model's classes are ["a" "b"], the label's are ["b" "a"]`},
		{of(data.Anomaly), data.Target{Class: class, Classes: []string{"x", "y"}}, ""},
		{of(data.Anomaly), data.Target{Class: class, Classes: []string{"b", "c"}}, `the model's classes are ["a" "b"], the label's are ["b" "c"]`},
		{of(data.Anomaly), data.Target{Class: class, Classes: []string{"c", "a"}}, `the model's classes are ["a" "b"], the label's are ["c" "a"]`},
		{of(data.Anomaly), data.Target{Name: "y", Y: y}, `the label "y" has numbers: scores of anomalies are compared with one of two classes, normal rows and anomalies`},
		{of(data.Anomaly), data.Target{Name: "y", Class: class, Classes: []string{"a"}}, `the label "y" has 1 class: scores of anomalies are compared with one of two classes, normal rows and anomalies`},
		{of(data.Anomaly), data.Target{Name: "y", Class: class, Classes: []string{"a", "b", "c"}}, `the label "y" has 3 classes: scores of anomalies are compared with one of two classes, normal rows and anomalies`},
		{of(data.Survival), data.Target{Y: y}, ""},
		{of(data.Survival, func(s *model.Spec) { s.Roles.Event = "e" }), data.Target{Y: y, Event: []uint8{1, 0}}, ""},
		{of(data.Survival, func(s *model.Spec) { s.Roles.Upper = "u" }), data.Target{Y: y, Upper: []float64{2, 3}}, ""},
		{of(data.Survival, func(s *model.Spec) { s.Roles.Event = "e" }), data.Target{Y: y}, `the model was trained with the column "e", and the times have neither events nor upper ends: data.Roles names their column, or all events are observed`},
		{of(data.Survival, func(s *model.Spec) { s.Roles.Upper = "u" }), data.Target{Y: y}, `the model was trained with the column "u", and the times have neither events nor upper ends: data.Roles names their column, or all events are observed`},
	} {
		got := ""
		if err := Fits(c.s, &c.t); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.s.Task, got, c.want)
		}
	}
}

// Rows that a set has not are the error of that set, and so are labels that no metric takes.
func TestErrorsOfSets(t *testing.T) {
	classes := []string{"a", "b"}
	m, f := leaf(t, data.Binary, classes)
	ds := &data.Dataset{Frame: f, Target: data.Target{Task: data.Binary, Classes: classes, Class: []uint32{0, 1, 1}}}
	var of *SetError
	_, err := EvaluateSets(t.Context(), m, ds, [][]int32{nil, {0, 3}}, SetOptions{})
	if missing := (*data.RowError)(nil); !errors.As(err, &of) || of.Set != 1 || !errors.As(err, &missing) || missing.Row != 3 ||
		of.Error() != missing.Error() {
		t.Errorf("a row that there is not: %v", err)
	}
	for _, weights := range [][]float64{{1, math.NaN(), 1}, {1, -1, 1}} {
		own := *ds
		own.Target.Weight = weights
		for _, rows := range [][]int32{{1, 2}, nil} {
			_, err = EvaluateSets(t.Context(), m, &own, [][]int32{{0}, rows}, SetOptions{})
			if !errors.As(err, &of) || of.Set != 1 || !strings.Contains(of.Error(), "has weight") {
				t.Errorf("weights %v: %v", weights, err)
			}
			small := SetOptions{Options: model.Options{Memory: 1}} // one row at a time
			if _, err = EvaluateSets(t.Context(), m, &own, [][]int32{rows}, small); err == nil {
				t.Errorf("weights %v of single rows are evaluated", weights)
			}
		}
	}
}

// What is undefined is null in JSON, and read again. What is no object of numbers is refused.
func TestMetricsAsJSON(t *testing.T) {
	m := Metrics{{Name: "b", Value: 0.5}, {Name: "a", Value: math.NaN()}, {Name: "c", Value: -2}}
	text, err := json.Marshal(m)
	if err != nil || string(text) != `{"b":0.5,"a":null,"c":-2}` {
		t.Fatalf("%s, %v", text, err)
	}
	var read Metrics
	if err := json.Unmarshal(text, &read); err != nil || len(read) != 3 || read[0] != m[0] || read[2] != m[2] ||
		read[1].Name != "a" || !math.IsNaN(read[1].Value) {
		t.Errorf("%v, %v", read, err)
	}
	for _, bad := range []string{`[1]`, `3`, `{"a":"b"}`, `{"a":{}}`} {
		kept := Metrics{{Name: "kept"}}
		if err := json.Unmarshal([]byte(bad), &kept); err == nil || len(kept) != 1 {
			t.Errorf("%s is read as %v", bad, kept)
		}
	}
	if _, err := json.Marshal(Metrics{{Name: "infinite", Value: math.Inf(1)}}); err == nil || !strings.Contains(err.Error(), "infinite: ") {
		t.Error(err)
	}
}

// A recorder has the predictions of the rows that it keeps, and nothing of a set without rows.
func TestRecordedPredictions(t *testing.T) {
	r := NewRecorder([][]int32{nil, data.AllRows(4)}, 1)
	s := numbered(3, 4, true)
	r.Each(0, s)
	if got := r.Predictions(0); got != nil {
		t.Errorf("%v of no rows", got)
	}
	if got := r.Predictions(1); got != nil {
		t.Errorf("%v before any row", got)
	}
	r.Each(1, pick(s, []int32{0, 1, 2}))
	r.Each(1, pick(s, []int32{3}))
	if got := r.Predictions(1); !slices.Equal(got, s.Pred) {
		t.Errorf("%v, want %v", got, s.Pred)
	}
	of := &Report{Rows: 4, Task: data.Regression, Metrics: Metrics{{Name: "rmse", Value: 2}}}
	for set, has := range []bool{false, true} {
		e, err := r.Record(t.Context(), set, of, model.OfTest)
		if err != nil || len(e.Metrics) != 1 || e.Metrics[0].Value != 2 || (e.Metrics[0].Low != nil) != has || (e.Metrics[0].High != nil) != has {
			t.Errorf("set %d: %+v, %v", set, e, err)
		}
	}
}
