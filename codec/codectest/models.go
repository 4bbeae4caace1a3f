package codectest

import (
	"encoding/json"
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Models returns ensembles that differ in everything a format has to store: Tiny, Full, one without trees, and some
// random ones.
func Models() []model.Model {
	empty := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Learner: "none"}, Bias: []float64{1.5}}
	models := []model.Model{Tiny(), Full(), empty}
	for seed := range 5 {
		models = append(models, Ensemble().Example(seed))
	}
	return models
}

// Tiny returns the smallest classification tree worth looking at: one cut, two leaves.
//
//	x <= 0.5 ?  no : yes
func Tiny() *model.Ensemble {
	b := tree.NewBuilder(tree.Counts, 2, false)
	b.SetValue(0, []float64{3, 2})
	first := b.Split(0, tree.Split{Kind: tree.Cut, Feature: 0, Cut: 0.5, Missing: tree.MissingLast})
	b.SetValue(first, []float64{3, 0})
	b.SetValue(first+1, []float64{0, 2})
	return &model.Ensemble{
		Meta: model.Spec{
			Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}, Label: "y", Task: data.Binary,
			Classes: []string{"no", "yes"}, Learner: "cart", Params: json.RawMessage(`{"depth":1}`),
		},
		Trees:   []*tree.Tree{build(b)},
		Combine: model.Mean,
	}
}

// Full returns an ensemble in which no field of any struct is zero, so that a test can tell that a format forgot one.
// Its texts are hard: not UTF-8, quotes, line ends, empty.
func Full() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	b.SetStats(0, 10, 9.5, 0.25)
	first := b.Split(0, tree.Split{Kind: tree.SetLast, Feature: 1, Set: []uint64{1<<63 | 5, 3}, Missing: tree.MissingLast, Gain: 1.25})
	b.Split(first, tree.Split{Kind: tree.Cut, Feature: 0, Cut: math.Inf(1), Gain: 0.5})
	for n := range int32(b.Len()) {
		b.SetValue(n, []float64{float64(n) - 1.5})
		b.SetStats(n, int(10-n), float64(9-n), 0.25*float64(n))
	}
	t := build(b)
	// Of the inner nodes only the root keeps a value.
	t.Leaf.Slot = []int32{0, -1, 1, 2, 3}
	t.Leaf.Value = []float64{-1.5, 0.5, 1.5, math.SmallestNonzeroFloat64}
	vector := tree.NewBuilder(tree.Vector, 2, false)
	vector.SetValue(0, []float64{math.MaxFloat64, math.Copysign(0, -1)})
	levels := make([]string, 66)
	for i := range levels {
		levels[i] = fmt.Sprintf("level %d", i)
	}
	levels[0], levels[1], levels[2], levels[65] = "", "\xff\xfe", "Straße, \"5\"\r\n", "<b>&amp;\u2028"
	return &model.Ensemble{
		Meta: model.Spec{
			Schema: data.Schema{Fields: []data.Field{
				{Name: "größe\xff", Kind: data.Numeric, Missing: data.Refuse, Unseen: data.Refuse},
				{Name: "a \"b\"\n<c>", Kind: data.Categorical, Levels: levels, Missing: data.Refuse, Unseen: data.Refuse},
				{Name: "empty", Kind: data.Categorical},
			}},
			Label: "na\xefve", Task: data.Multiclass, Classes: []string{"<=50K", "\xe9"}, Learner: "gbm",
			Params:  json.RawMessage(`{"depth": 3, "loss": "<>&\u2028", "big": 123456789012345678901234567890}`),
			Summary: json.RawMessage(`[1e-300, null]`),
		},
		Trees:   []*tree.Tree{t, build(vector)},
		Output:  []int32{1, -1},
		Combine: model.Mean,
		Weights: []float64{0.1, -0.25},
		Bias:    []float64{0.5, 1},
		Link:    link.Softmax{},
	}
}

func build(b *tree.Builder) *tree.Tree {
	t, err := b.Build()
	if err != nil {
		panic(err) // the models of this file are valid
	}
	return t
}

// Ensemble generates valid ensembles: up to 5 trees of up to 13 nodes on up to 5 columns.
func Ensemble() *rapid.Generator[*model.Ensemble] {
	return rapid.Custom(func(t *rapid.T) *model.Ensemble {
		e := &model.Ensemble{Meta: spec().Draw(t, "spec")}
		outputs := len(e.Meta.Classes)
		if !e.Meta.Task.Classes() {
			outputs = rapid.IntRange(1, 3).Draw(t, "outputs")
		}
		// A regression has as many outputs as its widest tree, or as output numbers: the first tree fixes both.
		wide := rapid.Bool().Draw(t, "wide")
		trees := rapid.IntRange(1, 5).Draw(t, "trees")
		if !wide {
			trees = max(trees, outputs)
		}
		for i := range trees {
			width, output := outputs, int32(-1)
			if !wide {
				width, output = 1, int32(i%outputs)
			}
			e.Trees = append(e.Trees, oneTree(t, e.Meta.Schema.Fields, width))
			e.Output = append(e.Output, output)
		}
		if wide && rapid.Bool().Draw(t, "no outputs") {
			e.Output = nil
		}
		e.Combine = rapid.SampledFrom([]model.Combine{model.Sum, model.Mean}).Draw(t, "combine")
		if rapid.Bool().Draw(t, "weighted") {
			e.Weights = rapid.SliceOfN(number, trees, trees).Draw(t, "weights")
		}
		if rapid.Bool().Draw(t, "biased") {
			e.Bias = rapid.SliceOfN(number, outputs, outputs).Draw(t, "bias")
		}
		e.Link = rapid.SampledFrom(append(link.Table(), nil)).Draw(t, "link")
		return e
	})
}

// number is any finite number.
var number = rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)

func spec() *rapid.Generator[model.Spec] {
	return rapid.Custom(func(t *rapid.T) model.Spec {
		s := model.Spec{
			Label:   rapid.String().Draw(t, "label"),
			Task:    rapid.SampledFrom([]data.Task{data.Binary, data.Multiclass, data.Regression}).Draw(t, "task"),
			Learner: rapid.SampledFrom([]string{"cart", "forest", ""}).Draw(t, "learner"),
			Params:  rapid.SampledFrom([]json.RawMessage{nil, []byte(`{}`), []byte(`{"depth": 3}`)}).Draw(t, "params"),
			Summary: rapid.SampledFrom([]json.RawMessage{nil, []byte(`null`), []byte(`[1.5, "<"]`)}).Draw(t, "summary"),
		}
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4), func(b []byte) string { return string(b) }))
		if s.Task.Classes() {
			s.Classes = rapid.SliceOfNDistinct(text, 2, 4, rapid.ID).Draw(t, "classes")
		}
		policy := rapid.SampledFrom([]data.Policy{data.Learned, data.Refuse})
		for i := range rapid.IntRange(0, 5).Draw(t, "columns") {
			f := data.Field{
				Name:    fmt.Sprintf("%s%d", text.Draw(t, "name"), i),
				Kind:    rapid.SampledFrom([]data.Kind{data.Numeric, data.Categorical}).Draw(t, "kind"),
				Missing: policy.Draw(t, "missing"),
				Unseen:  policy.Draw(t, "unseen"),
			}
			if f.Kind == data.Categorical {
				f.Levels = rapid.SliceOfNDistinct(text, 0, 80, rapid.ID).Draw(t, "levels")
			}
			s.Schema.Fields = append(s.Schema.Fields, f)
		}
		return s
	})
}

// oneTree draws a tree: again and again a leaf is split.
func oneTree(t *rapid.T, fields []data.Field, width int) *tree.Tree {
	kinds := []tree.LeafKind{tree.Vector, tree.Counts}
	if width == 1 {
		kinds = append(kinds, tree.Scalar)
	}
	stats := rapid.Bool().Draw(t, "stats")
	b := tree.NewBuilder(rapid.SampledFrom(kinds).Draw(t, "leaf kind"), width, stats)
	leaves := []int32{0}
	splits := rapid.IntRange(0, 6).Draw(t, "splits")
	if len(fields) == 0 {
		splits = 0
	}
	for range splits {
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		first := b.Split(leaves[at], split(t, fields))
		leaves[at] = first
		leaves = append(leaves, first+1)
	}
	for n := range int32(b.Len()) {
		b.SetValue(n, rapid.SliceOfN(number, width, width).Draw(t, "value"))
		b.SetStats(n, rapid.IntRange(0, math.MaxInt32).Draw(t, "rows"), number.Draw(t, "weight"), number.Draw(t, "impurity"))
	}
	made := build(b)
	if rapid.Bool().Draw(t, "slots") {
		onlyLeaves(made)
	}
	return made
}

func split(t *rapid.T, fields []data.Field) tree.Split {
	feature := rapid.IntRange(0, len(fields)-1).Draw(t, "feature")
	s := tree.Split{
		Feature: int32(feature),
		Missing: rapid.SampledFrom([]tree.Missing{tree.MissingFirst, tree.MissingLast}).Draw(t, "missing"),
		Gain:    number.Draw(t, "gain"),
	}
	if fields[feature].Kind == data.Numeric {
		s.Kind = tree.Cut
		s.Cut = rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1)})).Draw(t, "cut")
		return s
	}
	s.Kind = rapid.SampledFrom([]tree.Kind{tree.SetFirst, tree.SetLast}).Draw(t, "kind")
	if n := len(fields[feature].Levels); n > 0 {
		s.Set = make([]uint64, (n+63)/64)
		for _, code := range rapid.SliceOfN(rapid.IntRange(0, n-1), 0, n).Draw(t, "set") {
			s.Set[code/64] |= 1 << (code % 64)
		}
	}
	return s
}

// onlyLeaves takes the values from the inner nodes of a tree that nobody else has seen.
func onlyLeaves(t *tree.Tree) {
	l := &t.Leaf
	var slot []int32
	var value []float64
	for n, kind := range t.Kind {
		if kind != tree.Leaf {
			slot = append(slot, -1)
			continue
		}
		slot = append(slot, int32(len(value)/l.Width))
		value = append(value, t.Value(int32(n))...)
	}
	l.Slot, l.Value = slot, value
}
