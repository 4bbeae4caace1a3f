package formats_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// fields are the columns of random models.
var fields = []data.Field{{Name: "x"}, {Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "d"}}, {Name: "z"}}

// randomTree makes a tree of plain splits whose leaves have different values.
func randomTree(t *rapid.T) *tree.Tree {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	leaves := []int32{0}
	for range rapid.IntRange(1, 7).Draw(t, "splits") {
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		f := rapid.Int32Range(0, 2).Draw(t, "feature")
		s := tree.Split{Kind: tree.Numeric, Feature: f, SplitPoint: float64(rapid.IntRange(0, 3).Draw(t, "point"))}
		if f == 1 {
			s.Kind = rapid.SampledFrom([]tree.Kind{tree.SetFirst, tree.SetLast}).Draw(t, "kind")
			s.Set = []uint64{rapid.Uint64Range(1, 6).Draw(t, "set")}
		} else if rapid.IntRange(0, 3).Draw(t, "separates") == 0 {
			s.SplitPoint = math.Inf(1)
		}
		s.Missing = rapid.SampledFrom([]tree.Missing{tree.MissingFirst, tree.MissingLast, tree.MissingMajority}).Draw(t, "missing")
		first := b.Split(leaves[at], s)
		leaves[at] = first
		leaves = append(leaves, first+1)
	}
	for n := range int32(b.Len()) {
		b.SetFraction(n, 0.5)
	}
	for i, n := range leaves {
		b.SetValue(n, []float64{float64(i + 1)})
		b.SetCover(n, float64(rapid.IntRange(0, 9).Draw(t, "cover")))
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// randomModel makes a model of one tree that refuses some rows.
func randomModel(t *rapid.T) *model.Ensemble {
	e := &model.Ensemble{Trees: []*tree.Tree{randomTree(t)}, Meta: model.Spec{Task: data.Regression}}
	for _, f := range fields {
		if rapid.Bool().Draw(t, "refuse missing") {
			f.Missing = data.Refuse
		}
		if rapid.Bool().Draw(t, "refuse unseen") {
			f.Unseen = data.Refuse
		}
		e.Meta.Schema.Fields = append(e.Meta.Schema.Fields, f)
	}
	for n := range int32(e.Trees[0].Len()) {
		if e.Trees[0].Kind(n) == tree.Leaf && rapid.IntRange(0, 2).Draw(t, "refused") == 0 {
			e.Refused = append(e.Refused, model.Refused{Leaf: n})
		}
	}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	return e
}

func predict(t *rapid.T, e *model.Ensemble, row []float64) float64 {
	p, err := e.Bind(&e.Meta.Schema, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, 1)
	if err := p.PredictRow(dst, row); err != nil {
		return math.NaN()
	}
	return dst[0]
}

// A model that takes the place of another refuses no row, predicts what the other predicts where
// that refuses none, and else the value of a leaf that has a prediction. A number stands for
// missing ones: such rows are predicted as those of the number, if that is not refused itself.
func TestRelax(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		e := randomModel(t)
		if !formats.Refuses(e) {
			e.Meta.Schema.Fields[0].Missing = data.Refuse
		}
		text := rapid.SampledFrom([]string{"left", "right", "heavier", "0", "2.5"}).Draw(t, "rule")
		rule, err := formats.ParseMissingRule(text)
		if err != nil {
			t.Fatal(err)
		}
		own, changes, err := formats.Relax(e, rule)
		if err != nil {
			if strings.Contains(err.Error(), "no row has a prediction") {
				return
			}
			t.Fatal(err)
		}
		taken++
		if formats.Refuses(own) || len(changes) == 0 || own.Trees[0].Covers() == nil {
			t.Fatalf("%+v, %q", own, changes)
		}
		gone := map[float64]bool{}
		for _, r := range e.Refused {
			gone[e.Trees[0].Value(r.Leaf)[0]] = true
		}
		for range 10 {
			row := []float64{rapid.SampledFrom([]float64{math.NaN(), 0, 1, 2, 2.5, 4}).Draw(t, "x"),
				rapid.SampledFrom([]float64{math.NaN(), -1, 0, 1, 2}).Draw(t, "c"),
				rapid.SampledFrom([]float64{math.NaN(), 0, 1, 2, 2.5, 4}).Draw(t, "z")}
			want, got := predict(t, e, row), predict(t, own, row)
			if !math.IsNaN(want) && got != want || math.IsNaN(got) || gone[got] {
				t.Fatalf("%v predicts %v, want %v", row, got, want)
			}
			if !math.IsNaN(row[0]) || e.Meta.Schema.Fields[0].Missing != data.Refuse || len(text) > 3 {
				continue
			}
			row[0] = map[string]float64{"0": 0, "2.5": 2.5}[text]
			if other := predict(t, own, row); other != got {
				t.Fatalf("a missing x predicts %v, and %v %v", got, row[0], other)
			}
		}
	})
	if taken < 10 {
		t.Errorf("%d models", taken)
	}
}

// What stands for no rule is an error.
func TestParseMissingRule(t *testing.T) {
	for _, text := range []string{"", "up", "NaN", "inf", "1e999", "1,5"} {
		if _, err := formats.ParseMissingRule(text); err == nil || !strings.Contains(err.Error(), "left, right, heavier, or a number") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
