package pmml_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/pmml"
	"github.com/coppice-ml/coppice/model"
)

// scaled returns a file whose tree predicts 1 where a derived field d meets a comparison with a
// number, and else 2. The column is of a type, the field is computed by an expression.
func scaled(column, field, expression, operator, value string) string {
	return `<PMML version="4.3" xmlns="http://www.dmg.org/PMML-4_3"><Header/><DataDictionary>
<DataField name="y" optype="continuous" dataType="double"/>
<DataField name="x" optype="continuous" dataType="` + column + `"/></DataDictionary>
<TransformationDictionary><DerivedField name="d" optype="continuous" dataType="` + field + `">` + expression +
		`</DerivedField></TransformationDictionary>
<TreeModel functionName="regression" noTrueChildStrategy="returnLastPrediction"><MiningSchema>
<MiningField name="y" usageType="target"/><MiningField name="x"/></MiningSchema>
<Node score="2"><True/><Node score="1"><SimplePredicate field="d" operator="` + operator + `" value="` +
		value + `"/></Node></Node></TreeModel></PMML>`
}

func constant(kind, value string) string {
	if kind != "" {
		kind = ` dataType="` + kind + `"`
	}
	return "<Constant" + kind + ">" + value + "</Constant>"
}

func apply(function, first, last string) string {
	return `<Apply function="` + function + `">` + first + last + `</Apply>`
}

const ofX = `<FieldRef field="x"/>`

func norm(attributes string, points ...float64) string {
	text := `<NormContinuous field="x" ` + attributes + `>`
	for i := 0; i < len(points); i += 2 {
		text += fmt.Sprintf(`<LinearNorm orig="%v" norm="%v"/>`, points[i], points[i+1])
	}
	return text + `</NormContinuous>`
}

// derivations are expressions of a column with the same function in Go.
var derivations = []struct {
	name, column, field, expression string
	of                              func(x float64) float64
}{
	{"standardised", "double", "double", apply("/", apply("-", ofX, constant("double", "10.1")), constant("double", "0.3")),
		func(x float64) float64 { return (x - 10.1) / 0.3 }},
	{"minimum and maximum", "double", "double", apply("+", apply("*", ofX, constant("", "0.7")), constant("", "-3")),
		func(x float64) float64 { return float64(x*0.7) - 3 }},
	{"from a constant", "double", "double", apply("-", constant("", "1.1"), ofX), func(x float64) float64 { return 1.1 - x }},
	{"by a negative number", "integer", "double", apply("/", apply("*", ofX, constant("", "-7")), constant("double", "3")),
		func(x float64) float64 { return float64(x*-7) / 3 }},
	{"in single precision", "float", "float", apply("/", apply("-", ofX, constant("float", "10.1")), constant("float", "0.3")),
		func(x float64) float64 { return float64((float32(x) - 10.1) / 0.3) }},
	{"of single precision", "float", "double", apply("*", ofX, constant("double", "0.1")),
		func(x float64) float64 { return float64(float64(float32(x)) * 0.1) }},
	{"rounded", "double", "float", apply("*", ofX, constant("double", "0.1")),
		func(x float64) float64 { return float64(float32(x * 0.1)) }},
	{"cast", "double", "float", ofX, func(x float64) float64 { return float64(float32(x)) }},
	{"a line", "double", "double", norm("", 1, 0.1, 4, 0.8),
		func(x float64) float64 {
			low, high := 0.1, 0.8 // whose difference is rounded, as that of constants is not
			return low + float64((x-1)/3*(high-low))
		}},
	{"lines", "double", "double", norm(`outliers="asExtremeValues"`, 0, 0, 1, 0.5, 3, 1),
		func(x float64) float64 {
			switch {
			case x <= 0:
				return 0
			case x < 1:
				return 0 + float64(x*0.5)
			case x >= 3:
				return 1
			}
			return 0.5 + float64((x-1)/2*0.5)
		}},
	{"descending lines", "double", "double", norm("", 0, 2, 1, 0.5, 3, -1),
		func(x float64) float64 {
			if x < 1 {
				return 2 + float64(x*(0.5-2.))
			}
			return 0.5 + float64((x-1)/2*(-1-0.5))
		}},
}

// compares has the comparisons of predicates.
var compares = map[string]func(x, v float64) bool{
	"lessThan": func(x, v float64) bool { return x < v }, "lessOrEqual": func(x, v float64) bool { return x <= v },
	"greaterThan": func(x, v float64) bool { return x > v }, "greaterOrEqual": func(x, v float64) bool { return x >= v },
	"equal": func(x, v float64) bool { return x == v }, "notEqual": func(x, v float64) bool { return x != v },
}

// A comparison of a derived field is one of the column, at the split point that the rounding of all
// steps leads to: the numbers next to it have the side that the computed field has.
func TestDerivedFields(t *testing.T) {
	for _, d := range derivations {
		for operator, holds := range compares {
			for _, value := range []string{"0", "0.3", "-1.7", "1e300", "-1e300"} {
				if strings.HasSuffix(value, "300") && d.field == "float" {
					continue // beyond single precision
				}
				e, ref := decode(t, []byte(scaled(d.column, d.field, d.expression, operator, value)))
				compare(t, e, ref)
				v := number(t, value)
				if d.field == "float" {
					v = float64(float32(v))
				}
				for _, c := range []float64{e.Trees[0].SplitPoint(0), 0, 10.1, 1e9, -1e9} {
					for _, x := range []float64{c, math.Nextafter(c, math.Inf(1)), math.Nextafter(c, math.Inf(-1)),
						math.Nextafter(math.Nextafter(c, math.Inf(1)), math.Inf(1))} {
						want := 2.0
						if holds(d.of(x), v) {
							want = 1
						}
						if got := predict(t, e, model.Response, []float64{x}); math.Abs(x) < 1e301 && got[0] != want {
							t.Errorf("%s: %v %s %s predicts %v, want %v", d.name, x, operator, value, got, want)
						}
					}
				}
			}
		}
	}
}

// A field that is derived of a derived one has the steps of both.
func TestDerivedOfDerived(t *testing.T) {
	text := strings.Replace(scaled("double", "double", apply("-", ofX, constant("double", "10")), "lessThan", "0.25"),
		`</TransformationDictionary>`, `<DerivedField name="d2" optype="continuous" dataType="double">`+
			apply("*", `<FieldRef field="d"/>`, constant("double", "-0.5"))+`</DerivedField></TransformationDictionary>`, 1)
	e, ref := decode(t, []byte(strings.Replace(text, `Predicate field="d"`, `Predicate field="d2"`, 1)))
	compare(t, e, ref)
	if c := e.Trees[0].SplitPoint(0); c != 9.5 { // -(x - 10) / 2 < 0.25
		t.Errorf("the split point is %v, want 9.5", c)
	}
}

// Fields that neither ascend nor descend with one column, or that have values where it has none,
// are no comparisons of it.
func TestDerivedFieldsThatAreNot(t *testing.T) {
	for name, expression := range map[string]string{
		"divided by the column": apply("/", constant("", "1.5"), ofX),
		"times 0":               apply("*", ofX, constant("", "0")),
		"twice the column":      apply("+", ofX, ofX),
		"two constants":         apply("+", constant("", "1"), constant("", "2")),
		"no number":             apply("+", ofX, constant("string", "1")),
		"NaN":                   apply("+", ofX, constant("double", "NaN")),
		"integers divided":      apply("/", ofX, constant("", "2")),
		"another function":      apply("pow", ofX, constant("", "2")),
		"missing as a number":   `<FieldRef field="x" mapMissingTo="3"/>`,
		"missing as a result":   strings.Replace(apply("+", ofX, constant("", "1")), "<Apply", `<Apply mapMissingTo="3"`, 1),
		"up and down":           norm("", 0, 0, 1, 1, 2, 0),
		"flat":                  norm("", 0, 1, 1, 1),
		"backwards":             norm("", 1, 0, 0, 1),
		"one point":             norm("", 1, 0),
		"outliers as missing":   norm(`outliers="asMissingValues"`, 0, 0, 1, 1),
		"a field of none":       `<FieldRef field="none"/>`,
		"bins":                  `<Discretize field="x"><DiscretizeBin binValue="1"/></Discretize>`,
	} {
		text := scaled("integer", "double", expression, "lessThan", "1")
		_, err := pmml.Format().Decode(strings.NewReader(text), int64(len(text)), codec.Limits{})
		if want := (*codec.UnsupportedError)(nil); !errors.As(err, &want) ||
			!strings.Contains(err.Error(), `the derived field "d" in a predicate`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// answered are files and rows that a tool answers, with NaN for rows that it refuses.
var answered = map[string][]struct {
	row  []float64
	want float64
}{
	"off_path.pmml": {{[]float64{0, math.NaN()}, 1}, {[]float64{9, 0}, 2}, {[]float64{9, 5}, 3},
		{[]float64{9, math.NaN()}, math.NaN()}, {[]float64{math.NaN(), 0}, math.NaN()}},
	"undivided.pmml": {{[]float64{0}, 1}, {[]float64{1}, 2}, {[]float64{2}, math.NaN()},
		{[]float64{math.NaN()}, math.NaN()}, {[]float64{-1}, math.NaN()}},
	"scaler.pmml": {{[]float64{10}, 1}, {[]float64{math.Nextafter(10, 11)}, 2},
		{[]float64{math.Nextafter(10, 9)}, 1}, {[]float64{0}, 1}, {[]float64{11}, 2},
		{[]float64{math.NaN()}, math.NaN()}},
}

// Files whose trees have no prediction for some rows, or that compare a standardised column, are
// read: other rows are answered.
func TestAnswered(t *testing.T) {
	for name, rows := range answered {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		e, ref := decode(t, b)
		compare(t, e, ref)
		for _, r := range rows {
			got := predict(t, e, model.Response, r.row)
			if (got == nil) != math.IsNaN(r.want) || got != nil && got[0] != r.want {
				t.Errorf("%s: %v predicts %v, want %v", name, r.row, got, r.want)
			}
		}
	}
}
