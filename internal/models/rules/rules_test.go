package rules_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/model"
)

// weather is a list of four rules for the 14 days of Quinlan's table.
func weather() *rules.Rules {
	return &rules.Rules{
		Meta: model.Spec{
			Schema: data.Schema{Fields: []data.Field{
				{Name: "outlook", Kind: data.Categorical, Levels: []string{"sunny", "overcast", "rainy"}},
				{Name: "temperature"}, {Name: "humidity"}, {Name: "windy", Kind: data.Categorical, Levels: []string{"FALSE", "TRUE"}},
			}},
			Label: "play", Task: data.Binary, Classes: []string{"no", "yes"}, Learner: "rules",
		},
		List: []rules.Rule{
			{If: []rules.Condition{{Kind: rules.In, Feature: 0, Set: []uint64{1}}, {Kind: rules.Above, Feature: 2, SplitPoint: 75}},
				Value: []float64{3, 0}, Decided: 3, Covered: 3, Right: 3},
			{If: []rules.Condition{{Kind: rules.In, Feature: 0, Set: []uint64{4}}, {Kind: rules.NotIn, Feature: 3, Set: []uint64{1}}},
				Value: []float64{2, 0}, Decided: 2, Covered: 2, Right: 2},
			{If: []rules.Condition{{Kind: rules.Above, Feature: 1, SplitPoint: 64}, {Kind: rules.AtMost, Feature: 1, SplitPoint: 70.5}, {Kind: rules.AtMost, Feature: 1, SplitPoint: 75}},
				Value: []float64{0, 3}, Decided: 3, Covered: 4, Right: 3},
			{Value: []float64{0, 6}, Decided: 6, Covered: 14, Right: 9},
		},
	}
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	if err := weather().Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `
rule  play  covers   right  decides  if
   0  no         3  100.0%        3  outlook = sunny and humidity > 75
   1  no         2  100.0%        2  outlook = rainy and windy != FALSE
   2  yes        4   75.0%        3  64 < temperature <= 70.5
   3  yes       14   64.3%        6  otherwise
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
	d := weather().Describe()
	var words [][]string
	for _, r := range d.Rules {
		words = append(words, r.If)
	}
	if got := fmt.Sprint(words); got != "[[outlook = sunny humidity > 75] [outlook = rainy windy != FALSE] [64 < temperature <= 70.5] []]" {
		t.Errorf("words %s", got)
	}
	if d.String() != "4 rules, 7 conditions" {
		t.Errorf("described as %s", d.String())
	}
}

// TestProbabilities: (w + 1) / (W + K); a class that no rule has weight of has no probability.
func TestProbabilities(t *testing.T) {
	m := weather()
	if got, want := m.Probabilities(), [][]float64{{4.0 / 5, 1.0 / 5}, {3.0 / 4, 1.0 / 4}, {1.0 / 5, 4.0 / 5}, {1.0 / 8, 7.0 / 8}}; !reflect.DeepEqual(got, want) {
		t.Errorf("probabilities %v, want %v", got, want)
	}
	m.Meta.Classes = append(m.Meta.Classes, "perhaps")
	for i := range m.List {
		m.List[i].Value = append(m.List[i].Value, 0)
	}
	if got := m.Probabilities()[0]; !slices.Equal(got, []float64{4.0 / 5, 1.0 / 5, 0}) {
		t.Errorf("probabilities with an empty class: %v", got)
	}
	one := &rules.Rules{Meta: m.Meta, List: []rules.Rule{{Value: []float64{0, 0, 0.25}}}}
	if got := one.Probabilities()[0]; !slices.Equal(got, []float64{0, 0, 1}) {
		t.Errorf("probabilities of one class: %v", got)
	}
}

// TestMissingAndUnseen: a missing value fails every condition; a category never seen in training is
// outside every set.
func TestMissingAndUnseen(t *testing.T) {
	m := weather()
	p, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Leaf})
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for _, c := range []struct {
		row  []float64
		want float64
	}{
		{[]float64{0, 80, 80, 0}, 0},
		{[]float64{0, 80, nan, 0}, 3},
		{[]float64{nan, 80, 80, 1}, 3},
		{[]float64{-1, 70, 80, 1}, 2},
		{[]float64{2, 80, 80, 1}, 1},
		{[]float64{2, 80, 80, -1}, 1},
		{[]float64{2, 80, 80, nan}, 3},
		{[]float64{nan, nan, nan, nan}, 3},
		{[]float64{1, math.Inf(1), math.Inf(1), 0}, 3},
		{[]float64{0, 0, math.Inf(1), 0}, 0},
		{[]float64{1, 64, 0, 0}, 3},
	} {
		dst := []float64{-1}
		if err := p.PredictRow(dst, c.row); err != nil {
			t.Fatal(err)
		}
		if dst[0] != c.want {
			t.Errorf("%v is decided by rule %g, want %g", c.row, dst[0], c.want)
		}
	}
}

// random samples rules and a table with the model's schema.
func random(t *rapid.T) (*rules.Rules, *data.Frame) {
	m := weather()
	fields := m.Meta.Schema.Fields
	m.List = nil
	small := rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) })
	for i := range rapid.IntRange(1, 6).Draw(t, "rules") {
		r := rules.Rule{Value: []float64{float64(rapid.IntRange(0, 3).Draw(t, "weight")), 1}, Decided: 2}
		for range rapid.IntRange(1, 3).Draw(t, "conditions") {
			c := rules.Condition{Kind: rules.Kind(rapid.IntRange(0, 3).Draw(t, "kind"))}
			if c.Kind <= rules.Above {
				c.Feature, c.SplitPoint = int32(rapid.IntRange(1, 2).Draw(t, "feature")), small.Draw(t, "split point")
			} else {
				c.Feature = rapid.SampledFrom([]int32{0, 3}).Draw(t, "feature")
				c.Set = []uint64{rapid.Uint64Range(0, 1<<len(fields[c.Feature].Levels)-1).Draw(t, "set")}
			}
			r.If = append(r.If, c)
		}
		if i == 0 {
			r.If = nil
		}
		m.List = append([]rules.Rule{r}, m.List...)
	}
	n := 12
	columns := make([]data.Column, len(fields))
	for i, f := range fields {
		if f.Kind == data.Numeric {
			columns[i] = data.Numbers(rapid.SliceOfN(rapid.OneOf(small, rapid.Just(math.NaN())), n, n).Draw(t, "numbers"))
			continue
		}
		codes := []uint32{data.MissingCode, data.UnseenCode}
		for code := range f.Levels {
			codes = append(codes, uint32(code))
		}
		columns[i] = data.Codes(rapid.SliceOfN(rapid.SampledFrom(codes), n, n).Draw(t, "codes"))
	}
	f, err := data.NewFrame(m.Meta.Schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	return m, f
}

// TestFirstRuleDecides compares all outputs with a walk through the list.
func TestFirstRuleDecides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, f := random(t)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		var predicted [3][]float64
		for i, output := range []model.Output{model.Response, model.Label, model.Leaf} {
			p, err := m.Bind(&f.Schema, model.Options{Output: output, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if want := []int{2, 1, 1}[i]; p.Width() != want {
				t.Fatalf("%s has %d values", output, p.Width())
			}
			predicted[i] = make([]float64, f.Rows()*p.Width())
			if err := p.Predict(predicted[i], f, nil); err != nil {
				t.Fatal(err)
			}
		}
		for row := range f.Rows() {
			want := slices.IndexFunc(m.List, func(r rules.Rule) bool {
				return !slices.ContainsFunc(r.If, func(c rules.Condition) bool { return !c.Matches(f.Columns, int32(row)) })
			})
			probabilities := predicted[0][2*row : 2*row+2]
			if predicted[2][row] != float64(want) || !slices.Equal(probabilities, m.Probabilities()[want]) || predicted[1][row] != float64(m.List[want].Class()) {
				t.Fatalf("row %d: rule %g, probabilities %v, class %g; rule %d decides", row, predicted[2][row], probabilities, predicted[1][row], want)
			}
			if model.ArgMax(probabilities) != m.List[want].Class() {
				t.Fatalf("probabilities %v of class %d", probabilities, m.List[want].Class())
			}
		}
	})
}

// TestLabelByCost: with costs, the label of a rule is the class of least expected cost.
func TestLabelByCost(t *testing.T) {
	m := weather()
	if got := m.Labels(); !slices.Equal(got, []int{0, 0, 1, 1}) {
		t.Errorf("labels %v", got)
	}
	m.Meta.Decision.Costs = data.Costs{{0, 1}, {4, 0}} // yes from a probability of 0.2 up
	if got := m.Labels(); !slices.Equal(got, []int{0, 1, 1, 1}) {
		t.Errorf("labels %v", got)
	}
	p, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Label})
	if err != nil {
		t.Fatal(err)
	}
	dst := []float64{-1}
	if err := p.PredictRow(dst, []float64{2, 80, 80, 1}); err != nil || dst[0] != 1 {
		t.Errorf("class %g, %v", dst[0], err)
	}
}

func TestBindMatchesByName(t *testing.T) {
	m := weather()
	other := data.Schema{Fields: []data.Field{
		{Name: "windy", Kind: data.Categorical, Levels: []string{"gale", "TRUE", "FALSE"}},
		{Name: "extra"}, {Name: "humidity"}, {Name: "temperature"},
		{Name: "outlook", Kind: data.Categorical, Levels: []string{"rainy", "sunny"}},
	}}
	p, err := m.Bind(&other, model.Options{Output: model.Leaf})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		row  []float64
		want float64
	}{{[]float64{2, 0, 80, 80, 1}, 0}, {[]float64{1, 0, 0, 0, 0}, 1}, {[]float64{0, 0, 0, 0, 0}, 1}, {[]float64{2, 0, 0, 65, 0}, 2}} {
		dst := []float64{-1}
		if err := p.PredictRow(dst, c.row); err != nil || dst[0] != c.want {
			t.Errorf("%v: rule %g, %v; want %g", c.row, dst[0], err, c.want)
		}
	}
	other.Fields[3].Name = "temp"
	if _, err := m.Bind(&other, model.Options{}); err == nil || !strings.Contains(err.Error(), `no column "temperature"`) {
		t.Errorf("error %v", err)
	}
}

func TestValidate(t *testing.T) {
	if err := weather().Validate(); err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string]func(m *rules.Rules){
		"no rule":               func(m *rules.Rules) { m.List = nil },
		"predict classes":       func(m *rules.Rules) { m.Meta.Task = data.Regression },
		"1 conditions, rule 3":  func(m *rules.Rules) { m.List[3].If = m.List[0].If[:1] },
		"0 conditions, rule 1":  func(m *rules.Rules) { m.List[1].If = nil },
		"1 weights":             func(m *rules.Rules) { m.List[1].Value = []float64{1} },
		"class has weight":      func(m *rules.Rules) { m.List[1].Value[0] = math.NaN() },
		"have weight 0":         func(m *rules.Rules) { m.List[1].Value[0] = 0 },
		"have weight +Inf":      func(m *rules.Rules) { m.List[1].Value = []float64{math.MaxFloat64, math.MaxFloat64} },
		"rows of weight":        func(m *rules.Rules) { m.List[1].Right = -1 },
		"unknown kind 4":        func(m *rules.Rules) { m.List[0].If[0].Kind = 4 },
		"no column 4":           func(m *rules.Rules) { m.List[0].If[0].Feature = 4 },
		"no column -1":          func(m *rules.Rules) { m.List[0].If[0].Feature = -1 },
		"tested as categorical": func(m *rules.Rules) { m.List[0].If[0].Feature = 1 },
		"tested as numeric":     func(m *rules.Rules) { m.List[0].If[1].Feature = 0 },
		"compared with NaN":     func(m *rules.Rules) { m.List[0].If[1].SplitPoint = math.NaN() },
		"compared with 1":       func(m *rules.Rules) { m.List[0].If[0].SplitPoint = 1 },
		"has a set":             func(m *rules.Rules) { m.List[0].If[1].Set = []uint64{1} },
		"code 3 in the set":     func(m *rules.Rules) { m.List[0].If[0].Set[0] = 8 },
		"cost":                  func(m *rules.Rules) { m.Meta.Decision.Costs = data.Costs{{0, 1}, {-1, 0}} },
		"two columns":           func(m *rules.Rules) { m.Meta.Schema.Fields[1].Name = "windy" },
	} {
		m := weather()
		edit(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %q", err, name)
		}
	}
}
