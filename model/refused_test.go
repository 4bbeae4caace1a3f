package model_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// refusedRows are rows of codectest.Refusing, with the prediction, NaN if there is none, and what
// the error says.
var refusedRows = []struct {
	x, c, want float64
	column     string
	what       string
}{
	{x: 5, c: 0, want: 11},
	{x: 6, c: 1, want: 12},
	{x: 6, c: math.NaN(), want: 12},
	{x: math.NaN(), c: math.NaN(), want: 11},
	{x: 6, c: 0, want: math.NaN(), column: "c", what: `the model has no prediction for rows of "a"`},
	{x: 6, c: -1, want: math.NaN(), column: "c", what: "category never seen in training"},
	{x: 8, c: 1, want: math.NaN(), column: "x", what: "the model has no prediction for rows of this value"},
}

// Every way to predict refuses the rows that reach a leaf without a prediction, and no others,
// whatever the output is.
func TestRefusedLeaves(t *testing.T) {
	m := codectest.Refusing()
	s := &m.Meta.Schema
	binders := map[string]func(model.Options) (model.Predictor, error){
		"ensemble": func(o model.Options) (model.Predictor, error) { return m.Bind(s, o) },
		"trees":    func(o model.Options) (model.Predictor, error) { return model.BindTrees(m, s, o) },
		"row evaluator": func(o model.Options) (model.Predictor, error) {
			return model.RowEvaluator{Columns: []int32{1, 0}, Start: func() func(dst, row []float64) {
				return func(dst, row []float64) {}
			}}.RefusingAs(m).Bind(s, s, o.Workers)
		},
	}
	check := m.RowCheck()
	for name, bind := range binders {
		for _, output := range []model.Output{model.Response, model.Raw, model.Label, model.Leaf} {
			p, err := bind(model.Options{Output: output, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range refusedRows {
				row, dst := []float64{r.x, r.c}, make([]float64, p.Width())
				f, err := data.NewFrame(*s, []data.Column{data.Numbers([]float64{r.x}),
					data.Codes([]uint32{codeOf(r.c)})})
				if err != nil {
					t.Fatal(err)
				}
				for how, err := range map[string]error{"alone": p.PredictRow(dst, row),
					"sparse": p.PredictSparse(dst, []int32{0, 1}, row), "of a table": p.Predict(dst, f, nil),
					"checked": check(row)} {
					var refused *model.ValueError
					if errors.As(err, &refused) != math.IsNaN(r.want) ||
						refused != nil && (refused.Column != r.column || refused.What != r.what) {
						t.Errorf("%s, %v, row %d, %s: %v", name, output, i, how, err)
					}
				}
				if name == "ensemble" && output == model.Response && !math.IsNaN(r.want) && dst[0] != r.want {
					t.Errorf("row %d: %v, want %v", i, dst[0], r.want)
				}
			}
		}
	}
}

func codeOf(x float64) uint32 {
	switch {
	case math.IsNaN(x):
		return data.MissingCode
	case x < 0:
		return data.UnseenCode
	}
	return uint32(x)
}

// The first rounds have the refusals of their own trees.
func TestRefusedOfRounds(t *testing.T) {
	m := codectest.Refusing()
	m.Rounds = []int32{0, 1}
	p, err := m.Bind(&m.Meta.Schema, model.Options{Rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, 1)
	if err := p.PredictRow(dst, []float64{8, 1}); err != nil || dst[0] != 2 {
		t.Errorf("%v, %v: want 2", dst, err)
	}
	if err := p.PredictRow(dst, []float64{8, 0}); err == nil {
		t.Error("a row without a prediction has one")
	}
}

// randomRefusals makes a model of one tree of plain splits, of which some leaves have no
// prediction.
func randomRefusals(t *rapid.T) *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	leaves := []int32{0}
	for range rapid.IntRange(1, 7).Draw(t, "splits") {
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		s := tree.Split{Kind: tree.Numeric, SplitPoint: rapid.SampledFrom([]float64{0, 1, 2, math.Inf(1), math.Inf(-1)}).Draw(t, "point")}
		if rapid.Bool().Draw(t, "category") {
			s = tree.Split{Kind: rapid.SampledFrom([]tree.Kind{tree.SetFirst, tree.SetLast}).Draw(t, "kind"), Feature: 1,
				Set: []uint64{rapid.Uint64Range(0, 7).Draw(t, "set")}}
		}
		s.Missing = rapid.SampledFrom([]tree.Missing{tree.MissingFirst, tree.MissingLast}).Draw(t, "missing")
		first := b.Split(leaves[at], s)
		leaves[at] = first
		leaves = append(leaves, first+1)
	}
	for i, n := range leaves {
		b.SetValue(n, []float64{float64(i + 1)})
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	e := &model.Ensemble{Trees: []*tree.Tree{made}, Meta: model.Spec{Task: data.Regression, Schema: data.Schema{
		Fields: []data.Field{{Name: "x"}, {Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "d"}}}}}}
	for n := range int32(made.Len()) {
		if made.Kind(n) == tree.Leaf && rapid.IntRange(0, 2).Draw(t, "refused") == 0 {
			e.Refused = append(e.Refused, model.Refused{Leaf: n})
		}
	}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	return e
}

// Tables refuse the first row that reaches a leaf without a prediction, wherever it is, and predict
// all others: whether the guard walks for known values or not.
func TestRefusedTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := randomRefusals(t)
		refused := map[int32]bool{}
		for _, r := range e.Refused {
			refused[r.Leaf] = true
		}
		var x []float64
		var codes []uint32
		for range 3 {
			x = append(x, rapid.SampledFrom([]float64{math.NaN(), 0, 1, 2, 3, math.Inf(1), math.Inf(-1)}).Draw(t, "x"))
			codes = append(codes, rapid.SampledFrom([]uint32{0, 1, 2, data.MissingCode, data.UnseenCode}).Draw(t, "c"))
		}
		const n = 300
		first := rapid.IntRange(0, n-1).Draw(t, "first") // from here on the second kind of rows
		for i := range n {
			from := 0
			if i >= first {
				from = 1
			}
			x, codes = append(x, x[from]), append(codes, codes[from])
		}
		f, err := data.NewFrame(e.Meta.Schema, []data.Column{data.Numbers(x[3:]), data.Codes(codes[3:])})
		if err != nil {
			t.Fatal(err)
		}
		want := -1
		for i := range int32(n) {
			if refused[e.Trees[0].Over(f.Columns).LeafOf(i)] {
				want = int(i)
				break
			}
		}
		p, err := e.Bind(&f.Schema, model.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		dst, value := make([]float64, n), (*model.ValueError)(nil)
		if errors.As(p.Predict(dst, f, nil), &value) != (want >= 0) || value != nil && value.Row != want {
			t.Fatalf("%v, want an error of row %d", value, want)
		}
		for i := range int32(n) {
			leaf := e.Trees[0].Over(f.Columns).LeafOf(i)
			if want < 0 && dst[i] != e.Trees[0].Value(leaf)[0] {
				t.Fatalf("row %d: %v", i, dst[i])
			}
		}
	})
}
