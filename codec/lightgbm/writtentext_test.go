package lightgbm

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// written is the text of writtenModel. The third split is one that the tree does not have: only
// missing categories fail it, which go where category 1 goes.
const written = `tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=2
objective=regression
feature_names=x code colour
feature_infos=[-inf:inf] 0:1:2 0:1:2
tree_sizes=239 277 140

Tree=0
num_leaves=3
num_cat=1
split_feature=0 2
threshold=0.5 0
decision_type=10 9
left_child=-1 -2
right_child=1 -3
leaf_value=1.5 2.5 -2.5
leaf_count=3 4 5
internal_count=12 9
cat_boundaries=0 1
cat_threshold=5
is_linear=0
shrinkage=1


Tree=1
num_leaves=3
num_cat=1
split_feature=1 1
threshold=inf 0
decision_type=8 9
left_child=1 -2
right_child=-1 -3
leaf_value=6 6 1e+300
cat_boundaries=0 1
cat_threshold=2
is_linear=1
leaf_const=2 2 1e+300
num_features=1 1 0
leaf_features=0 0
leaf_coeff=0.5 0.5
shrinkage=1


Tree=2
num_leaves=1
num_cat=0
split_feature=
threshold=
decision_type=
left_child=
right_child=
leaf_value=-0.125
is_linear=0
shrinkage=1


end of trees

feature_importances:

parameters:
[categorical_feature: 1,2]

end of parameters

pandas_categorical:[[0,1,2],["red","blue","70"]]
`

// writtenModel has trees with covers, with equations, and with one leaf, a start value and weights.
func writtenModel(t *testing.T) *model.Ensemble {
	t.Helper()
	e := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: data.Schema{Fields: []data.Field{
		{Name: "x"}, {Name: "code", Kind: data.Categorical, Levels: foreign.Codes(3)},
		{Name: "colour", Kind: data.Categorical, Levels: []string{"red", "blue", "70"}}}}},
		Bias: []float64{0.5}, Weights: []float64{1, 2, 0.25}}
	add := func(grow func(b *tree.Builder)) {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		grow(b)
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		e.Trees = append(e.Trees, made)
	}
	leaf := func(b *tree.Builder, n int32, value, cover float64) {
		b.SetValue(n, []float64{value})
		if cover > 0 {
			b.SetCover(n, cover)
		}
	}
	add(func(b *tree.Builder) {
		first := b.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: 0.5, Missing: tree.MissingFirst})
		second := b.Split(first+1, tree.Split{Kind: tree.SetFirst, Feature: 2, Set: []uint64{5},
			Missing: tree.MissingLast})
		leaf(b, first, 1, 3)
		leaf(b, second, 2, 4)
		leaf(b, second+1, -3, 5)
	})
	add(func(b *tree.Builder) {
		first := b.Split(0, tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{2},
			Missing: tree.MissingFirst})
		leaf(b, first, 3, 0)
		b.SetLinear(first, 1, []tree.Term{{Feature: 0, Coef: 0.25}})
		leaf(b, first+1, 5e299, 0)
	})
	add(func(b *tree.Builder) { leaf(b, 0, -0.5, 0) })
	return e
}

// TestWrittenText compares every byte of a text.
func TestWrittenText(t *testing.T) {
	e := writtenModel(t)
	if d := cmp.Diff(written, string(encoded(t, e))); d != "" {
		t.Error(d)
	}
	// the levels of a data frame are needed where codes do not name them, and only there
	for _, c := range []struct {
		levels []string
		want   string
	}{
		{[]string{"0", "1", "2"}, "null"},
		{[]string{"0", "1", "3"}, "[[0,1,2],[0,1,3]]"},
		{[]string{"0", "2", "1"}, "[[0,1,2],[0,2,1]]"},
		{[]string{"True", "False"}, "[[0,1,2],[true,false]]"},
		{[]string{"True", "no"}, `[[0,1,2],["True","no"]]`},
	} {
		e.Meta.Schema.Fields[2].Levels = c.levels
		text := string(encoded(t, e))
		if _, got, _ := strings.Cut(text, "pandas_categorical:"); got != c.want+"\n" {
			t.Errorf("levels %v: %s, want %s", c.levels, got, c.want)
		}
		if _, err := decode(text); err != nil && len(c.levels) == 3 {
			t.Error(err)
		}
	}
	e.Meta.Schema.Fields[1].Levels, e.Meta.Schema.Fields[2].Levels = nil, nil
	if text := string(encoded(t, e)); !strings.Contains(text, "feature_infos=[-inf:inf] none none\n") ||
		!strings.Contains(text, "pandas_categorical:null\n") {
		t.Errorf("columns without levels: %s", text)
	}
	e.Meta.Schema.Fields = e.Meta.Schema.Fields[:1]
	e.Trees, e.Weights, e.Combine = e.Trees[2:], nil, model.Mean
	text := string(encoded(t, e))
	if !strings.Contains(text, "[categorical_feature: ]\n") || !strings.Contains(text, "pandas_categorical:[]\n") ||
		strings.Contains(text, "average_output") {
		t.Errorf("a mean of one tree without categories: %s", text)
	}
	e.Trees = append(e.Trees, e.Trees[0])
	if text := string(encoded(t, e)); !strings.Contains(text, "\naverage_output\n") ||
		!strings.Contains(text, "tree_sizes=") {
		t.Errorf("a mean of two trees: %s", text)
	}
}

// Whole numbers have no exponent as long as every one of them is a float64.
func TestWrittenNumbers(t *testing.T) {
	numbers := []float64{0, math.Copysign(0, -1), 1<<53 - 1, 1 << 53, 1 - 1<<53, -1 << 53, 0.5, 1e21, 1e-300,
		math.Inf(-1), math.Inf(1)}
	want := "k=0 -0 9007199254740991 9.007199254740992e+15 -9007199254740991 -9.007199254740992e+15 0.5 " +
		"1e+21 1e-300 -inf inf\n"
	if got := string(appendFloats(nil, "k", numbers)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
