package pmml_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/pmml"
	"github.com/coppice-ml/coppice/model"
)

// gbmFile returns a file as pmml.gbm of R's package pmml writes it: two trees of three children,
// the last of missing values, and output fields.
func gbmFile(outputs string) string {
	tree := func(nodes string) string {
		return `<Segment><True/><TreeModel functionName="regression" algorithmName="gbm" splitCharacteristic="multiSplit">` +
			`<MiningSchema><MiningField name="x"/><MiningField name="c"/><MiningField name="y" usageType="predicted"/></MiningSchema>` +
			`<Node id="1"><True/>` + nodes + `</Node></TreeModel></Segment>`
	}
	return dictionary + `<MiningModel modelName="gbm_Model" functionName="regression">` +
		`<MiningSchema><MiningField name="x"/><MiningField name="c"/><MiningField name="y" usageType="predicted"/></MiningSchema>` +
		`<Output><OutputField name="Predicted_y" feature="predictedValue"/>` + outputs + `</Output>` +
		`<Segmentation multipleModelMethod="sum">` +
		tree(`<Node id="2" score="1"><SimplePredicate field="x" operator="lessThan" value="3"/></Node>
<Node id="3" score="2"><SimplePredicate field="x" operator="greaterOrEqual" value="3"/></Node>
<Node id="4" score="1.5"><SimplePredicate field="x" operator="isMissing"/></Node>`) +
		tree(`<Node id="2" score="0.5"><SimpleSetPredicate field="c" booleanOperator="isIn"><Array n="2" type="string">"a"   "d"</Array></SimpleSetPredicate></Node>
<Node id="3" score="0.25"><SimpleSetPredicate field="c" booleanOperator="isIn"><Array n="1" type="string">"b"</Array></SimpleSetPredicate></Node>
<Node id="4" score="0.375"><SimplePredicate field="c" operator="isMissing"/></Node>`) +
		`</Segmentation></MiningModel></PMML>`
}

// start is an output field that adds the start value.
func start(name string) string {
	return `<OutputField name="` + name + `" feature="transformedValue"><Apply function="+">` +
		`<FieldRef field="Predicted_y"/><Constant>-0.25</Constant></Apply></OutputField>`
}

const probability = `<OutputField name="BernoulliResponsePrediction" feature="transformedValue">
<Apply function="/"><Constant>1</Constant><Apply function="+"><Constant>1</Constant><Apply function="exp">
<Apply function="*"><Constant>-1</Constant><FieldRef field="BernoulliLinkPrediction"/></Apply></Apply></Apply></Apply></OutputField>`

func decoded(file string) (*model.Ensemble, error) {
	m, err := pmml.Format().Decode(strings.NewReader(file), int64(len(file)), codec.Limits{})
	if err != nil {
		return nil, err
	}
	return m.(*model.Ensemble), nil
}

// The start value of R's gbm is part of the prediction, and the probability that gbm predicts is
// the response, also of the file that is written of the model. Rows are x and the code of c.
func TestGBMOfR(t *testing.T) {
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	same := func(x float64) float64 { return x }
	for name, c := range map[string]struct {
		outputs  string
		response func(float64) float64
	}{
		"gaussian":      {start("GaussianPrediction"), same},
		"bernoulli":     {start("BernoulliLinkPrediction") + probability, logistic},
		"score alone":   {start("BernoulliLinkPrediction"), same},
		"another field": {strings.Replace(start("GaussianPrediction"), "Gaussian", "My", 1), func(x float64) float64 { return x + 0.25 }},
	} {
		e, err := decoded(gbmFile(c.outputs))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var written bytes.Buffer
		if err := pmml.Format().Encode(&written, e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := decoded(written.String())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, row := range []struct{ x, c, sum float64 }{
			{2, 0, 1.5}, {3, 1, 2.25}, {3, 2, 2.5}, {math.NaN(), 1, 1.75}, {2, math.NaN(), 1.375},
		} {
			for what, m := range map[string]model.Model{"": e, " again": again} {
				got := make([]float64, 1)
				if err := predictorOf(t, m).PredictRow(got, []float64{row.x, row.c}); err != nil {
					t.Fatal(err)
				}
				if want := c.response(row.sum - 0.25); math.Abs(got[0]-want) > 1e-15 {
					t.Errorf("%s%s: row %v: %v, want %v", name, what, row, got[0], want)
				}
			}
		}
	}
}

func predictorOf(t *testing.T, m model.Model) model.Predictor {
	t.Helper()
	p, err := m.Bind(&m.Spec().Schema, model.Options{Output: model.Response})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Output fields that have gbm's names and other formulas are refused, not left out.
func TestOtherOutputsOfGBM(t *testing.T) {
	for name, outputs := range map[string]string{
		"two starts":         start("GaussianPrediction") + start("BernoulliLinkPrediction"),
		"no start":           probability,
		"another function":   strings.Replace(start("GaussianPrediction"), `"+"`, `"-"`, 1),
		"another field":      strings.Replace(start("GaussianPrediction"), "Predicted_y", "x", 1),
		"another expression": strings.Replace(start("GaussianPrediction"), "<Constant>-0.25</Constant>", `<NormContinuous field="x"/>`, 1),
		"no number":          strings.Replace(start("GaussianPrediction"), "-0.25", "NaN", 1),
		"another response":   start("BernoulliLinkPrediction") + strings.Replace(probability, "-1", "-2", 1),
	} {
		_, err := decoded(gbmFile(outputs))
		var unsupported *codec.UnsupportedError
		var corrupt *codec.CorruptError
		if !errors.As(err, &unsupported) && !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
