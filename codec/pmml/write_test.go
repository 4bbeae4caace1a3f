package pmml_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/codec/pmml"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// encode writes a model, and reports false if the format cannot hold it.
func encode(t rapid.TB, e *model.Ensemble) ([]byte, bool) {
	t.Helper()
	var b bytes.Buffer
	err := pmml.Format().Encode(&b, e)
	if unsupported := (*codec.UnsupportedError)(nil); errors.As(err, &unsupported) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), true
}

// readBack returns the model and the reference of a file that was written.
func readBack(t rapid.TB, b []byte) (*model.Ensemble, codec.Reference) {
	t.Helper()
	m, err := pmml.Format().Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	r, err := pmml.Format().Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble), r
}

// predict returns an output of a row, nil if the model refuses a value.
func predict(t rapid.TB, e *model.Ensemble, output model.Output, row []float64) []float64 {
	t.Helper()
	p, err := e.Bind(&e.Meta.Schema, model.Options{Output: output, Workers: 1})
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

// near reports whether numbers are equal up to the rounding of sums.
func near(got, want []float64, scale float64) bool {
	if len(got) != len(want) {
		return false
	}
	for k, w := range want {
		if d := math.Abs(got[k] - w); !(d <= 1e-12*max(1, scale, math.Abs(w))) && got[k] != w {
			return false
		}
	}
	return true
}

// A written model has the decisions, the leaves and the scores of the model, by the reader and by
// the plain evaluation of the file.
func TestWritten(t *testing.T) {
	written := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		e := randomEnsemble(t)
		file, ok := encode(t, e)
		if !ok {
			t.Skip("a random model that PMML cannot hold: rapid makes another")
		}
		name := "identity"
		if e.Link != nil {
			name = e.Link.Name()
		}
		written[name]++
		got, ref := readBack(t, file)
		order := fileOrder(e)
		if e.Meta.Task.Classes() && name == "identity" {
			order = order[:len(e.Trees)]
		}
		scale := parity.Allowed(e, false) / 1e-12
		response := make([]float64, ref.Outputs())
		for range 20 {
			row := randomRow(t, e)
			want := predict(t, e, model.Response, row)
			if want == nil {
				continue
			}
			ref.Response(response, row)
			if is := predict(t, got, model.Response, row); !near(is, want, scale) || !near(response, want, scale) {
				t.Fatalf("%v: response %v, by the reference %v, want %v\n%s", row, is, response, want, file)
			}
			leaves, is := predict(t, e, model.Leaf, row), predict(t, got, model.Leaf, row)
			for i, from := range order {
				if is[i] != leaves[from]+1 {
					t.Fatalf("%v: leaf %v of tree %d, want %v\n%s", row, is[i], i, leaves[from]+1, file)
				}
			}
		}
	})
	if len(written) < 7 && !testing.Short() { // a fifth of the models need not have all links
		t.Errorf("models that were written, by link: %v", written)
	}
}

// fileOrder returns the trees of a model in the order of the file: those of each score.
func fileOrder(e *model.Ensemble) []int {
	var order []int
	for k := range e.Scores() {
		for i := range e.Trees {
			if e.Output == nil || e.Output[i] < 0 || int(e.Output[i]) == k {
				order = append(order, i)
			}
		}
	}
	return order
}

// texts are names and categories with all that XML and PMML's arrays escape.
var texts = []string{"a", "b c", `"q"`, "<&>'", "x\ty\n\rz", `back\slash`, "größe", "1", " ", "d", "e", "f"}

func randomEnsemble(t *rapid.T) *model.Ensemble {
	many := make([]string, 70)
	for i := range many {
		many[i] = strings.Repeat("n", i+1)
	}
	e := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Label: "y", Learner: "random",
		Schema: data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "a <b> \"c\""},
			{Name: "c", Kind: data.Categorical, Levels: texts},
			{Name: "d", Kind: data.Categorical, Levels: many}}}}}
	if rapid.Bool().Draw(t, "tokens") {
		e.Meta.Schema.Tokens = []string{"", "-999", "N/A"}
	}
	classes := rapid.IntRange(1, 4).Draw(t, "classes")
	if classes > 1 {
		e.Meta.Task, e.Meta.Classes = data.Multiclass, []string{"no", "y e s", "<a>", "1"}[:classes]
		if classes == 2 {
			e.Meta.Task = data.Binary
		}
	}
	scores := classes
	if classes == 2 && rapid.Bool().Draw(t, "one score") || classes == 1 {
		scores = 1
	}
	e.Link = rapid.SampledFrom([]link.Link{nil, link.Logistic(), link.ScaledLogistic(0.7), link.Softmax(),
		link.OneVsAll(), link.Exp(), link.Probit()}).Draw(t, "link")
	if rapid.Bool().Draw(t, "bias") {
		e.Bias = rapid.SliceOfN(rapid.Float64Range(0, 1), scores, scores).Draw(t, "biases")
	}
	mean := rapid.Bool().Draw(t, "mean")
	kind := rapid.SampledFrom([]tree.LeafKind{tree.Scalar, tree.Vector, tree.Counts}).Draw(t, "kind")
	trees := rapid.IntRange(0, 4).Draw(t, "trees")
	if mean && trees > 0 { // no mean is of no trees
		e.Combine = model.Mean
	}
	width := scores
	if kind == tree.Counts {
		width = classes
	}
	if kind == tree.Scalar {
		width, trees = 1, trees*scores
	}
	pure := rapid.Bool().Draw(t, "pure")
	for i := range trees {
		e.Trees = append(e.Trees, randomTree(t, kind, width, pure))
		if kind == tree.Scalar && scores > 1 {
			e.Output = append(e.Output, int32(i%scores))
		}
	}
	if rapid.Bool().Draw(t, "weighted") {
		e.Weights = rapid.SliceOfN(rapid.Float64Range(0.1, 2), trees, trees).Draw(t, "weights")
	}
	if e.Validate() != nil {
		e.Bias = nil
	}
	return e
}

func randomSplit(t *rapid.T) tree.Split {
	points := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 0.1, 1, math.Inf(1), math.Inf(-1),
		math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e15, 123456789.125}))
	s := tree.Split{Feature: rapid.Int32Range(0, 3).Draw(t, "feature"), Kind: tree.Numeric,
		SplitPoint: points.Draw(t, "split point"), Missing: rapid.SampledFrom([]tree.Missing{tree.MissingFirst,
			tree.MissingLast, tree.MissingMajority, tree.MissingStop, tree.MissingSurrogate}).Draw(t, "missing")}
	if s.Feature > 1 {
		s.Kind = rapid.SampledFrom([]tree.Kind{tree.SetFirst, tree.SetLast, tree.ByCode}).Draw(t, "set kind")
		s.Set = []uint64{rapid.Uint64Range(0, 1<<12-1).Draw(t, "set")}
		if s.Feature == 3 {
			s.Set = []uint64{rapid.Uint64().Draw(t, "set"), rapid.Uint64Range(0, 63).Draw(t, "set")}
		}
		if s.Kind == tree.ByCode {
			s.Set, s.Arity = nil, rapid.Int32Range(1, 4).Draw(t, "arity")
		}
	}
	if s.Missing < tree.MissingSurrogate || s.Kind == tree.ByCode && s.Missing == tree.MissingSurrogate {
		s.Missing = min(s.Missing, tree.MissingMajority)
		return s
	}
	for range rapid.IntRange(0, 2).Draw(t, "surrogates") {
		by := tree.Surrogate{Kind: tree.Numeric, Feature: 1 - min(1, s.Feature), SplitPoint: points.Draw(t, "split point"),
			Flip: rapid.Bool().Draw(t, "flip")}
		if rapid.Bool().Draw(t, "by category") {
			by = tree.Surrogate{Kind: tree.SetFirst, Feature: 2, Set: []uint64{rapid.Uint64Range(1, 1<<12-1).Draw(t, "set")}}
			if rapid.Bool().Draw(t, "last") {
				by.Kind = tree.SetLast
			}
		}
		if by.Feature != s.Feature && s.Kind != tree.ByCode {
			s.Surrogates = append(s.Surrogates, by)
		}
	}
	return s
}

func randomTree(t *rapid.T, kind tree.LeafKind, width int, pure bool) *tree.Tree {
	b := tree.NewBuilder(kind, width, false)
	leaves := []int32{0}
	for range rapid.IntRange(0, 6).Draw(t, "splits") {
		s := randomSplit(t)
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		first := b.Split(leaves[at], s)
		leaves[at] = first
		for c := int32(1); c < max(2, s.Arity); c++ {
			if s.Arity != 1 {
				leaves = append(leaves, first+c)
			}
		}
	}
	for n := range int32(b.Len()) {
		v := rapid.SliceOfN(rapid.Float64Range(-3, 3), width, width).Draw(t, "value")
		for k := range v {
			switch {
			case kind == tree.Counts && pure || kind == tree.Vector && pure:
				v[k] = 0
				if k == int(n)%width {
					v[k] = 1
				}
			case kind == tree.Counts:
				v[k] = math.Abs(v[k])
			case pure:
				v[k] = math.Abs(v[k]) / 3
			}
		}
		b.SetValue(n, v)
		if n > 0 {
			b.SetFraction(n, rapid.Float64Range(0, 1).Draw(t, "fraction"))
		}
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// randomRow makes a row of numbers near split points, of categories, and of missing and unseen
// values.
func randomRow(t *rapid.T, e *model.Ensemble) []float64 {
	row := make([]float64, len(e.Meta.Schema.Fields))
	for i := range row {
		f := &e.Meta.Schema.Fields[i]
		switch {
		case rapid.IntRange(0, 3).Draw(t, "missing") == 0:
			row[i] = math.NaN()
		case f.Kind == data.Categorical:
			row[i] = float64(rapid.IntRange(-1, len(f.Levels)-1).Draw(t, "code"))
		default:
			row[i] = rapid.Float64().Draw(t, "x")
			if len(e.Trees) == 0 {
				continue
			}
			if tr := e.Trees[rapid.IntRange(0, len(e.Trees)-1).Draw(t, "tree")]; rapid.Bool().Draw(t, "near") {
				n := int32(rapid.IntRange(0, tr.Len()-1).Draw(t, "node"))
				if tr.Kind(n) == tree.Numeric {
					x := tr.SplitPoint(n)
					row[i] = rapid.SampledFrom([]float64{x, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))}).Draw(t, "near")
				}
			}
		}
	}
	return row
}

// Models that the format cannot hold are refused with the name of what they have.
func TestEncodeRefuses(t *testing.T) {
	for _, c := range []struct {
		want  string
		model model.Model
	}{
		{"training values", codectest.Pool()},
		{"derived columns", codectest.Derived()},
		{"equations in leaves", codectest.Inclined()},
		{"anomaly scores", codectest.Scores()},
		{"no single ensemble of trees", codectest.TinyLinear()},
		{"parts of dates", codectest.Dated()},
		{"n-grams of texts", codectest.Texted()},
		{"without columns", &model.Ensemble{Meta: model.Spec{Task: data.Regression, Learner: "none"}, Bias: []float64{1}}},
	} {
		err := pmml.Format().Encode(&bytes.Buffer{}, c.model)
		var unsupported *codec.UnsupportedError
		if !errors.As(err, &unsupported) || unsupported.Format != pmml.Format().Name || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
