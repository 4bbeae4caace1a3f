package explain_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// TestReasonsAddUp: with the bias, the effects of all columns are the raw score, and the first of
// them are the largest. Each names the class or the direction of its sign, and its value is what
// the table has. A row alone has the same reasons.
func TestReasonsAddUp(t *testing.T) {
	for _, x := range []struct{ learner, label string }{{"gbm", "bought"}, {"gbm", "sales"},
		{"gbm", "size"}, {"cart", "left"}, {"forest", "size"}, {"forest", "bought"},
		{"linear", "sales"}} {
		t.Run(x.learner+"/"+x.label, func(t *testing.T) {
			f, ds := datatest.ReadMixed(t, x.label)
			l, err := catalog.New(x.learner)
			if err != nil {
				t.Fatal(err)
			}
			m := fitted(t, l, ds, data.AllRows(ds.Rows()))
			o := explain.ReasonOptions{ShapleyOptions: explain.ShapleyOptions{
				Background: f.Subset([]int32{1, 2, 3, 17, 60, 99})}}
			r, err := explain.NewReasons(t.Context(), m, &f.Schema, o)
			if err != nil {
				t.Fatal(err)
			}
			all, err := r.Table(t.Context(), f, mixedRows, math.MaxInt)
			if err != nil {
				t.Fatal(err)
			}
			score, class := explainedScores(t, m, f)
			for i, reasons := range all {
				row := mixedRows[i]
				sum := r.Shapley.Bias[min(class[row], r.Shapley.Scores-1)]
				for k, reason := range reasons {
					sum += reason.Effect
					if k > 0 && math.Abs(reason.Effect) > math.Abs(reasons[k-1].Effect) {
						t.Errorf("row %d: %v is behind %v", row, reason, reasons[k-1])
					}
					checkReason(t, m.Spec(), f, int(row), class[row], reason)
				}
				if want := score[row]; math.Abs(sum-want) > 1e-9*max(1, math.Abs(want)) {
					t.Errorf("row %d: effects add up to %v, the score is %v", row, sum, want)
				}
			}
			few, err := r.Table(t.Context(), f, mixedRows, 2)
			if err != nil {
				t.Fatal(err)
			}
			own, err := explain.NewReasons(t.Context(), m, &ds.Schema, o)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range mixedRows {
				alone, err := own.Row(valuesOf(ds.Frame, int(row)), 2)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(few[i], all[i][:min(2, len(all[i]))]) || !slices.Equal(alone, few[i]) {
					t.Errorf("row %d: alone %v, two of a table %v, all %v", row, alone, few[i], all[i])
				}
			}
		})
	}
}

// explainedScores returns by row the raw score that reasons explain, and the class of it: the
// positive one of two, or the predicted one.
func explainedScores(t *testing.T, m model.Model, f *data.Frame) (score []float64, class []int) {
	t.Helper()
	predicted := func(output model.Output) (values []float64, width int) {
		p, err := m.Bind(&f.Schema, model.Options{Output: output})
		if err != nil {
			t.Fatal(err)
		}
		values = make([]float64, f.Rows()*p.Width())
		if err := p.Predict(values, f, nil); err != nil {
			t.Fatal(err)
		}
		return values, p.Width()
	}
	raw, width := predicted(model.Raw)
	label, _ := predicted(model.Label)
	for row := range f.Rows() {
		at := max(0, m.Spec().Positive())
		if m.Spec().Task == data.Multiclass {
			at = int(label[row])
		}
		class = append(class, at)
		switch v := raw[row*width:][:width]; {
		case width == 1 && len(m.Spec().Classes) == 2 && at == 0:
			score = append(score, -v[0])
		default:
			score = append(score, v[min(at, width-1)])
		}
	}
	return score, class
}

// checkReason compares the value of a reason with that of the table as it was read, and what it
// speaks for with the sign of its effect.
func checkReason(
	t *testing.T, s *model.Spec, f *data.Frame, row, class int, r explain.Reason,
) {
	t.Helper()
	up, down := "up", "down"
	if s.Task.Classes() {
		if up, down = s.Classes[class], ""; len(s.Classes) == 2 {
			down = s.Classes[1-class]
		}
	}
	if want := map[bool]string{true: up, false: down}[r.Effect > 0]; r.Towards != want {
		t.Errorf("row %d: %v is towards %q, want %q", row, r, r.Towards, want)
	}
	at := f.Schema.Index(r.Column)
	want := ""
	switch c := &f.Columns[at]; {
	case f.IsMissing(row, at) || f.Schema.Fields[at].Kind == data.Text:
	case c.Codes() != nil:
		want = f.Schema.Fields[at].Levels[c.Code(row)]
	case f.Schema.Fields[at].Kind == data.Date:
		want = data.DateText(c.Number(row))
	default:
		want = strconv.FormatFloat(c.Number(row), 'f', -1, 64)
	}
	if r.Value != want {
		t.Errorf("row %d: the value of %s is %q, want %q", row, r.Column, r.Value, want)
	}
}

// Parts of dates stand for the date where its days are none of them. New categories have no text.
func TestReasonsOfPartsAndNewCategories(t *testing.T) {
	day := data.Field{Name: "day.month", From: &data.DatePart{Source: "day", Part: data.Month}}
	hour := data.Field{Name: "day.hour", From: &data.DatePart{Source: "day", Part: data.Hour}}
	kind := data.Field{Name: "kind", Kind: data.Categorical, Levels: []string{"a", "b"}}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{day, kind, hour}},
		[]data.Column{data.Numbers([]float64{1, 1, 5, 5}), data.Codes([]uint32{0, 1, 0, 1}),
			data.Numbers([]float64{1, 23, 1, 23})})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f,
		Target: data.Target{Task: data.Regression, Y: [][]float64{{0, 2, 3, 9}}}}
	l := gbm.New()
	l.Trees, l.MinLeaf = 20, 1
	m := fitted(t, l, ds, data.AllRows(4))
	r, err := explain.NewReasons(t.Context(), m, &f.Schema, explain.ReasonOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Row([]float64{5, -1, 23}, 5)
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	want := map[string]string{"day": "month=5 hour=23", "kind": ""}
	for _, reason := range got {
		if text, known := want[reason.Column]; !known || reason.Value != text {
			t.Errorf("%v", reason)
		}
	}
	if _, err := explain.NewReasons(t.Context(), m, &f.Schema, explain.ReasonOptions{Score: 1}); err == nil ||
		err.Error() != "reasons for output 1: the model has 1 output" {
		t.Error(err)
	}
}

// A server makes reasons once, and answers each request with those of its row.
func ExampleReasons() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../testdata/iris/iris.csv", data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	learner := gbm.New()
	learner.Trees = 20
	m, err := coppice.Train(ctx, learner, ds)
	if err != nil {
		log.Fatal(err)
	}
	reasons, err := explain.NewReasons(ctx, m, &ds.Schema, explain.ReasonOptions{})
	if err != nil {
		log.Fatal(err)
	}
	found, err := reasons.Row([]float64{5.9, 3, 5.1, 1.8}, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range found {
		fmt.Println(strings.Join([]string{r.Column, r.Value, fmt.Sprintf("%+.2f", r.Effect),
			r.Towards}, " "))
	}
	// Output:
	// petal_length 5.1 +1.03 Iris-virginica
	// petal_width 1.8 +0.89 Iris-virginica
}
