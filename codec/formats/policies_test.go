package formats_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// strict returns a model of a tree on a number x and a category c of a, b or d:
//
//	x <= 5 ?  (c of a: 1, else 2)  :  (c of b: 3, else 4)
//
// with training rows 1, 2, 3 and 4, and missing values go right.
func strict(t *testing.T, change func(e *model.Ensemble)) *model.Ensemble {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: 5, Missing: tree.MissingLast})
	for i, set := range []uint64{1, 2} {
		first := b.Split(int32(1+i), tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{set}, Missing: tree.MissingLast})
		for k := range int32(2) {
			b.SetValue(first+k, []float64{float64(2*i+1) + float64(k)})
			b.SetCover(first+k, float64(2*i+1)+float64(k))
		}
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	e := &model.Ensemble{Trees: []*tree.Tree{made}, Meta: model.Spec{Task: data.Regression, Label: "y",
		Schema: data.Schema{Fields: []data.Field{{Name: "x"},
			{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "d"}}}}}}
	change(e)
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	return e
}

// policies are what a model may refuse.
var policies = map[string]func(e *model.Ensemble){
	"missing numbers":    func(e *model.Ensemble) { e.Meta.Schema.Fields[0].Missing = data.Refuse },
	"missing categories": func(e *model.Ensemble) { e.Meta.Schema.Fields[1].Missing = data.Refuse },
	"unseen categories":  func(e *model.Ensemble) { e.Meta.Schema.Fields[1].Unseen = data.Refuse },
	"a leaf":             func(e *model.Ensemble) { e.Refused = []model.Refused{{Tree: 0, Leaf: 6}} },
	"all": func(e *model.Ensemble) {
		e.Meta.Schema.Fields[0].Missing, e.Meta.Schema.Fields[1].Missing = data.Refuse, data.Refuse
		e.Meta.Schema.Fields[1].Unseen = data.Refuse
		e.Refused = []model.Refused{{Tree: 0, Leaf: 6}}
	},
}

// policyRows are rows of x and c.
func policyRows() [][]float64 {
	var rows [][]float64
	for _, x := range []float64{5, 6, math.NaN()} {
		for _, c := range []float64{0, 1, 2, -1, math.NaN()} {
			rows = append(rows, []float64{x, c})
		}
	}
	return rows
}

// answer returns what a model predicts for a row, NaN if it refuses it.
func answer(t *testing.T, m model.Model, row []float64) float64 {
	t.Helper()
	p, err := m.Bind(&m.Spec().Schema, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, p.Width())
	if refused := (*model.ValueError)(nil); errors.As(p.PredictRow(dst, row), &refused) {
		return math.NaN()
	}
	return dst[0]
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// A format holds what a model refuses, or its encoder returns an error that names it: no file
// predicts a row that the model refuses. Without the refusals every format has the model.
func TestRefusalsAreWritten(t *testing.T) {
	holds := map[string]bool{"coppice": true, "pmml": true}
	for _, f := range formats.Table() {
		for name, policy := range policies {
			if f.Encode == nil {
				continue
			}
			e := strict(t, policy)
			var file bytes.Buffer
			err := f.Encode(&file, e)
			if !holds[f.Name] {
				unsupported := (*codec.UnsupportedError)(nil)
				if !errors.As(err, &unsupported) || file.Len() > 0 ||
					!strings.Contains(err.Error(), "refuse missing or unseen values") && !strings.Contains(err.Error(), "without a prediction") {
					t.Errorf("%s, %s: %v, and %d bytes", f.Name, name, err, file.Len())
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s, %s: %v", f.Name, name, err)
			}
			back, err := codectest.Decode(f, file.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range policyRows() {
				if want, got := answer(t, e, row), answer(t, back, row); !same(got, want) {
					t.Errorf("%s, %s: %v predicts %v, want %v", f.Name, name, row, got, want)
				}
			}
		}
	}
}

// What takes the place of a model that refuses rows is written in every format, predicts the rows
// that the model predicts as before, and the others by the rule.
func TestRelaxedModelsAreWritten(t *testing.T) {
	for _, f := range formats.Table() {
		for name, policy := range policies {
			for _, text := range []string{"left", "right", "heavier", "4", "1e9"} {
				if f.Encode == nil {
					continue
				}
				rule, err := formats.ParseMissingRule(text)
				if err != nil {
					t.Fatal(err)
				}
				e := strict(t, policy)
				own, _, err := formats.Relax(e, rule)
				if err != nil {
					t.Fatal(err)
				}
				var file bytes.Buffer
				if err := f.Encode(&file, own); err != nil {
					t.Fatalf("%s, %s, %s: %v", f.Name, name, text, err)
				}
				var back model.Model = own
				if f.Decode != nil {
					if back, err = codectest.Decode(f, file.Bytes()); err != nil {
						t.Fatal(err)
					}
				}
				for _, row := range policyRows() {
					want := answer(t, e, row)
					if math.IsNaN(want) {
						want = ruled(e, text, row)
					}
					if got := answer(t, back, row); got != want {
						t.Errorf("%s, %s, %s: %v predicts %v, want %v", f.Name, name, text, row, got, want)
					}
				}
			}
		}
	}
}

// ruled is what strict predicts for a row that it refuses, by a rule: worked out by hand.
func ruled(e *model.Ensemble, rule string, row []float64) float64 {
	fields := e.Meta.Schema.Fields
	second := row[0] > 5 || math.IsNaN(row[0]) // as the splits send missing values
	if math.IsNaN(row[0]) && fields[0].Missing == data.Refuse {
		second = rule == "right" || rule == "heavier" || rule == "1e9"
	}
	if second && e.Refused != nil {
		return 3 // the other leaf is gone
	}
	inside := row[1] == 0 && !second || row[1] == 1 && second
	if math.IsNaN(row[1]) && fields[1].Missing == data.Refuse {
		inside = rule == "left"
	}
	switch {
	case !second && inside:
		return 1
	case !second:
		return 2
	case inside:
		return 3
	}
	return 4
}
