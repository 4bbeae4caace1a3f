package codectest

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input/inputtest"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// Ensemble generates valid ensembles: up to 5 trees of up to 6 inner nodes on up to 5 columns.
func Ensemble() *rapid.Generator[*model.Ensemble] {
	return rapid.Custom(func(t *rapid.T) *model.Ensemble {
		e := &model.Ensemble{Meta: spec().Draw(t, "spec")}
		if rapid.Bool().Draw(t, "derived") {
			e.Inputs = inputtest.Set(e.Meta.Schema.Fields).Draw(t, "inputs")
		}
		outputs := len(e.Meta.Classes)
		if e.Meta.Task == data.Anomaly {
			outputs = 1
		} else if !e.Meta.Task.Classes() {
			outputs = rapid.IntRange(1, 3).Draw(t, "outputs")
		}
		// A regression has as many outputs as its widest tree, or as output numbers: the first tree
		// fixes both.
		pool := e.Meta.Task == data.Regression && rapid.Bool().Draw(t, "pool")
		if pool {
			randomPool(t, e)
			return e
		}
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
			e.Trees = append(e.Trees, oneTree(t, e.Features().Fields, width))
			e.Output = append(e.Output, output)
		}
		if wide && rapid.Bool().Draw(t, "no outputs") {
			e.Output = nil
		}
		e.Combine = rapid.SampledFrom([]model.Combine{model.Sum, model.Mean}).Draw(t, "combine")
		if rapid.Bool().Draw(t, "weighted") {
			weight := number
			if e.Combine == model.Mean { // whose weights do not add up to 0
				weight = rapid.Float64Range(0.25, 4)
			}
			e.Weights = rapid.SliceOfN(weight, trees, trees).Draw(t, "weights")
		}
		if rapid.Bool().Draw(t, "biased") {
			e.Bias = rapid.SliceOfN(number, outputs, outputs).Draw(t, "bias")
		}
		if rapid.Bool().Draw(t, "linked") {
			e.Link = anyLink().Draw(t, "link")
		}
		if rapid.Bool().Draw(t, "imported") {
			randomOrigin(t, e)
		}
		return e
	})
}

// anyLink is a link of any name, with a parameter too.
func anyLink() *rapid.Generator[link.Link] {
	return rapid.OneOf(rapid.SampledFrom(link.Table()),
		rapid.Map(rapid.Float64Range(5e-324, math.MaxFloat64),
			func(k float64) link.Link { return link.ScaledLogistic(k) }))
}

// randomOrigin makes an ensemble one of another tool.
func randomOrigin(t *rapid.T, e *model.Ensemble) {
	e.Rounds = []int32{0}
	for i := range len(e.Trees) - 1 {
		if rapid.Bool().Draw(t, "a round begins") {
			e.Rounds = append(e.Rounds, int32(i+1))
		}
	}
	e.Best = rapid.IntRange(0, len(e.Rounds)).Draw(t, "best")
	e.Origin = &model.Origin{Tool: "tool", Version: rapid.String().Draw(t, "version")}
	if columns := len(e.Features().Fields); rapid.Bool().Draw(t, "gains") {
		e.Origin.Gain = rapid.SliceOfN(number, columns, columns).Draw(t, "gain")
	}
	if fields := len(e.Meta.Schema.Fields); fields > 0 && rapid.Bool().Draw(t, "certificate") {
		e.Origin.Certificate = &model.Certificate{Rows: 2,
			Probes:   rapid.SliceOfN(number, 2*fields, 2*fields).Draw(t, "probes"),
			Expected: rapid.SliceOfN(number, 2, 2).Draw(t, "expected")}
	}
	if rapid.Bool().Draw(t, "objective") {
		e.Origin.Objective = rapid.String().Draw(t, "name")
	}
	if len(e.Meta.Schema.Fields) > 0 && rapid.Bool().Draw(t, "categories") {
		for range e.Meta.Schema.Fields {
			e.Origin.Categories = append(e.Origin.Categories,
				rapid.SampledFrom([]string{"", "text", "int64"}).Draw(t, "stored as"))
		}
		e.Origin.Categories[0] = "text" // lists without any come back as none
	}
	if rapid.Bool().Draw(t, "settings") {
		e.Origin.Settings = rapid.MapOfN(rapid.String(), rapid.String(), 1, 3).Draw(t, "of the tool")
	}
	for _, tr := range e.Trees {
		numbers := make([]int32, tr.Len())
		for n := range numbers {
			if numbers[n] = -1; tr.Kind(int32(n)) == tree.Leaf {
				numbers[n] = rapid.Int32Range(0, math.MaxInt32).Draw(t, "number")
			}
		}
		e.Origin.Leaf = append(e.Origin.Leaf, numbers)
	}
}

// randomPool makes the trees of a pool, and their weights.
func randomPool(t *rapid.T, e *model.Ensemble) {
	e.Combine = model.Pool
	e.Targets = rapid.SliceOfNDistinct(number, 1, 9, rapid.ID).Draw(t, "targets")
	slices.Sort(e.Targets)
	shape := treetest.Shape{Fields: e.Features().Fields, Kind: tree.Scalar, Width: 1, Splits: 6,
		Number: number, Targets: len(e.Targets)}
	e.Trees = rapid.SliceOfN(treetest.Tree(shape), 1, 5).Draw(t, "trees")
	if rapid.Bool().Draw(t, "weighted") {
		e.Weights = rapid.SliceOfN(rapid.Float64Range(5e-324, 1e300), len(e.Trees),
			len(e.Trees)).Draw(t, "weights")
	}
}

// number is any finite number.
var number = rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)

// costs are what confusing some classes costs.
func costs(classes int) *rapid.Generator[data.Costs] {
	return rapid.Custom(func(t *rapid.T) data.Costs {
		c := make(data.Costs, classes)
		for i := range c {
			c[i] = rapid.SliceOfN(rapid.Float64Range(1e-300, 1e300), classes,
				classes).Draw(t, "row")
			c[i][i] = 0
		}
		return c
	})
}

func spec() *rapid.Generator[model.Spec] {
	return rapid.Custom(func(t *rapid.T) model.Spec {
		s := model.Spec{
			Label: rapid.String().Draw(t, "label"),
			Task: rapid.SampledFrom([]data.Task{data.Binary, data.Multiclass, data.Regression,
				data.Anomaly}).Draw(t, "task"),
			Learner: rapid.SampledFrom([]string{"cart", "forest", ""}).Draw(t, "learner"),
			Params: rapid.SampledFrom([]json.RawMessage{nil, []byte(`{}`),
				[]byte(`{"depth": 3}`)}).Draw(t, "params"),
			Summary: rapid.SampledFrom([]json.RawMessage{nil, []byte(`null`),
				[]byte(`[1.5, "<"]`)}).Draw(t, "summary"),
		}
		text := rapid.OneOf(rapid.String(),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4),
				func(b []byte) string { return string(b) }))
		if s.Task.Classes() {
			s.Classes = rapid.SliceOfNDistinct(text, 2, 4, rapid.ID).Draw(t, "classes")
			if rapid.Bool().Draw(t, "costs") {
				s.Decision.Costs = costs(len(s.Classes)).Draw(t, "cost")
			}
		}
		if s.Task == data.Anomaly {
			s.Classes = rapid.SliceOfNDistinct(text, 2, 2, rapid.ID).Draw(t, "classes")
		}
		s.Decision.FirstPositive = s.Task.Classes() && len(s.Classes) == 2 &&
			rapid.Bool().Draw(t, "first is positive")
		if s.Task == data.Anomaly || len(s.Classes) == 2 && rapid.Bool().Draw(t, "threshold") {
			s.Decision.Threshold = rapid.Float64Range(5e-324, math.MaxFloat64).Draw(t, "threshold")
		}
		if rapid.Bool().Draw(t, "roles") {
			name := rapid.OneOf(rapid.Just(""), text)
			s.Roles = data.RoleColumns{Event: name.Draw(t, "event"), Upper: name.Draw(t, "upper"),
				Group: name.Draw(t, "group"), Weight: name.Draw(t, "weight"), Time: name.Draw(t, "time"),
				Start:  rapid.SliceOfN(rapid.StringN(1, 4, -1), 0, 3).Draw(t, "init score"),
				Offset: name.Draw(t, "offset")}
		}
		if rapid.Bool().Draw(t, "tokens of columns") {
			s.Schema.TokensOf = map[string][]string{text.Draw(t, "column"): {"-999", text.Draw(t, "token")}}
		}
		s.Schema.FirstIndex = rapid.SampledFrom([]data.FirstIndex{"", data.FirstZero,
			data.FirstOne}).Draw(t, "first index")
		format := rapid.SampledFrom([]string{"", "1,234.5", "1.234,5 €", "1234.5%"})
		s.LabelFormat = format.Draw(t, "label format")
		policy := rapid.SampledFrom([]data.Policy{data.Learned, data.Refuse})
		for i := range rapid.IntRange(0, 5).Draw(t, "columns") {
			f := data.Field{
				Name: fmt.Sprintf("%s%d", text.Draw(t, "name"), i),
				Kind: rapid.SampledFrom([]data.Kind{data.Numeric, data.Categorical}).Draw(t,
					"kind"),
				Missing: policy.Draw(t, "missing"),
				Unseen:  policy.Draw(t, "unseen"),
			}
			if f.Kind == data.Numeric {
				f.Format = format.Draw(t, "format")
			}
			if f.Kind == data.Categorical {
				f.Levels = levels(text).Draw(t, "levels")
				f.Format = rapid.SampledFrom([]string{"", data.HashedLevels,
					data.NumberLevels}).Draw(t, "format")
			}
			s.Schema.Fields = append(s.Schema.Fields, f)
		}
		if s.Schema.FirstIndex == s.Schema.ImpliedFirstIndex() {
			s.Schema.FirstIndex = "" // which means the same, and is what files hold
		}
		return s
	})
}

// levels are up to 80 different texts, or bare codes.
func levels(text *rapid.Generator[string]) *rapid.Generator[[]string] {
	return rapid.OneOf(rapid.SliceOfNDistinct(text, 0, 80, rapid.ID),
		rapid.Map(rapid.IntRange(1, 80), func(n int) []string {
			codes := make([]string, n)
			for i := range codes {
				codes[i] = strconv.Itoa(i)
			}
			return codes
		}))
}

// oneTree makes a random tree.
func oneTree(t *rapid.T, fields []data.Field, width int) *tree.Tree {
	kinds := []tree.LeafKind{tree.Vector, tree.Counts}
	if width == 1 {
		kinds = append(kinds, tree.Scalar)
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "leaf kind")
	return treetest.Tree(treetest.Shape{Fields: fields, Kind: kind, Width: width, Splits: 6,
		Number: number}).Draw(t, "tree")
}
