package onnx_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/onnx"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// encode writes a model, and reports false if the format cannot hold it.
func encode(t rapid.TB, e *model.Ensemble) ([]byte, bool) {
	t.Helper()
	var b bytes.Buffer
	err := onnx.Format().Encode(&b, e)
	if unsupported := (*codec.UnsupportedError)(nil); errors.As(err, &unsupported) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), true
}

// bound returns the sum of the trees' greatest values and the start values of a model.
func bound(e *model.Ensemble) float64 {
	sum := 0.0
	for i, t := range e.Trees {
		w, top := 1.0, 0.0
		if e.Weights != nil {
			w = e.Weights[i]
		}
		for _, v := range t.Leaf.Value {
			top = max(top, math.Abs(v))
		}
		if t.Leaf.Kind == tree.Counts {
			top = 1
		}
		sum += math.Abs(w) * top
	}
	if d := e.Divisors(); d != nil {
		sum /= math.Abs(slices.Min(d))
	}
	for _, b := range e.Bias {
		sum += math.Abs(b)
	}
	return sum
}

// A written model decides as before for rows of single precision, and its scores differ by no more
// than the rounding of its leaves.
func TestWritten(t *testing.T) {
	written := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		e := randomEnsemble(t)
		file, ok := encode(t, e)
		if !ok {
			t.Skip("a random model that ONNX cannot hold: rapid makes another")
		}
		if written["all"]++; e.Link != nil {
			written[e.Link.Name()]++
		}
		got, err := onnx.Format().Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		output := model.Raw
		same := got.(*model.Ensemble).Scores() == e.Scores() && e.Link == got.(*model.Ensemble).Link
		if !same {
			output = model.Response
		}
		before, err := e.Bind(&e.Meta.Schema, model.Options{Output: output})
		if err != nil {
			t.Fatal(err)
		}
		after, err := got.Bind(&e.Meta.Schema, model.Options{Output: output})
		if err != nil {
			t.Fatal(err)
		}
		sameLabels(t, e, got)
		// below 1e-38 singles have fewer digits
		slack := bound(e)*float64(len(e.Trees)+2)*0x1p-23 + 1e-40
		want, is := make([]float64, before.Width()), make([]float64, after.Width())
		for range 20 {
			row := randomRow(t, e)
			if before.PredictRow(want, row) != nil {
				continue // a missing or unseen value that the model refuses
			}
			if err := after.PredictRow(is, row); err != nil {
				t.Fatal(err)
			}
			for k, w := range want {
				if d := math.Abs(is[k] - w); same && !(d <= slack) || !same && d > 1e-5+slack && slack < 1e-3 {
					t.Fatalf("%v: output %d is %v, was %v", row, k, is[k], w)
				}
			}
		}
	})
	if len(written) < 8 && !testing.Short() { // a fifth of the models need not have all links
		t.Errorf("models that were written, by link: %v", written)
	}
}

// sameLabels checks that a model and what was written of it have the same labels, where two classes
// are not as probable but for rounding. The reader labels as ONNX Runtime does.
func sameLabels(t *rapid.T, e *model.Ensemble, written model.Model) {
	if !e.Meta.Task.Classes() {
		return
	}
	bind := func(m model.Model, o model.Output) model.Predictor {
		p, err := m.Bind(&e.Meta.Schema, model.Options{Output: o})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	response, before, after := bind(e, model.Response), bind(e, model.Label), bind(written, model.Label)
	p, want, is := make([]float64, response.Width()), []float64{0}, []float64{0}
	for range 20 {
		row := randomRow(t, e)
		if response.PredictRow(p, row) != nil || before.PredictRow(want, row) != nil {
			continue
		}
		if err := after.PredictRow(is, row); err != nil {
			t.Fatal(err)
		}
		// the scores of a probit may be no probabilities
		if near := math.Abs(p[int(is[0])] - p[int(want[0])]); is[0] != want[0] && !(near < 1e-5) && !math.IsNaN(near) {
			t.Fatalf("%v: label %v, was %v: responses %v", row, is[0], want[0], p)
		}
	}
}

// Of a written model, what is read and written again are the same bytes.
func TestWrittenTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file, ok := encode(t, randomEnsemble(t))
		if !ok {
			t.Skip("a random model that ONNX cannot hold: rapid makes another")
		}
		m, _ := decode(t, file)
		again, ok := encode(t, m)
		if !ok && m.Link == link.ApproximateProbit() {
			t.Skip("the probit of 1 is infinite, and of the same sum rounded otherwise it is none")
		}
		if !bytes.Equal(again, file) {
			t.Fatal("written again, the file differs")
		}
	})
}

// randomEnsemble makes a model of numbers and categories, mostly one that the format can hold.
func randomEnsemble(t *rapid.T) *model.Ensemble {
	many := make([]string, 70)
	for i := range many {
		many[i] = "level " + string(rune('A'+i))
	}
	e := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Learner: "test", Label: "y"}}
	e.Meta.Schema.Fields = []data.Field{{Name: "x"}, {Name: "y"},
		{Name: "c", Kind: data.Categorical, Levels: []string{"0", "1", "2"}},
		{Name: "d", Kind: data.Categorical, Levels: many}}
	classes := rapid.IntRange(1, 4).Draw(t, "classes")
	if classes > 1 {
		e.Meta.Task, e.Meta.Classes = data.Multiclass, []string{"no", "yes", "a", "b"}[:classes]
		if classes == 2 {
			e.Meta.Task = data.Binary
		}
	}
	scores := classes
	if classes == 2 && rapid.Bool().Draw(t, "one score") || classes == 1 {
		scores = 1
	}
	e.Link = rapid.SampledFrom([]link.Link{nil, link.Logistic(), link.ScaledLogistic(0.7), link.Softmax(),
		link.SoftmaxNonzero(), link.OneVsAll(), link.Clipped(), link.Exp(), link.ApproximateProbit()}).Draw(t, "link")
	if rapid.Bool().Draw(t, "bias") {
		e.Bias = rapid.SliceOfN(rapid.Float64Range(0, 1), scores, scores).Draw(t, "biases")
	}
	if rapid.Bool().Draw(t, "mean") {
		e.Combine = model.Mean
	}
	kind := rapid.SampledFrom([]tree.LeafKind{tree.Scalar, tree.Vector, tree.Counts}).Draw(t, "kind")
	trees := rapid.IntRange(1, 4).Draw(t, "trees")
	width := scores
	if kind == tree.Scalar {
		width, trees = 1, trees*scores
	}
	for i := range trees {
		e.Trees = append(e.Trees, randomTree(t, kind, width))
		if kind == tree.Scalar && scores > 1 {
			e.Output = append(e.Output, int32(i%scores))
		}
	}
	if rapid.Bool().Draw(t, "weighted") {
		e.Weights = rapid.SliceOfN(rapid.Float64Range(0.1, 2), trees, trees).Draw(t, "weights")
	}
	return e
}

func randomTree(t *rapid.T, kind tree.LeafKind, width int) *tree.Tree {
	b := tree.NewBuilder(kind, width, false)
	leaves := []int32{0}
	for range rapid.IntRange(0, 6).Draw(t, "splits") {
		s := tree.Split{Feature: rapid.Int32Range(0, 3).Draw(t, "feature"), Kind: tree.Numeric,
			SplitPoint: rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 0.1, 1, math.Inf(1), math.Inf(-1),
				math.MaxFloat32, -math.MaxFloat32, 0x1p-149})).Draw(t, "split point"),
			Missing: rapid.SampledFrom([]tree.Missing{tree.MissingFirst, tree.MissingLast}).Draw(t, "missing")}
		if s.Feature > 1 {
			s.Kind = rapid.SampledFrom([]tree.Kind{tree.SetFirst, tree.SetLast}).Draw(t, "set kind")
			s.Set = []uint64{rapid.Uint64Range(0, 7).Draw(t, "set")}
			if s.Feature == 3 {
				s.Set = []uint64{rapid.Uint64().Draw(t, "set"), rapid.Uint64Range(1, 63).Draw(t, "set")}
			}
		}
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		first := b.Split(leaves[at], s)
		leaves[at] = first
		leaves = append(leaves, first+1)
	}
	low := rapid.SampledFrom([]float64{-3, 0}).Draw(t, "low")
	if kind == tree.Counts {
		low = 0
	}
	for n := range int32(b.Len()) {
		b.SetValue(n, rapid.SliceOfN(rapid.Float64Range(low, 3), width, width).Draw(t, "value"))
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// randomRow makes a row of numbers of single precision near split points, of categories, and of
// missing and unseen values.
func randomRow(t *rapid.T, e *model.Ensemble) []float64 {
	row := make([]float64, len(e.Meta.Schema.Fields))
	for i := range row {
		f := &e.Meta.Schema.Fields[i]
		switch {
		case rapid.IntRange(0, 5).Draw(t, "missing") == 0:
			row[i] = math.NaN()
		case f.Kind == data.Categorical:
			row[i] = float64(rapid.IntRange(-1, len(f.Levels)-1).Draw(t, "code"))
		default:
			x := rapid.Float32().Draw(t, "x")
			if tr := e.Trees[rapid.IntRange(0, len(e.Trees)-1).Draw(t, "tree")]; rapid.Bool().Draw(t, "near") {
				n := int32(rapid.IntRange(0, tr.Len()-1).Draw(t, "node"))
				if tr.Kind(n) == tree.Numeric {
					x = float32(tr.SplitPoint(n))
					x = math.Nextafter32(x, float32(math.Inf(rapid.IntRange(-1, 1).Draw(t, "side"))))
				}
			}
			if row[i] = float64(x); math.IsInf(row[i], 0) {
				row[i] = 0
			}
		}
	}
	return row
}

// Models that the format cannot hold are refused with the name of what they have.
func TestEncodeRefuses(t *testing.T) {
	leaf, err := tree.NewBuilder(tree.Vector, 3, false).Build()
	if err != nil {
		t.Fatal(err)
	}
	zeros := &model.Ensemble{Meta: model.Spec{Task: data.Multiclass, Classes: []string{"a", "b", "c"}, Learner: "none",
		Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}}, Trees: []*tree.Tree{leaf}, Link: link.Clipped()}
	for _, c := range []struct {
		want  string
		model model.Model
	}{
		{"training values", codectest.Pool()},
		{"derived columns", codectest.Derived()},
		{"equations in leaves", codectest.Inclined()},
		{"anomaly scores", codectest.Scores()},
		{"no single ensemble of trees", codectest.TinyLinear()},
		{"may all be 0", zeros},
		{"without columns", &model.Ensemble{Meta: model.Spec{Task: data.Regression, Learner: "none"}, Bias: []float64{1}}},
	} {
		err := onnx.Format().Encode(&bytes.Buffer{}, c.model)
		var unsupported *codec.UnsupportedError
		if !errors.As(err, &unsupported) || unsupported.Format != onnx.Format().Name || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
