package xgboost_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// writableFields are three columns of numbers and two of categories, one of them bare codes.
func writableFields() []data.Field {
	codes := make([]string, 70)
	for i := range codes {
		codes[i] = fmt.Sprint(i)
	}
	return []data.Field{{Name: "a"}, {Name: "b (m/s) \"x\""}, {Name: "ä"},
		{Name: "city", Kind: data.Categorical, Levels: []string{"rome", "", "Köln", "ab"}},
		{Name: "code", Kind: data.Categorical, Levels: codes}}
}

// splitPoints are those at the ends of single precision, and some between.
var splitPoints = []float64{0, 0.5, 1, -1, 0.1, 3, 1e-45, -1e-45, 1e-50, math.MaxFloat32, 1e39, -1e39,
	-math.MaxFloat32, math.Inf(1), math.Inf(-1), 1e300, 2, 16777217}

// rowNumbers are values of rows: those that single precision holds, and no infinities, which
// XGBoost refuses.
var rowNumbers = []float64{0, 0.5, 1, -1, float64(float32(0.1)), 2, 3, 4, 1.401298464324817e-45, -1.401298464324817e-45,
	math.MaxFloat32, -math.MaxFloat32, 16777216, 16777218, math.NaN()}

// writable generates models that the format can hold, with every kind of node that it has. Values
// are whole numbers, so that sums are exact.
func writable() *rapid.Generator[*model.Ensemble] {
	return rapid.Custom(func(t *rapid.T) *model.Ensemble {
		e := &model.Ensemble{Meta: model.Spec{Schema: data.Schema{Fields: writableFields()}, Learner: "test", Label: "y",
			Task: data.Regression}}
		scores := rapid.SampledFrom([]int{1, 1, 2, 3}).Draw(t, "scores")
		e.Link = rapid.SampledFrom([]link.Link{nil, link.Identity(), link.Logistic(), link.Exp(), link.Hazard(), link.Step(),
			link.Softmax()}).Draw(t, "link")
		switch e.Link {
		case link.Softmax():
			scores = max(2, scores)
			e.Meta.Task, e.Meta.Classes = data.Multiclass, []string{"x", "<y>", "\"z\""}[:scores]
		case link.Logistic(), link.Step():
			if scores == 1 {
				e.Meta.Task, e.Meta.Classes = data.Binary, []string{"no", "yes"}
			}
		}
		vector := rapid.Bool().Draw(t, "vector")
		for i := range rapid.IntRange(0, 6).Draw(t, "trees") {
			width, output := 1, int32(i%scores)
			if vector {
				width, output = scores, -1
			}
			e.Trees = append(e.Trees, writableTree(t, width))
			e.Output = append(e.Output, output)
			e.Weights = append(e.Weights, rapid.SampledFrom([]float64{1, 0.5, -2}).Draw(t, "weight"))
		}
		if rapid.Bool().Draw(t, "rounds") {
			for i := range e.Trees {
				if i == 0 || rapid.Bool().Draw(t, "a round begins") {
					e.Rounds = append(e.Rounds, int32(i))
				}
			}
			e.Best = rapid.IntRange(0, len(e.Rounds)).Draw(t, "best")
		}
		e.Bias = make([]float64, scores)
		for i := range e.Bias {
			e.Bias[i] = rapid.SampledFrom([]float64{0, 1, -3, 0.25, 12, 0.1}).Draw(t, "bias")
		}
		sum := 0.0
		for _, w := range e.Weights {
			sum += w
		}
		if sum > 0 && rapid.Bool().Draw(t, "mean") {
			mean := *e
			if mean.Combine, mean.Best = model.Mean, 0; mean.Validate() == nil {
				return &mean
			}
		}
		return e
	})
}

func writableTree(t *rapid.T, width int) *tree.Tree {
	kind := tree.Scalar
	if width > 1 {
		kind = tree.Vector
	}
	b := tree.NewBuilder(kind, width, false)
	leaves := []int32{0}
	for range rapid.IntRange(0, 5).Draw(t, "splits") {
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		s := tree.Split{Feature: int32(rapid.IntRange(0, 4).Draw(t, "feature")),
			Missing: rapid.SampledFrom([]tree.Missing{tree.MissingFirst, tree.MissingLast, tree.MissingMajority}).Draw(t, "rule")}
		if s.Feature < 3 {
			s.Kind, s.SplitPoint = tree.Numeric, rapid.SampledFrom(splitPoints).Draw(t, "split point")
		} else {
			s.Kind = rapid.SampledFrom([]tree.Kind{tree.SetFirst, tree.SetLast}).Draw(t, "kind")
			s.Set = []uint64{rapid.Uint64().Draw(t, "set")}
			switch {
			case rapid.IntRange(0, 4).Draw(t, "empty") == 0:
				s.Set[0] = 0
			case s.Feature == 3:
				s.Set[0] &= 15
			default:
				s.Set = append(s.Set, rapid.Uint64Range(0, 63).Draw(t, "more"))
			}
		}
		first := b.Split(leaves[at], s)
		fraction := rapid.SampledFrom([]float64{0.25, 0.75}).Draw(t, "fraction")
		b.SetFraction(first, fraction)
		b.SetFraction(first+1, 1-fraction)
		leaves = append(leaves[:at], append(leaves[at+1:], first, first+1)...)
	}
	for _, n := range leaves {
		value := make([]float64, width)
		for k := range value {
			value[k] = float64(rapid.IntRange(-4, 4).Draw(t, "value"))
		}
		b.SetValue(n, value)
		b.SetCover(n, float64(rapid.IntRange(0, 9).Draw(t, "cover")))
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func writableRow() *rapid.Generator[[]float64] {
	return rapid.Custom(func(t *rapid.T) []float64 {
		row := make([]float64, 5)
		for i := range row {
			switch x := rapid.SampledFrom(rowNumbers); i {
			case 3:
				row[i] = rapid.SampledFrom([]float64{0, 1, 2, 3, -1, math.NaN()}).Draw(t, "city")
			case 4:
				row[i] = rapid.SampledFrom([]float64{0, 5, 63, 64, 69, -1, math.NaN()}).Draw(t, "code")
			default:
				row[i] = x.Draw(t, "number")
			}
		}
		return row
	})
}

func encoded(t rapid.TB, f codec.Format, m model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// near is how far scores may be: sums are exact, start values, weights of means and links are not.
const near = 3e-6

func TestWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := writable().Draw(rt, "model")
		rows := rapid.SliceOfN(writableRow(), 1, 20).Draw(rt, "rows")
		if err := e.Validate(); err != nil {
			rt.Fatal(err)
		}
		predict := predictor(t, e)
		for _, f := range written {
			b := encoded(rt, f, e)
			again, ref := decode(t, f, b)
			agree(t, again, ref, forModel(again, rows))
			if next := encoded(rt, f, again); !bytes.Equal(b, next) {
				rt.Fatal("what was read is written differently")
			}
			repredict := predictor(t, again)
			for _, row := range rows {
				raw, response := predict(row)
				raw2, response2 := repredict(forModel(again, [][]float64{row})[0])
				if nearStep(e, raw) {
					response, response2 = nil, nil // rounding decides
				}
				if d := max(distance(raw2, raw), distance(response2, response)); !(d <= near) {
					rt.Fatalf("row %v: %v %v became %v %v", row, raw, response, raw2, response2)
				}
			}
			sameSpec(rt, e, again.(*model.Ensemble))
		}
	})
}

// nearStep reports whether a response steps from 0 to 1 at a score.
func nearStep(e *model.Ensemble, raw []float64) bool {
	return e.Link == link.Step() && slices.ContainsFunc(raw, func(s float64) bool { return math.Abs(s) <= near })
}

func sameSpec(t rapid.TB, want, got *model.Ensemble) {
	t.Helper()
	if got.Meta.Label != want.Meta.Label || fmt.Sprint(got.Meta.Classes) != fmt.Sprint(want.Meta.Classes) {
		t.Fatalf("label %q, classes %q became %q, %q", want.Meta.Label, want.Meta.Classes, got.Meta.Label, got.Meta.Classes)
	}
	for i := range want.Meta.Schema.Fields {
		a, b := &want.Meta.Schema.Fields[i], &got.Meta.Schema.Fields[i]
		if a.Name != b.Name || a.Kind != b.Kind || a.Name == "city" && fmt.Sprint(a.Levels) != fmt.Sprint(b.Levels) {
			t.Fatalf("column %+v became %+v", a, b)
		}
	}
}

// TestEdgesScoredByXGBoost has XGBoost predict with random models of every kind of node.
func TestEdgesScoredByXGBoost(t *testing.T) {
	tier.NotShort(t, "starts Python")
	program := python(t)
	dir := t.TempDir()
	var rows [][]float64
	for i := range 60 {
		rows = append(rows, writableRow().Example(i))
	}
	csv := writeRows(t, dir, rows)
	args := []string{csv}
	var models []*model.Ensemble
	for i := range 60 {
		e := writable().Example(i)
		e.Best = 0 // score.py predicts by all rounds
		if e.Link == link.Link(link.Softmax()) && len(e.Trees) == 0 {
			continue
		}
		for suffix, f := range written {
			file := filepath.Join(dir, fmt.Sprint(i)+suffix)
			if err := os.WriteFile(file, encoded(t, f, e), 0o600); err != nil {
				t.Fatal(err)
			}
			args, models = append(args, file), append(models, e)
		}
	}
	program.score(t, args...)
	for i, file := range args[1:] {
		predict := predictor(t, models[i])
		for r, want := range scoredOutputs(t, file+".csv") {
			raw, response := predict(rows[r])
			if d := max(distance(raw, want.raw), distance(response[len(response)-len(want.response):], want.response)); !(d <= near) {
				t.Fatalf("%s row %d %v: %v %v, by XGBoost %v %v (%T)", file, r, rows[r], raw, response, want.raw, want.response, models[i].Link)
			}
		}
	}
}

// splitBy returns a tree of one split.
func splitBy(t *testing.T, s tree.Split) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, s)
	for n := first; int(n) < b.Len(); n++ {
		b.SetValue(n, []float64{1})
		b.SetFraction(n, 0.5)
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func TestWriterRefuses(t *testing.T) {
	split := func(s tree.Split) func(e *model.Ensemble) {
		return func(e *model.Ensemble) { e.Trees[0] = splitBy(t, s) }
	}
	for want, change := range map[string]func(e *model.Ensemble){
		"a threshold of the decision": func(e *model.Ensemble) {
			e.Meta.Task, e.Meta.Classes, e.Link = data.Binary, []string{"a", "b"}, link.Logistic()
			e.Meta.Decision.Threshold = 0.3
		},
		"class probabilities that are means": func(e *model.Ensemble) { e.Meta.Task, e.Meta.Classes = data.Binary, []string{"a", "b"} },
		"the link softplus":                  func(e *model.Ensemble) { e.Link = link.Softplus() },
		"refuse missing":                     func(e *model.Ensemble) { e.Meta.Schema.Fields[1].Missing = data.Refuse },
		"not UTF-8":                          func(e *model.Ensemble) { e.Meta.Schema.Fields[1].Name = "\xff" },
		"surrogate": split(tree.Split{Kind: tree.Numeric, Missing: tree.MissingSurrogate,
			Surrogates: []tree.Surrogate{{Kind: tree.Numeric, Feature: 1, Agree: 1, Adjusted: 1}}}),
		"stop at inner nodes":       split(tree.Split{Kind: tree.Numeric, Missing: tree.MissingStop}),
		"several children":          split(tree.Split{Kind: tree.Numeric, Missing: tree.MissingFractional}),
		"a child for each category": split(tree.Split{Kind: tree.ByCode, Feature: 3, Arity: 3}),
		"along directions":          split(tree.Split{Kind: tree.Oblique, Direction: []tree.Term{{Feature: 0, Coef: 1}, {Feature: 1, Coef: 2}}}),
		"beyond single precision":   func(e *model.Ensemble) { e.Weights = []float64{1e300} },
		"start value":               func(e *model.Ensemble) { e.Bias = []float64{1e300} },
		"mean of some of the rounds": func(e *model.Ensemble) {
			e.Trees, e.Rounds, e.Best, e.Combine = append(e.Trees, e.Trees[0]), []int32{0, 1}, 1, model.Mean
		},
		"ascending scores": func(e *model.Ensemble) {
			e.Link, e.Trees, e.Bias = link.Ascending(), nil, []float64{1, 2}
		},
		"equations in leaves": func(e *model.Ensemble) {
			b := tree.NewBuilder(tree.Scalar, 1, false)
			b.SetLinear(0, 1, []tree.Term{{Feature: 0, Coef: 1}})
			e.Trees[0], _ = b.Build()
		},
	} {
		e := &model.Ensemble{Meta: model.Spec{Schema: data.Schema{Fields: writableFields()}, Task: data.Regression},
			Trees: []*tree.Tree{splitBy(t, tree.Split{Kind: tree.Numeric})}}
		change(e)
		for _, f := range written {
			var unsupported *codec.UnsupportedError
			err := f.Encode(&bytes.Buffer{}, e)
			if !errors.As(err, &unsupported) || unsupported.Format != f.Name || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", want, err)
			}
		}
	}
}

// Quantiles come back as such: one of 2.0, several in ascending order of 3.4.
func TestWrittenQuantiles(t *testing.T) {
	for _, levels := range [][]float64{{0.5}, {0.1, 0.5, 0.9}} {
		e := &model.Ensemble{Meta: model.Spec{Schema: data.Schema{Fields: writableFields()}, Task: data.Regression, Quantiles: levels},
			Bias: []float64{1, 2, 3}[:len(levels)]}
		if len(levels) > 1 {
			e.Link = link.Ascending()
		}
		again, _ := decode(t, xgboost.JSON(), encoded(t, xgboost.JSON(), e))
		if got := again.Spec().Quantiles; len(got) != len(levels) || math.Abs(got[0]-levels[0]) > 1e-8 {
			t.Errorf("quantiles %v became %v", levels, got)
		}
		raw, _ := predictor(t, again)([]float64{0, 0, 0, 0, 0})
		if distance(raw, e.Bias) > 1e-7 {
			t.Errorf("start values %v became %v", e.Bias, raw)
		}
	}
}
