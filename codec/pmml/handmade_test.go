package pmml_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/pmml"
	"github.com/coppice-ml/coppice/model"
)

// dictionary is the head of the files: x and w are numbers, s one of single precision, and c has
// the categories a, b, d.
const dictionary = `<?xml version="1.0" encoding="UTF-8"?>
<PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4"><Header/><DataDictionary>
<DataField name="x" optype="continuous" dataType="double"/>
<DataField name="s" optype="continuous" dataType="float"/>
<DataField name="c" optype="categorical" dataType="string"><Value value="a"/><Value value="b"/><Value value="d"/></DataField>
<DataField name="w" optype="continuous" dataType="double"/>
<DataField name="y" optype="continuous" dataType="double"/>
<DataField name="z" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/></DataField>
</DataDictionary>
`

const schema = `<MiningSchema><MiningField name="x"/><MiningField name="s"/><MiningField name="c"/>
<MiningField name="w"/><MiningField name="y" usageType="target"/></MiningSchema>
`

// single returns a file with one tree of numbers.
func single(attributes, nodes string) string {
	return dictionary + `<TreeModel functionName="regression" ` + attributes + `>` + schema + nodes +
		`</TreeModel></PMML>`
}

const binaryNodes = `<Node id="r" score="1"><True/>
<Node id="A" score="2"><SimplePredicate field="x" operator="lessThan" value="0.1"/>
 <Node id="C" score="4"><SimplePredicate field="s" operator="lessOrEqual" value="0.1"/></Node>
 <Node id="D" score="5"><SimplePredicate field="s" operator="greaterThan" value="0.1"/></Node></Node>
<Node id="B" score="3"><SimplePredicate field="x" operator="greaterOrEqual" value="0.1"/>
 <Node id="E" score="6"><SimpleSetPredicate field="c" booleanOperator="isIn"><Array type="string">a "d"</Array></SimpleSetPredicate></Node>
 <Node id="F" score="7"><SimplePredicate field="c" operator="equal" value="b"/></Node></Node>
</Node>`

const multiNodes = `<Node id="1" score="1" defaultChild="4"><True/>
<Node id="2" score="2"><SimplePredicate field="x" operator="lessThan" value="-1"/></Node>
<Node id="3" score="3"><SimplePredicate field="x" operator="equal" value="0"/></Node>
<Node id="4" score="4" defaultChild="7"><SimplePredicate field="x" operator="lessOrEqual" value="5"/>
 <Node id="6" score="6"><CompoundPredicate booleanOperator="and"><SimplePredicate field="x" operator="greaterThan" value="1"/>
  <SimpleSetPredicate field="c" booleanOperator="isNotIn"><Array type="string">"b"</Array></SimpleSetPredicate></CompoundPredicate></Node>
 <Node id="7" score="7"><CompoundPredicate booleanOperator="or"><SimplePredicate field="w" operator="isMissing"/>
  <SimplePredicate field="w" operator="notEqual" value="3"/></CompoundPredicate></Node></Node>
<Node id="5" score="5"><CompoundPredicate booleanOperator="surrogate"><SimplePredicate field="s" operator="greaterOrEqual" value="0.3"/>
 <SimplePredicate field="w" operator="lessThan" value="2"/><True/></CompoundPredicate></Node>
<Node id="8" score="8"><CompoundPredicate booleanOperator="xor"><SimplePredicate field="c" operator="notEqual" value="a"/>
 <SimplePredicate field="w" operator="lessThan" value="7"/><SimplePredicate field="w" operator="isNotMissing"/></CompoundPredicate></Node>
</Node>`

// boosted returns a chain of sums and a RegressionModel.
func boosted(function, method, tables string, sums ...string) string {
	text := dictionary + `<MiningModel functionName="` + function + `">` +
		strings.Replace(schema, `"y"`, `"z"`, 1) + `<Segmentation multipleModelMethod="modelChain">`
	for _, name := range sums {
		text += `<Segment><True/><MiningModel functionName="regression">` + schema +
			`<Output><OutputField name="` + name + `" feature="predictedValue"/></Output>
<Targets><Target rescaleFactor="0.5" rescaleConstant="0.25"/></Targets>
<Segmentation multipleModelMethod="sum">` +
			strings.Repeat(`<Segment><True/><TreeModel functionName="regression" missingValueStrategy="lastPrediction">`+
				schema+binaryNodes+`</TreeModel></Segment>`, 2) + `</Segmentation></MiningModel></Segment>`
	}
	return text + `<Segment><True/><RegressionModel functionName="` + function +
		`" normalizationMethod="` + method + `">` + tables +
		`</RegressionModel></Segment></Segmentation></MiningModel></PMML>`
}

func equation(class, field string, intercept float64) string {
	predictor := ""
	if field != "" {
		predictor = fmt.Sprintf(`<NumericPredictor name="%s" coefficient="2"/>`, field)
	}
	return fmt.Sprintf(`<RegressionTable targetCategory="%s" intercept="%v">%s</RegressionTable>`,
		class, intercept, predictor)
}

// conditional is a sum of a tree for all rows, and one for rows of which w is above 3.
var conditional = dictionary + `<MiningModel functionName="regression">` + schema +
	`<Segmentation multipleModelMethod="sum"><Segment><True/><TreeModel functionName="regression" ` +
	`missingValueStrategy="lastPrediction">` + schema + binaryNodes + `</TreeModel></Segment>
<Segment><SimplePredicate field="w" operator="greaterThan" value="3"/><TreeModel functionName="regression" ` +
	`missingValueStrategy="lastPrediction">` + schema + binaryNodes + `</TreeModel></Segment>
</Segmentation></MiningModel></PMML>`

// combined returns a combination of three trees of classes, of which the first has the given nodes
// and the others predict "no".
func combined(method, first string) string {
	target := strings.Replace(schema, `"y"`, `"z"`, 1)
	segments := ""
	for _, nodes := range []string{first, other, other} {
		segments += `<Segment weight="2"><True/><TreeModel functionName="classification">` + target +
			nodes + `</TreeModel></Segment>`
	}
	return dictionary + `<MiningModel functionName="classification">` + target +
		`<Segmentation multipleModelMethod="` + method + `">` + segments +
		`</Segmentation></MiningModel></PMML>`
}

const (
	other = `<Node id="1" score="no"><True/></Node>`
	// sides has no prediction where x is missing.
	sides = `<Node id="1"><True/>
<Node id="2" score="yes"><SimplePredicate field="x" operator="lessThan" value="1"/></Node>
<Node id="3" score="no"><SimplePredicate field="x" operator="greaterOrEqual" value="1"/></Node></Node>`
	// unscored has no prediction where x is missing, as the last node has no score.
	unscored = `<Node id="1"><True/>
<Node id="2" score="yes"><SimplePredicate field="x" operator="isNotMissing"/></Node>
<Node id="3"><True/></Node></Node>`
)

// handmade are files with all that is read.
var handmade = map[string]string{
	"none":               single("", binaryNodes),
	"none last":          single(`noTrueChildStrategy="returnLastPrediction"`, multiNodes),
	"last":               single(`missingValueStrategy="lastPrediction" noTrueChildStrategy="returnLastPrediction"`, multiNodes),
	"null":               single(`missingValueStrategy="nullPrediction" noTrueChildStrategy="returnLastPrediction"`, multiNodes),
	"default":            single(`missingValueStrategy="defaultChild" noTrueChildStrategy="returnLastPrediction"`, multiNodes),
	"multi":              single(`noTrueChildStrategy="returnLastPrediction"`, multiNodes),
	"scaled":             single(`noTrueChildStrategy="returnLastPrediction"`, `<Targets><Target rescaleFactor="-2" rescaleConstant="3"/></Targets>`+multiNodes),
	"logit":              boosted("classification", "logit", equation("yes", "f", -1)+equation("no", "", 0), "f"),
	"softmax":            boosted("classification", "softmax", equation("u", "f", 0.5)+equation("v", "", 2)+equation("w", "g", 0), "f", "g"),
	"exp":                boosted("regression", "exp", equation("", "f", -2), "f"),
	"probit":             boosted("regression", "probit", equation("", "f", -5), "f"),
	"conditional":        conditional,
	"vote":               combined("majorityVote", sides),
	"weighted":           combined("weightedMajorityVote", sides),
	"mean":               combined("weightedAverage", sides),
	"unscored":           combined("majorityVote", unscored),
	"cast":               strings.NewReplacer(`<Node id="r"`, `<LocalTransformations><DerivedField name="t" dataType="double"><FieldRef field="s"/></DerivedField></LocalTransformations><Node id="r"`, `Predicate field="s"`, `Predicate field="t"`).Replace(single("", binaryNodes)),
	"as missing":         strings.Replace(single(`missingValueStrategy="lastPrediction"`, binaryNodes), `name="c"/>`, `name="c" invalidValueTreatment="asMissing"/>`, 1),
	"limited":            limited("double", intervalCases[4].intervals, ""),
	"limited as missing": limited("float", intervalCases[4].intervals, `invalidValueTreatment="asMissing"`),
	"derived":            scaled("double", "double", derivations[0].expression, "equal", "0.3"),
	"lines":              scaled("float", "double", derivations[9].expression, "lessThan", "0.3"),
	"replacements":       strings.NewReplacer(`name="c"/>`, `name="c" missingValueReplacement="d"/>`, `"x"/>`, `"x" missingValueReplacement="3"/>`).Replace(single(`noTrueChildStrategy="returnLastPrediction"`, multiNodes)),
}

// Models and references agree on rows at the split points, missing and unseen values included.
func TestHandmade(t *testing.T) {
	for name, text := range handmade {
		t.Run(name, func(t *testing.T) {
			e, ref := decode(t, []byte(text))
			compare(t, e, ref)
		})
	}
}

// predicted returns the response of a handmade file for a row of x, s, c, w, nil if the model
// refuses the row.
func predicted(t *testing.T, name string, row ...float64) []float64 {
	t.Helper()
	e, _ := decode(t, []byte(handmade[name]))
	p, err := e.Bind(&e.Meta.Schema, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, p.Width())
	var refused *model.ValueError
	if err := p.PredictRow(got, row); errors.As(err, &refused) {
		return nil
	} else if err != nil {
		t.Fatal(err)
	}
	return got
}

// Predictions follow the standard: what is expected was worked out by hand.
func TestMeaning(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		file string
		row  []float64
		want []float64
	}{
		{"none", []float64{0.05, 0.1, 0, 0}, []float64{4}}, // 0.1 is one number in single precision
		{"none", []float64{0.1, 0, 2, 0}, []float64{6}},
		{"none", []float64{0.1, 0, -1, 0}, nil},            // no child is true
		{"none", []float64{nan, 0, 0, 0}, nil},             // likewise
		{"cast", []float64{0.05, 0.1, 0, 0}, []float64{5}}, // 0.1 in single precision is greater
		{"last", []float64{nan, 0, 0, 0}, []float64{1}},    // the root's
		{"null", []float64{nan, 0, 0, 0}, nil},             // no prediction
		{"default", []float64{nan, 0, 0, 3}, []float64{7}}, // 4, and there 7 by its own default
		{"default", []float64{2, 0, 1, 3}, []float64{4}},   // 4, whose children are false
		{"multi", []float64{0, 0, 0, 0}, []float64{3}},
		{"multi", []float64{9, nan, 0, 1}, []float64{5}}, // by the surrogate
		{"scaled", []float64{0, 0, 0, 0}, []float64{-3}}, // -2 x 3 + 3
		{"as missing", []float64{1, 0, -1, 0}, []float64{3}},
		{"replacements", []float64{nan, 0, nan, 3}, []float64{6}},
		{"conditional", []float64{0, 0, 0, 3}, []float64{4}},
		{"conditional", []float64{0, 0, 0, 4}, []float64{8}},
		{"conditional", []float64{0, 0, 0, nan}, []float64{4}}, // the condition is unknown
		{"vote", []float64{0, 0, 0, 0}, []float64{2. / 3, 1. / 3}},
		{"vote", []float64{nan, 0, 0, 0}, nil}, // one tree has no prediction
		{"weighted", []float64{nan, 0, 0, 0}, nil},
		{"mean", []float64{nan, 0, 0, 0}, nil},
		{"unscored", []float64{0, 0, 0, 0}, []float64{2. / 3, 1. / 3}},
		{"unscored", []float64{nan, 0, 0, 0}, nil},
		{"exp", []float64{0, 0, 0, 0}, []float64{math.Exp(2*(0.5*8+0.25) - 2)}},
	} {
		got := predicted(t, c.file, c.row...)
		if (got == nil) != (c.want == nil) ||
			got != nil && math.Abs(got[0]-c.want[0]) > 1e-12*math.Abs(c.want[0]) {
			t.Errorf("%s: %v predicts %v, want %v", c.file, c.row, got, c.want)
		}
	}
	x := 2*(0.5*8+0.25) - 1
	if got := predicted(t, "logit", 0, 0, 0, 0); math.Abs(got[1]-1/(1+math.Exp(-x))) > 1e-12 {
		t.Errorf("logit: %v", got)
	}
}

// What is not read is an error that names it.
func TestUnsupported(t *testing.T) {
	for change, want := range map[[2]string]string{
		{`missingValueStrategy="lastPrediction"`, `missingValueStrategy="aggregateNodes"`}:     "aggregateNodes",
		{`missingValueStrategy="lastPrediction"`, `missingValueStrategy="weightedConfidence"`}: "weightedConfidence",
		{`"4.4"`, `"2.1"`}:  "version",
		{`UTF-8`, `UTF-16`}: "encoding",
		{`<Value value="a"/>`, `<Value value="a" property="missing"/>`}:                  "texts of missing values",
		{`operator="equal" value="0"`, `operator="lessThan" value="0" `}:                 "",
		{`field="c" operator="notEqual"`, `field="c" operator="lessThan"`}:               "lessThan",
		{`<TreeModel functionName="regression"`, `<TreeModel functionName="clustering"`}: "functionName",
		{`name="w"/>`, `name="w" outliers="asMissingValues"/>`}:                          "outliers",
		{`<True/>`, `<False/>`}: "without a prediction for any row",
	} {
		text := strings.Replace(handmade["last"], change[0], change[1], 1)
		_, err := pmml.Format().Decode(bytes.NewReader([]byte(text)), int64(len(text)), codec.Limits{})
		var feature *codec.UnsupportedError
		if want == "" && err != nil || want != "" && (!errors.As(err, &feature) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v: %v", change, err)
		}
	}
}

// Rows of known values without a prediction are refused, however a file combines trees, and those
// that differ from them in what their tree does not test are predicted.
func TestNoPrediction(t *testing.T) {
	known := strings.Replace(sides, `"lessThan" value="1"`, `"lessThan" value="0"`, 1)
	nan := math.NaN()
	for name, c := range map[string]struct {
		text           string
		refused, taken [][]float64 // of x, s, c, w
	}{
		"a vote": {combined("majorityVote", known), [][]float64{{0.5, 0, 0, 0}, {nan, 0, 0, 0}},
			[][]float64{{-1, 0, 0, 0}, {1, nan, nan, nan}}},
		"a mean": {combined("average", known), [][]float64{{0.5, 0, 0, 0}, {nan, 0, 0, 0}},
			[][]float64{{-1, 0, 0, 0}, {1, nan, nan, nan}}},
		"without score": {single("", strings.Replace(binaryNodes, `id="C" score="4"`, `id="C"`, 1)),
			[][]float64{{0, 0, 0, 0}, {0, nan, 0, 0}, {1, 0, nan, 0}, {1, 0, -1, 0}},
			[][]float64{{0, 0.2, nan, 0}, {1, nan, 1, nan}}},
	} {
		e, ref := decode(t, []byte(c.text))
		compare(t, e, ref)
		for want, rows := range map[bool][][]float64{true: c.refused, false: c.taken} {
			for _, row := range rows {
				if got := predict(t, e, model.Response, row); (got == nil) != want {
					t.Errorf("%s: %v predicts %v", name, row, got)
				}
			}
		}
	}
	lone := strings.Replace(conditional, `<Segment><True/>`,
		`<Segment><SimplePredicate field="w" operator="lessThan" value="1"/>`, 1)
	var feature *codec.UnsupportedError
	if _, err := pmml.Format().Decode(strings.NewReader(lone), int64(len(lone)), codec.Limits{}); !errors.As(err, &feature) {
		t.Errorf("conditions: %v", err)
	}
	empty := dictionary + `<MiningModel functionName="regression">` + schema +
		`<Segmentation multipleModelMethod="sum"></Segmentation></MiningModel></PMML>`
	var corrupt *codec.CorruptError
	if _, err := pmml.Format().Decode(strings.NewReader(empty), int64(len(empty)), codec.Limits{}); !errors.As(err, &corrupt) {
		t.Errorf("no segments: %v", err)
	}
}
