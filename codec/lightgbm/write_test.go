package lightgbm

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// columns of random models: numbers, bare codes, and categories with names.
var randomFields = []data.Field{
	{Name: "x"}, {Name: "y"},
	{Name: "code", Kind: data.Categorical, Levels: foreign.Codes(3)},
	{Name: "colour", Kind: data.Categorical, Levels: []string{"red", "a \"b\" <c>", "70", "é"}},
}

// levelsOf returns the number of levels of a feature: 0 of numbers, one of which is derived.
func levelsOf(feature int) int {
	if feature == len(randomFields) {
		return 0
	}
	return len(randomFields[feature].Levels)
}

// randomTree makes a tree that the format can hold.
func randomTree(t *rapid.T, kind tree.LeafKind, width int, linear bool) *tree.Tree {
	number := rapid.Float64Range(0.01, 10)
	b := tree.NewBuilder(kind, width, false)
	leaves := []int32{0}
	for range rapid.IntRange(0, 9).Draw(t, "splits") {
		f := rapid.IntRange(0, len(randomFields)).Draw(t, "feature")
		s := tree.Split{Feature: int32(f), Kind: tree.Numeric, Missing: rapid.SampledFrom([]tree.Missing{
			tree.MissingFirst, tree.MissingLast, tree.MissingMajority}).Draw(t, "missing")}
		if levels := levelsOf(f); levels > 0 {
			s.Kind = rapid.SampledFrom([]tree.Kind{tree.SetFirst, tree.SetLast}).Draw(t, "kind")
			s.Set = []uint64{rapid.Uint64Range(0, 1<<levels-1).Draw(t, "set")}
		} else {
			s.SplitPoint = rapid.SampledFrom([]float64{0, 0.1, -2, 1e300, math.Inf(1), math.Inf(-1),
				1. / 3, 5e-324, zeroLimit, -zeroLimit}).Draw(t, "split point")
		}
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		first := b.Split(leaves[at], s)
		fraction := rapid.Float64Range(0, 1).Draw(t, "fraction")
		b.SetFraction(first, fraction)
		b.SetFraction(first+1, 1-fraction)
		leaves = append(slices.Delete(leaves, at, at+1), first, first+1)
	}
	covers := rapid.Bool().Draw(t, "covers")
	for _, n := range leaves {
		b.SetValue(n, rapid.SliceOfN(number, width, width).Draw(t, "value"))
		if covers {
			b.SetCover(n, rapid.OneOf(rapid.Just(3.0), number).Draw(t, "cover"))
		}
		if linear && rapid.Bool().Draw(t, "equation") {
			b.SetLinear(n, number.Draw(t, "constant"), []tree.Term{{Feature: 0,
				Coef: number.Draw(t, "coefficient")}, {Feature: 1, Coef: 2}}[:rapid.IntRange(1, 2).Draw(t, "terms")])
		}
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// randomModel makes a model that the format can hold. exact reports that sums keep their bits.
func randomModel(t *rapid.T) (e *model.Ensemble, exact bool) {
	e = &model.Ensemble{Meta: model.Spec{Task: data.Regression,
		Schema: data.Schema{Fields: randomFields}},
		Inputs: input.Set{Numbers: []input.Number{{Source: 1}}}}
	scores := rapid.IntRange(1, 3).Draw(t, "scores")
	if rapid.Bool().Draw(t, "classes") {
		e.Meta.Task = data.Multiclass
		if scores <= 2 {
			e.Meta.Task = data.Binary
		}
		e.Meta.Classes = foreign.Codes(max(2, scores))
	}
	links := []link.Link{nil, link.Identity()}
	switch {
	case scores > 1 && e.Meta.Classes != nil:
		links = append(links, link.Softmax(), link.Logistic(), link.ScaledLogistic(0.7))
	case e.Meta.Classes != nil:
		links = append(links, link.Logistic(), link.ScaledLogistic(1./3))
	case scores == 1:
		links = append(links, link.Logistic(), link.Exp(), link.Softplus(), link.SignedSquare())
	}
	e.Link = rapid.SampledFrom(links).Draw(t, "link")
	e.Combine = rapid.SampledFrom([]model.Combine{model.Sum, model.Mean}).Draw(t, "combine")
	kinds := []tree.LeafKind{tree.Scalar, tree.Scalar, tree.Vector}
	if scores > 1 {
		kinds = append(kinds, tree.Counts)
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "leaf kind")
	linear := kind == tree.Scalar && rapid.Bool().Draw(t, "linear")
	for i := range max(scores, rapid.IntRange(1, 5).Draw(t, "trees")) {
		width := scores
		if kind == tree.Scalar {
			width = 1
			e.Output = append(e.Output, int32(i%scores))
		}
		e.Trees = append(e.Trees, randomTree(t, kind, width, linear))
		if rapid.Bool().Draw(t, "compact") {
			e.Trees[i] = e.Trees[i].Compact()
		}
	}
	if rapid.Bool().Draw(t, "weighted") {
		e.Weights = rapid.SliceOfN(rapid.Float64Range(0.5, 2), len(e.Trees), len(e.Trees)).Draw(t, "weights")
	}
	if rapid.Bool().Draw(t, "biased") {
		e.Bias = rapid.SliceOfN(rapid.Float64Range(-5, 5), scores, scores).Draw(t, "bias")
	}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	return e, e.Combine == model.Sum && !linear
}

// randomRow makes a row with missing, unseen and infinite values.
func randomRow(t *rapid.T) []float64 {
	number := rapid.SampledFrom([]float64{math.NaN(), 0, 0.1, math.Nextafter(0.1, 1), -2, 1e300, 1e301,
		-1e301, 5e-324, 1. / 3, 7, zeroLimit, -zeroLimit, math.Nextafter(zeroLimit, 1)})
	row := []float64{number.Draw(t, "x"), number.Draw(t, "y")}
	for _, f := range randomFields[2:] {
		row = append(row, rapid.SampledFrom([]float64{math.NaN(), -1, 0, 1, float64(len(f.Levels) - 1)}).Draw(t, f.Name))
	}
	return row
}

// encoded writes a model without the comparison that Encode makes, which the tests make themselves.
func encoded(t rapid.TB, m model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	e, _ := model.AsTrees(m)
	if err := encode(&b, e); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func predict(t rapid.TB, e *model.Ensemble, o model.Output, row []float64) []float64 {
	t.Helper()
	p, err := e.Bind(&e.Meta.Schema, model.Options{Output: o, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, p.Width())
	if err := p.PredictRow(dst, row); err != nil {
		t.Fatal(err)
	}
	return dst
}

// A written model predicts as before: by the file's own nodes, and read back. Plain sums keep their
// bits.
func TestWrittenModelsPredictTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, exact := randomModel(t)
		text := encoded(t, e)
		f := mustRead(t, "", text)
		again, err := f.ensemble(foreign.NewBudget(textName, 0, codec.Limits{}))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if other := encoded(t, again); !bytes.Equal(text, other) {
			t.Fatalf("the model that came back is written differently:\n%s\n%s", text, other)
		}
		for range 20 {
			row := randomRow(t)
			want := predict(t, e, model.Raw, row)
			got := make([]float64, len(want))
			reference{f}.Raw(got, row)
			for k := range want {
				if exact && !f.average && got[k] != want[k] || !(difference(got[k], want[k]) <= 1e-12) {
					t.Fatalf("raw scores of %v: %v, want %v\n%s", row, got, want, text)
				}
			}
			if !exact && slices.ContainsFunc(want, func(x float64) bool { return math.Abs(x) > 1e9 }) {
				continue // the rounding of such scores decides which of them is the greatest
			}
			want = predict(t, e, model.Response, row)
			got = predict(t, again, model.Response, row)
			want = want[len(want)-len(got):] // one score without a link may stand for two classes
			for k := range want {
				if !(difference(got[k], want[k]) <= 1e-12) {
					t.Fatalf("response of %v: %v, want %v\n%s", row, got, want, text)
				}
			}
		}
	})
}

// The samples come back: the same decisions, leaf numbers and scores, to the bit.
func TestSamplesAreWritten(t *testing.T) {
	samples(t, func(t *testing.T, s *found) {
		f := mustRead(t, s.model, s.bytes)
		e, err := f.ensemble(foreign.NewBudget(textName, int64(len(s.bytes)), codec.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		text := encoded(t, e)
		back := mustConvert(t, text)
		if other := encoded(t, back); !bytes.Equal(text, other) {
			t.Error("the model that came back is written differently")
		}
		was, is := reference{f}, reference{mustRead(t, "", text)}
		agrees(t, back, is, s.rows)
		if s.model == "lg_1tree.json" {
			return // its leaves have the numbers 0, 1 and 3
		}
		for _, row := range s.rows {
			want, got := make([]float64, was.Scores()), make([]float64, is.Scores())
			was.Raw(want, row)
			is.Raw(got, row)
			if !slices.Equal(got, want) {
				t.Fatalf("scores of %v: %v, want %v", row, got, want)
			}
			before, after := make([]int32, was.Trees()), make([]int32, is.Trees())
			was.Leaves(before, row)
			is.Leaves(after, row)
			if !slices.Equal(before, after) {
				t.Fatalf("leaves of %v: %v, want %v", row, after, before)
			}
		}
	})
}

func mustConvert(t rapid.TB, text []byte) *model.Ensemble {
	t.Helper()
	m, err := decodeText(bytes.NewReader(text), int64(len(text)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble)
}

// What the format cannot hold is an error that names it.
func TestRefusedModels(t *testing.T) {
	plain := func(s tree.Split) *model.Ensemble {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		first := b.Split(0, s)
		for c := first; c < first+max(2, s.Arity); c++ {
			b.SetFraction(c, 1/float64(max(2, s.Arity)))
		}
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return &model.Ensemble{Meta: model.Spec{Task: data.Regression,
			Schema: data.Schema{Fields: slices.Clone(randomFields)}}, Trees: []*tree.Tree{made}}
	}
	numeric := tree.Split{Kind: tree.Numeric}
	changed := func(change func(e *model.Ensemble)) *model.Ensemble {
		e := plain(numeric)
		change(e)
		return e
	}
	for want, e := range map[string]model.Model{
		"a child for each category": plain(tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 3}),
		"several columns": plain(tree.Split{Kind: tree.Oblique,
			Direction: []tree.Term{{Feature: 0, Coef: 1}}}),
		"divided among": plain(tree.Split{Kind: tree.Numeric, Missing: tree.MissingFractional}),
		"surrogate splits": plain(tree.Split{Kind: tree.Numeric, Missing: tree.MissingSurrogate,
			Surrogates: []tree.Surrogate{{Kind: tree.Numeric, Feature: 1, Agree: 1, Adjusted: 1}}}),
		"stop at inner nodes": plain(tree.Split{Kind: tree.Numeric, Missing: tree.MissingStop}),
		"link halving":        changed(func(e *model.Ensemble) { e.Link = link.Halving() }),
		"model of survival":   changed(func(e *model.Ensemble) { e.Meta.Task = data.Survival }),
		`column name "a b"`:   changed(func(e *model.Ensemble) { e.Meta.Schema.Fields[0].Name = "a b" }),
		"not UTF-8":           changed(func(e *model.Ensemble) { e.Meta.Schema.Fields[3].Levels = []string{"\xff"} }),
		"parts of dates": changed(func(e *model.Ensemble) {
			e.Meta.Schema.Fields[0].From = &data.DatePart{Source: "day"}
		}),
		`derived columns: column "count(code)"`: changed(func(e *model.Ensemble) {
			e.Inputs = input.Set{Tables: []input.Table{{Source: []int32{2}, Key: []uint64{1},
				Count: []float64{1}}}, Columns: []input.Column{{Kind: input.Count}}}
		}),
		"bring beyond the largest number": changed(func(e *model.Ensemble) {
			e.Bias, e.Weights = []float64{math.MaxFloat64}, []float64{math.MaxFloat64}
			e.Trees[0].Leaf.Value = slices.Repeat([]float64{math.MaxFloat64}, len(e.Trees[0].Leaf.Value))
		}),
	} {
		var b bytes.Buffer
		err := encodeModel(&b, e)
		if unsupported := (*codec.UnsupportedError)(nil); !errors.As(err, &unsupported) ||
			!strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%s: %v, and %d bytes", want, err, b.Len())
		}
	}
}
