package dense_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// encoding has the number x, standardised by mean 10 and deviation 2, and the category c.
func linearEncoding() dense.Encoding {
	return dense.Encoding{Columns: []dense.Column{
		{Field: 0, Mean: 10, Scale: 2, Low: 5, High: 20, Missing: -1, Unseen: -1},
		{Field: 1, Place: []int32{0, 1}, Fraction: []float64{0.25, 0.75}, Missing: -1, Unseen: -1},
	}}
}

func linearSpec(task data.Task, classes ...string) model.Spec {
	return model.Spec{Task: task, Classes: classes, Label: "y",
		Schema: data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "c", Kind: data.Categorical, Levels: []string{"p", "q"}}}}}
}

// numbers is y = 1 + 3 (x - 10) / 2 - 4 [c = p] + 8 [c = q].
func linearModel() *dense.Linear {
	return &dense.Linear{Model: dense.Model{Meta: linearSpec(data.Regression), Encoding: linearEncoding()},
		Bias: []float64{1}, Coef: []float64{3, -4, 8}}
}

func linearFrame(t *testing.T) *data.Frame {
	t.Helper()
	nan := math.NaN()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"q", "p", "new"}}, {Name: "x"}}},
		[]data.Column{data.Codes([]uint32{1, 0, 2, data.MissingCode, 1}), data.Numbers([]float64{12, 10, nan, math.Inf(-1), math.Inf(1)})})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func predictLinear(t *testing.T, m model.Model, o model.Output) []float64 {
	t.Helper()
	f := linearFrame(t)
	if err := m.(model.Checked).Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := m.Bind(&f.Schema, model.Options{Output: o})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	return dst
}

func TestPredictByHand(t *testing.T) {
	// c unknown: 0.25 * -4 + 0.75 * 8 = 5. Infinities count as 5 and 20.
	want := []float64{0, 9, 6, 1 - 7.5 + 5, 1 + 15 - 4}
	for _, o := range []model.Output{model.Response, model.Raw, model.Label} {
		if got := predictLinear(t, linearModel(), o); !slices.Equal(got, want) {
			t.Errorf("output %s: %v, want %v", o, got, want)
		}
	}
	two := linearModel()
	two.Bias, two.Coef = []float64{1, 0}, append(two.Coef, 1, 0, 0)
	if got := predictLinear(t, two, model.Response); two.Outputs() != 2 || !slices.Equal(got[:4], []float64{0, 1, 9, 0}) {
		t.Errorf("two outputs: %v", got)
	}
}

func TestClasses(t *testing.T) {
	odds := &dense.Linear{Model: dense.Model{Meta: linearSpec(data.Binary, "no", "yes"), Encoding: linearEncoding()},
		Bias: []float64{0}, Coef: []float64{math.Log(3), 0, 0}, Link: link.Logistic()}
	got := predictLinear(t, odds, model.Response)
	if math.Abs(got[0]-0.25) > 1e-15 || math.Abs(got[1]-0.75) > 1e-15 || got[2] != 0.5 || odds.Outputs() != 2 {
		t.Errorf("probabilities %v", got)
	}
	if got := predictLinear(t, odds, model.Label); !slices.Equal(got, []float64{1, 0, 0, 0, 1}) {
		t.Errorf("labels %v", got)
	}
	if got := predictLinear(t, odds, model.Raw); len(got) != 5 || got[0] != math.Log(3) {
		t.Errorf("scores %v", got)
	}
	odds.Meta.Decision.Costs = data.Costs{{0, 1}, {9, 0}}
	if got := predictLinear(t, odds, model.Label); !slices.Equal(got, []float64{1, 1, 1, 0, 1}) {
		t.Errorf("labels by cost %v", got)
	}
	clipped := &dense.Linear{Model: dense.Model{Meta: linearSpec(data.Multiclass, "a", "b", "c"), Encoding: linearEncoding()},
		Bias: []float64{1, 0, 0}, Coef: []float64{1, 0, 0, -1, 0, 0, 0, 0, 0}, Link: link.Clipped()}
	if got := predictLinear(t, clipped, model.Response); !slices.Equal(got[:6], []float64{1, 0, 0, 1, 0, 0}) {
		t.Errorf("clipped probabilities %v", got)
	}
}

// Scores beyond all numbers are the greatest there is, never NaN.
func TestOverflow(t *testing.T) {
	m := linearModel()
	m.Coef = []float64{math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64}
	got := predictLinear(t, m, model.Response)
	// Row 0 is 1 + MaxFloat64 - MaxFloat64, whose first sum loses the 1; row 4 has 5 - 1 times
	// MaxFloat64.
	if got[0] != 0 || got[1] != math.MaxFloat64 || got[4] != math.MaxFloat64 || got[3] != -math.MaxFloat64 {
		t.Errorf("%v", got)
	}
}

func TestNoLeavesNoQuantiles(t *testing.T) {
	f := linearFrame(t)
	for o, want := range map[model.Output]error{model.Leaf: model.ErrNoLeaves, model.Quantiles: model.ErrNoQuantiles} {
		if _, err := linearModel().Bind(&f.Schema, model.Options{Output: o}); !errors.Is(err, want) {
			t.Errorf("%s: %v", o, err)
		}
	}
}

func TestEquation(t *testing.T) {
	m := linearModel()
	e := m.Equation()
	// 1 + 3 (x - 10) / 2 = -14 + 1.5 x
	if e.Constant[0] != -14 || e.Terms[0].Coef[0] != 1.5 || e.Terms[0].Standard[0] != 3 || e.Terms[2].Name != "c = q" || e.Terms[2].Coef[0] != 8 || e.Scores != nil {
		t.Errorf("%+v", e)
	}
	d := m.Describe()
	if diff := cmp.Diff([][]string{{"(constant)", "-14", ""}, {"x", "1.5", "3"}, {"c = p", "-4", ""}, {"c = q", "8", ""}},
		d.Table.Rows); diff != "" || fmt.Sprint(d.Table.Columns) != "[{term true} {coefficient false} {per deviation false}]" {
		t.Error(diff, d.Table.Columns)
	}
	if d.Title != "weights" || d.Words != "3, and a constant, for 2 columns" {
		t.Errorf("size %q %q", d.Title, d.Words)
	}
	m = &dense.Linear{Model: dense.Model{Meta: linearSpec(data.Multiclass, "a", "b", "c"), Encoding: linearEncoding()},
		Bias: []float64{1, 2, 3}, Coef: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}}
	d = m.Describe()
	heading, rows := fmt.Sprint(d.Table.Columns), d.Table.Rows
	if heading != "[{term true} {a false} {b false} {c false}]" || strings.Join(rows[0], " ") != "(constant) -4 -18 -32" || strings.Join(rows[1], " ") != "x 0.5 2 3.5" {
		t.Errorf("%v %v", heading, rows)
	}
	text, err := json.Marshal(d.Content)
	if err != nil || !strings.Contains(string(text), `"scores":["a","b","c"],"constant":[-4,-18,-32],"terms":[{"name":"x","coefficient":[0.5,2,3.5],"standardised":[1,4,7]}`) {
		t.Errorf("%s, %v", text, err)
	}
	if d.Words != "3, and a constant, for 2 columns, of each of 3 scores" {
		t.Errorf("size %q", d.Words)
	}
}

// Coefficients and constants that no number holds are null in JSON; the others stay exact.
func TestEquationBeyondAllNumbers(t *testing.T) {
	m := linearModel()
	m.Encoding.Columns[0].Scale, m.Coef[0] = 0x1p-10, math.MaxFloat64
	for mean, constant := range map[float64]string{10: "-inf", -10: "inf", 0: "nan"} {
		m.Encoding.Columns[0].Mean, m.Encoding.Columns[0].Low = mean, min(5, mean)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		d := m.Describe()
		if rows := d.Table.Rows; rows[0][1] != constant || rows[1][1] != "inf" {
			t.Errorf("mean %v: %q, want the constant %s", mean, rows[:2], constant)
		}
		text, err := json.Marshal(d.Content)
		want := `{"constant":[null],"terms":[{"name":"x","coefficient":[null],` +
			`"standardised":[1.7976931348623157e+308]},{"name":"c = p","coefficient":[-4],` +
			`"standardised":[-4]},{"name":"c = q","coefficient":[8],"standardised":[8]}]}`
		if err != nil || string(text) != want {
			t.Errorf("mean %v: %s, %v, want %s", mean, text, err, want)
		}
	}
}

func TestLinearValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		edit func(*dense.Linear)
		want string
	}{
		{func(m *dense.Linear) { m.Bias, m.Coef = nil, nil }, "no score"},
		{func(m *dense.Linear) { m.Coef = m.Coef[1:] }, "2 coefficients for 1 scores of 3 places"},
		{func(m *dense.Linear) { m.Coef[0] = math.NaN() }, "not finite"},
		{func(m *dense.Linear) { m.Bias[0] = math.Inf(1) }, "not finite"},
		{func(m *dense.Linear) { m.Meta = linearSpec(data.Multiclass, "a", "b", "c") }, "1 scores for 3 classes"},
		{func(m *dense.Linear) { m.Meta.Quantiles = []float64{0.1, 0.9} }, "2 quantiles for 1 scores"},
		{func(m *dense.Linear) { m.Encoding.Columns[1].Field = 5 }, "field 5"},
		{func(m *dense.Linear) { m.Meta.Schema.Fields[0].Name = "" }, "no name"},
	} {
		m := linearModel()
		c.edit(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
