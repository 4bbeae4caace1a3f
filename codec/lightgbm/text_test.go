package lightgbm

import (
	"fmt"
	"strings"
	"testing"
)

// whole is a text of two iterations of two scores: an equation and sets in the first tree, a tree
// of one leaf, one without types of decisions, and one with unequal gaps between its numbers.
const whole = `tree
version=v3
num_class=2
num_tree_per_iteration=2
label_index=0
max_feature_idx=3
objective=multiclassova num_class:2 sigmoid:0.5
average_output
feature_names=a b c d
feature_infos=[0:1] -1:3:1 none 7:2

Tree=0
num_leaves=3
num_cat=2
split_feature=1 3
split_gain=5 0.25
threshold=0 1
decision_type=1 9
left_child=1 -1
right_child=-2 -3
leaf_value=1 -2 3e-300
leaf_weight=1 1 1
leaf_count=3 4 5
cat_boundaries=0 1 3
cat_threshold=10 0 4294967295
is_linear=1
leaf_const=1 2 3
num_features=2 0 1
leaf_features=0 2  2
leaf_coeff=0.5 -1  2
shrinkage=0.1

Tree=1
num_leaves=1
num_cat=0
leaf_value=0.125


Tree=2
num_leaves=2
num_cat=0
split_feature=0
threshold=0.5
left_child=-2
right_child=-1
leaf_value=1 2
split_gain=

Tree=3
num_leaves=2
num_cat=0
split_feature=2
threshold= -1e400
decision_type=10
left_child=-1
right_child=-2
leaf_value=4   5
is_linear=0

end of trees

parameters:
[categorical_feature: 2,9,x]
end of parameters

pandas_categorical:[["u", "v"], [1, 2.5]]
`

// Every line of a text that predictions depend on is kept, as it stands in the file.
func TestTextIsKept(t *testing.T) {
	infinity := mustRead(t, "", []byte(headed("")+one(0, "inf"))).trees[0].threshold[0]
	want := &file{format: textName, version: "v3", classes: 2, scores: 2, average: true,
		objective: objective{name: "multiclassova", classes: 2, sigmoid: 0.5,
			text: "multiclassova num_class:2 sigmoid:0.5"},
		columns: []column{{name: "a", top: -1}, {name: "b", codes: true, top: 3, info: []byte("-1:3:1")},
			{name: "c", codes: true, top: -1}, {name: "d", codes: true, top: 7, info: []byte("7:2")}},
		trees: []fileTree{
			{feature: []int32{1, 3}, threshold: []float64{0, 1}, decision: []uint8{1, 9},
				left: []int32{1, -1}, right: []int32{-2, -3}, gain: []float64{5, 0.25},
				value: []float64{1, -2, 3e-300}, count: []float64{3, 4, 5},
				catAt: []int32{0, 1, 3}, cats: []uint32{10, 0, 4294967295},
				linear: &equations{constant: []float64{1, 2, 3}, at: []int32{0, 2, 2, 3},
					feature: []int32{0, 2, 2}, coef: []float64{0.5, -1, 2}}},
			{value: []float64{0.125}},
			{feature: []int32{0}, threshold: []float64{0.5}, decision: []uint8{0}, left: []int32{-2},
				right: []int32{-1}, value: []float64{1, 2}},
			{feature: []int32{2}, threshold: []float64{-infinity}, decision: []uint8{10},
				left: []int32{-1}, right: []int32{-2}, value: []float64{4, 5}}},
		frame: []frameColumn{{levels: []string{"u", "v"}}, {levels: []string{"1", "2.5"}, numbers: true}}}
	compareFiles(t, mustRead(t, "", []byte(whole)), want)
}

// Damage of the lists of a tree is reported with the line of the list.
func TestDamagedLists(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"cat_boundaries=0 1 3", "cat_boundaries=1 1 3", "the places of sets do not ascend"},
		{"cat_boundaries=0 1 3", "cat_boundaries=0 4 3", "the places of sets do not ascend"},
		{"cat_boundaries=0 1 3", "cat_boundaries=0 3", "2 numbers in cat_boundaries, want 3"},
		{"cat_threshold=10 0", "cat_threshold=-1 0", `"-1" in cat_threshold is not a whole number in range`},
		{"cat_threshold=10 0 4294967295", "cat_threshold=10 0 4294967296", "not a whole number in range"},
		{"num_features=2 0 1", "num_features=2 -1 2", "-1 features"},
		{"num_features=2 0 1", "num_features=2 0 9999999", "9999999 features"},
		{"num_features=2 0 1", "num_features=2 0 2", "leaf_features, want 4"},
		{"leaf_coeff=0.5 -1  2", "leaf_coeff=0.5 -1", "2 numbers in leaf_coeff, want 3"},
		{"leaf_const=1 2 3", "leaf_const=1 2", "2 numbers in leaf_const, want 3"},
		{"leaf_const=1 2 3", "leaf_const=1 x 3", `"x" in leaf_const is not a number`},
		{"decision_type=1 9", "decision_type=1 256", `"256" in decision_type`},
		{"decision_type=1 9", "decision_type=1 16", "node 1: decision type 16"},
		{"decision_type=1 9", "decision_type=1 13", "node 1: decision type 13"},
		{"threshold=0 1\n", "threshold=0 2\n", "node 1: set 2 of 2"},
		{"threshold=0 1\n", "threshold=-1 1\n", "node 0: set -1 of 2"},
		{"split_gain=5 0.25", "split_gain=5", "1 numbers in split_gain, want 2"},
		{"split_feature=1 3", "split_feature=1 4", "node 1: feature 4, the columns are 0 to 3"},
		{"split_feature=1 3", "split_feature=-1 3", "node 0: feature -1, the columns are 0 to 3"},
		{"split_feature=1 3", "split_feature=1 0.5", `"0.5" in split_feature is not a whole number`},
		{"left_child=1 -1", "left_child=2 -1", "node 0: child 2 in a tree of 3 leaves"},
		{"right_child=-2 -3", "right_child=-2 -4", "node 1: child -4 in a tree of 3 leaves"},
		{"right_child=-2 -3", "right_child=-2 -1", "node 1: child -1 is below two nodes"},
		{"leaf_count=3 4 5", "leaf_count=3 4 -1", "a leaf of -1 training rows"},
		{"leaf_count=3 4 5", "leaf_count=3 inf 5", "a leaf of +Inf training rows"},
		{"leaf_const=1 2 3", "leaf_const=1 inf 3", "a number of an equation is not finite"},
		{"leaf_coeff=0.5 -1  2", "leaf_coeff=0.5 -inf  2", "a number of an equation is not finite"},
		{"leaf_features=0 2  2", "leaf_features=0 2  4", "an equation of feature 4 of 4"},
		{"leaf_features=0 2  2", "leaf_features=0 -1  2", "an equation of feature -1 of 4"},
		{"num_cat=2\n", "", "no line num_cat with a number from 0 up"},
		{"num_cat=2\n", "num_cat=-1\n", "no line num_cat with a number from 0 up"},
		{"num_leaves=3\n", "num_leaves=0\n", "no line num_leaves with a number above 0"},
		{"num_tree_per_iteration=2", "num_tree_per_iteration=0", "0 trees an iteration, of 4 trees"},
		{"num_tree_per_iteration=2", "num_tree_per_iteration=5", "5 trees an iteration, of 4 trees"},
		{"num_tree_per_iteration=2", "num_tree_per_iteration=3", "4 trees, not a multiple of 3"},
		{"num_tree_per_iteration=2", "num_tree_per_iteration=4", "2 classes, and 4 trees an iteration"},
		{"multiclassova num_class:2 sigmoid:0.5", "huber", "objective huber with 2 trees an iteration"},
		{"multiclassova num_class:2", "multiclassova num_class:1", "an objective for 1 classes"},
		{"sigmoid:0.5", "sigmoid:-1", "sigmoid -1 is not a positive number"},
		{"sigmoid:0.5", "sigmoid:inf", "sigmoid +Inf is not a positive number"},
		{"sigmoid:0.5", "sigmoid:x", "sigmoid:x: no number"},
		{`[1, 2.5]]`, `[1, nothing]]`, `"nothing" is no category`},
		{`[1, 2.5]]`, `[1, 2.5]`, "the file ends where"},
		{"pandas_categorical:[", "pandas_categorical:7[", "pandas_categorical is not a list"},
	} {
		damaged := strings.Replace(whole, c.old, c.new, 1)
		if damaged == whole {
			t.Fatalf("%q is not in the text", c.old)
		}
		if _, err := decode(damaged); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "damaged lightgbm model (line ") {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	for old, value := range map[string]string{"cat_boundaries=0 1 3": "1 1 3", "num_features=2 0 1": "2 -1 2",
		"\nthreshold=0 1": "0 x", "leaf_count=3 4 5": "3 4", "feature_infos=[0:1] -1:3:1 none 7:2": "none",
		"feature_names=a b c d": "a b c", "[categorical_feature: 2,9,x]\nend of parameters\n\npandas_categorical:": "7"} {
		at := strings.Index(whole, old)
		key, _, _ := strings.Cut(old, "=")
		damaged := strings.Replace(whole, old, key+"="+value, 1)
		line := strings.Count(whole[:at+1], "\n") + 1
		if strings.HasSuffix(old, ":") {
			damaged, line = strings.Replace(whole, old, old+value, 1), line+3
		}
		if _, err := decode(damaged); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("(line %d, ", line)) {
			t.Errorf("%s for %q: %v, want line %d", value, old, err, line)
		}
	}
	custom := strings.Replace(whole, "multiclassova num_class:2 sigmoid:0.5", "custom", 1)
	if f := mustRead(t, "", []byte(custom)); f.scores != 2 || f.objective.name != "custom" {
		t.Errorf("a custom objective with two scores: %+v", f.objective)
	}
}
