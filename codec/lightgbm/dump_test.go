package lightgbm

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// dumped is a dump of three iterations of one score, the second with equations.
const dumped = `{"name":"tree","version":"v4","num_class":1,"num_tree_per_iteration":1,"label_index":0,
"max_feature_idx":3,"objective":"binary sigmoid:2","average_output":true,
"feature_names":["a","b","c"],
"feature_infos":{"a":{"min_value":0,"values":[]},"b":{"values":[-1,4,0]},"none":{"values":[9]}},
"tree_info":[
{"tree_index":0,"num_leaves":4,"tree_structure":{"split_feature":0,"split_gain":7,"threshold":0.5,
 "decision_type":"<=","default_left":true,"missing_type":"NaN",
 "left_child":{"split_feature":1,"split_gain":5,"threshold":"0||2||33","decision_type":"==",
  "default_left":false,"missing_type":"None",
  "left_child":{"leaf_index":0,"leaf_value":1,"leaf_count":4},
  "right_child":{"leaf_index":3,"leaf_value":2,"leaf_count":5}},
 "right_child":{"split_feature":1,"split_gain":3,"threshold":"4","decision_type":"is",
  "left_child":{"leaf_index":1,"leaf_value":3,"leaf_count":6},
  "right_child":{"leaf_index":2,"leaf_value":4,"leaf_count":8}}}},
{"num_leaves":3,"tree_structure":{"split_feature":2,"threshold":0.25,"decision_type":"no_greater",
 "missing_type":"Zero",
 "left_child":{"leaf_value":5,"leaf_count":4,"leaf_const":0.5,"leaf_features":[0,2],"leaf_coeff":[2,-3]},
 "right_child":{"split_feature":2,"split_gain":1,"threshold":1e400,"decision_type":"<=",
  "missing_type":"NaN","left_child":{"leaf_value":6,"leaf_const":1.5},
  "right_child":{"leaf_value":7,"leaf_const":2.5,"leaf_features":[3],"leaf_coeff":[4]}}}},
{"num_leaves":3,"tree_structure":{"split_feature":0,"threshold":0,"decision_type":"<=",
 "left_child":{"split_feature":0,"split_gain":2,"threshold":-1,"decision_type":"<=",
  "left_child":{"leaf_value":1},"right_child":{"leaf_value":2}},
 "right_child":{"leaf_value":8}}}],
"pandas_categorical":[["x",true,2.0,"y"]]}`

// compareFiles compares all that a reader keeps.
func compareFiles(t *testing.T, got, want *file) {
	t.Helper()
	if d := cmp.Diff(want, got, cmp.AllowUnexported(file{}, objective{}, column{}, fileTree{},
		equations{}, frameColumn{})); d != "" {
		t.Error(d)
	}
}

// Every member of a dump that predictions depend on is kept, as it stands in the file.
func TestDumpIsKept(t *testing.T) {
	infinity := mustRead(t, "", []byte(headed("")+one(0, "inf"))).trees[0].threshold[0]
	want := &file{format: jsonName, version: "v4", classes: 1, scores: 1, average: true,
		objective: objective{name: "binary", sigmoid: 2, text: "binary sigmoid:2"},
		columns: []column{{name: "a", top: -1}, {name: "b", codes: true, top: 4}, {name: "c", top: -1},
			{top: -1}},
		trees: []fileTree{
			{feature: []int32{0, 1, 1}, threshold: []float64{0.5, 0, 1}, decision: []uint8{10, 1, 1},
				left: []int32{1, -1, -3}, right: []int32{2, -2, -4}, gain: []float64{7, 5, 3},
				value: []float64{1, 2, 3, 4}, count: []float64{4, 5, 6, 8},
				number: []int32{0, 3, 1, 2}, catAt: []int32{0, 2, 3}, cats: []uint32{5, 2, 16}},
			{feature: []int32{2, 2}, threshold: []float64{0.25, infinity}, decision: []uint8{4, 8},
				left: []int32{-1, -2}, right: []int32{1, -3}, gain: []float64{0, 1},
				value: []float64{5, 6, 7}, number: []int32{0, 1, 2}, catAt: []int32{0},
				linear: &equations{constant: []float64{0.5, 1.5, 2.5}, at: []int32{0, 2, 2, 3},
					feature: []int32{0, 2, 3}, coef: []float64{2, -3, 4}}},
			{feature: []int32{0, 0}, threshold: []float64{0, -1}, decision: []uint8{0, 0},
				left: []int32{1, -1}, right: []int32{-3, -2}, gain: []float64{0, 2},
				value: []float64{1, 2, 8}, number: []int32{0, 1, 2}, catAt: []int32{0}}},
		frame: []frameColumn{{levels: []string{"x", "True", "2", "y"}}}}
	compareFiles(t, mustRead(t, "all.json", []byte(dumped)), want)
	numbers := strings.Replace(dumped, `[["x",true,2.0,"y"]]`, `[[3,-1.5],[]]`, 1)
	want.frame = []frameColumn{{levels: []string{"3", "-1.5"}, numbers: true},
		{levels: []string{}, numbers: true}}
	compareFiles(t, mustRead(t, "numbers.json", []byte(numbers)), want)
	none := strings.Replace(dumped, `[["x",true,2.0,"y"]]`, `null`, 1)
	want.frame = nil
	compareFiles(t, mustRead(t, "none.json", []byte(none)), want)
}

// The model of a dump, and that of a text, predict as the nodes of the file do, and have its gains.
func TestModelsOfFiles(t *testing.T) {
	// levels that the columns have, and no infinity in an equation, where LightGBM's is no number
	bare := strings.NewReplacer(`[["x",true,2.0,"y"]]`, "null", "1e400", "1e300").Replace(dumped)
	lines := strings.NewReplacer(`[["u", "v"], [1, 2.5]]`, "null", "1e400", "1e300").Replace(whole)
	for name, text := range map[string]string{"dump.json": bare, "text": lines} {
		f := mustRead(t, name, []byte(text))
		e, err := f.ensemble(foreign.NewBudget(f.format, int64(len(text)), codec.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		agrees(t, e, reference{f}, nil)
		gain := []float64{9, 8, 1, 0, 0} // of the columns, and of c without its zeros
		if name == "text" {
			gain = nil // one tree has none
		}
		o := e.Origin
		if o.Tool != "LightGBM" || !slices.Equal(o.Gain, gain) || o.Objective != f.objective.text ||
			e.Combine != model.Mean || len(e.Output) != (f.scores-1)*len(f.trees) {
			t.Errorf("%s: %+v, outputs %v, combined by %v", name, o, e.Output, e.Combine)
		}
	}
	e := mustDecode(t, lines)
	if f := e.Meta.Schema.Fields; f[1].Kind != data.Categorical || f[1].Levels[3] != "3" || f[0].Kind != data.Numeric ||
		f[2].Kind != data.Numeric || f[3].Levels[63] != "63" || len(f[3].Levels) != 64 {
		t.Errorf("%+v", f)
	}
}

// Trees have no gains and no counts where the last of their nodes have none, and a dump without the
// number of trees an iteration has one for each class.
func TestDumpWithoutSome(t *testing.T) {
	last := strings.NewReplacer(`"split_gain":3,`, "", `"split_gain":7,`, "").Replace(dumped)
	if f := mustRead(t, "last.json", []byte(last)); f.trees[0].gain != nil || f.trees[0].count == nil {
		t.Errorf("gains %v, counts %v", f.trees[0].gain, f.trees[0].count)
	}
	uncounted := strings.Replace(dumped, `,"leaf_count":8`, "", 1)
	if f := mustRead(t, "uncounted.json", []byte(uncounted)); f.trees[0].gain == nil ||
		f.trees[0].count != nil {
		t.Errorf("gains %v, counts %v", f.trees[0].gain, f.trees[0].count)
	}
	classes := strings.NewReplacer(`"num_class":1,"num_tree_per_iteration":1`, `"num_class":3`,
		"binary sigmoid:2", "multiclass num_class:3").Replace(dumped)
	if f := mustRead(t, "classes.json", []byte(classes)); f.classes != 3 || f.scores != 3 ||
		f.objective.classes != 3 {
		t.Errorf("%d classes, %d scores, objective %+v", f.classes, f.scores, f.objective)
	}
}

// A dump that is damaged is reported with the path of the damage, one that cannot be read with what
// it has.
func TestDumpDamage(t *testing.T) {
	const corrupt, unsupported = "damaged lightgbm-json model (", "lightgbm-json model: "
	for _, c := range []struct{ old, new, kind, want string }{
		{`"v4"`, `"v9"`, unsupported, `version "v9"`},
		{`"version":"v4",`, ``, unsupported, "no version"},
		{`binary sigmoid:2`, `magic`, unsupported, `unknown objective "magic"`},
		{`binary sigmoid:2`, `binary sigmoid:0`, corrupt, "objective, byte 138): sigmoid 0"},
		{`binary sigmoid:2`, `multiclass num_class:3`, corrupt, "3 classes, and 1 trees an iteration"},
		{`"max_feature_idx":3`, `"max_feature_idx":1`, corrupt, "3 feature_names, max_feature_idx is 1"},
		{`"max_feature_idx":3,`, ``, corrupt, "3 feature_names, max_feature_idx is -1"},
		{`"split_feature":2,"threshold":0.25`, `"split_feature":4,"threshold":0.25`, corrupt,
			"tree 1: node 0: feature 4"},
		{`"leaf_features":[3]`, `"leaf_features":[4]`, corrupt, "an equation of feature 4 of 4"},
		{`"leaf_features":[3]`, `"leaf_features":[-1]`, corrupt, "an equation of feature -1 of 4"},
		{`"leaf_features":[3]`, `"leaf_features":[]`, corrupt, "0 features and 1 coefficients"},
		{`"leaf_const":1.5`, `"leaf_weight":1.5`, corrupt, "only some leaves have equations"},
		{`"leaf_const":0.5,"leaf_features":[0,2],"leaf_coeff":[2,-3]`, `"leaf_weight":1`, corrupt,
			"only some leaves have equations"},
		{`"leaf_value":8`, `"leaf_count":8`, corrupt, "a node has neither children nor a value"},
		{`"num_leaves":4`, `"num_leaves":5`, corrupt, "tree_info[0], byte"},
		{`"num_leaves":4`, `"num_leaves":5`, corrupt, "4 leaves, num_leaves is 5"},
		{`"num_leaves":4`, `"leaves":4`, corrupt, "4 leaves, num_leaves is -1"},
		{`"right_child":{"leaf_value":8}`, `"left_child":{"leaf_value":8}`, corrupt,
			"the same child twice"},
		{`"right_child":{"leaf_value":8}`, `"shrinkage":8`, corrupt, "one child"},
		{`"missing_type":"Zero"`, `"missing_type":"Odd"`, corrupt, `missing_type "Odd"`},
		{`"no_greater"`, `">"`, corrupt, `decision_type ">"`},
		{`1e400`, `"x"`, corrupt, `the threshold "x" is not a number`},
		{`0||2||33`, `0||-2||33`, corrupt, `"-2" is no category`},
		{`0||2||33`, `0||||33`, corrupt, `"" is no category`},
		{`"num_tree_per_iteration":1`, `"num_tree_per_iteration":0`, corrupt, "0 trees an iteration"},
		{`"num_tree_per_iteration":1`, `"num_tree_per_iteration":4`, corrupt,
			"4 trees an iteration, of 3 trees"},
		{`"num_tree_per_iteration":1`, `"num_tree_per_iteration":2`, corrupt, "3 trees, not a multiple of 2"},
		{`"num_tree_per_iteration":1`, `"num_tree_per_iteration":3`, corrupt,
			"objective binary with 3 trees an iteration"},
		{`[["x",true,2.0,"y"]]`, `3`, corrupt, "pandas_categorical is not a list"},
		{`true,2.0`, `true,null`, corrupt, `"null" is no category`},
		{`"y"]]}`, `"y"]]} 7`, corrupt, "after the end"},
	} {
		damaged := strings.Replace(dumped, c.old, c.new, 1)
		if damaged == dumped {
			t.Fatalf("%q is not in the dump", c.old)
		}
		_, err := decodeJSON(strings.NewReader(damaged), int64(len(damaged)), codec.Limits{})
		if err == nil || !strings.HasPrefix(err.Error(), c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

// A dump may have columns without a name, but fewer than it has bytes.
func TestDumpColumns(t *testing.T) {
	for more, want := range map[int]bool{-1: true, 0: false} {
		text := strings.NewReplacer(`"max_feature_idx":3`, `"max_feature_idx":____`,
			`[["x",true,2.0,"y"]]`, "null").Replace(dumped)
		text = strings.Replace(text, "____", fmt.Sprint(len(text)+more), 1)
		m, err := decodeJSON(strings.NewReader(text), int64(len(text)), codec.Limits{})
		if (err == nil) != want {
			t.Errorf("%d bytes, %d more columns: %v", len(text), more, err)
		}
		if damage := (*codec.CorruptError)(nil); !want && !errors.As(err, &damage) {
			t.Errorf("%v is no damage", err)
		}
		if want && err == nil {
			fields := m.Spec().Schema.Fields
			if last := len(text) - 1; len(fields) != len(text) ||
				fields[last].Name != fmt.Sprintf("Column_%d", last) || fields[1].Name != "b" {
				t.Errorf("%d columns, the last is %q", len(fields), fields[len(fields)-1].Name)
			}
		}
	}
}
