package lightgbm

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

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// headed is the header of a model of two columns, with more lines.
func headed(more string) string {
	return "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n" +
		"max_feature_idx=1\n" + more + "feature_names=a b\nfeature_infos=[0:1] none\n"
}

// one is a tree with one split of column a.
func one(decision int, threshold string) string {
	return fmt.Sprintf("\nTree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\nthreshold=%s\n"+
		"decision_type=%d\nleft_child=-1\nright_child=-2\nleaf_value=1 2\nis_linear=0\n\n", threshold,
		decision)
}

func decode(text string) (*model.Ensemble, error) {
	m, err := decodeText(strings.NewReader(text), int64(len(text)), codec.Limits{})
	if err != nil {
		return nil, err
	}
	return m.(*model.Ensemble), nil
}

func mustDecode(t *testing.T, text string) *model.Ensemble {
	t.Helper()
	e, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Missing values and zeros go where the split's rule sends them.
func TestMissingValues(t *testing.T) {
	const zero = 1e-36
	nan := math.NaN()
	for _, c := range []struct {
		decision    int
		threshold   string
		left, right []float64
	}{
		{0, "0.5", []float64{nan, 0, 0.5, -1}, []float64{math.Nextafter(0.5, 1)}},
		{2, "-0.5", []float64{-0.5, -1}, []float64{nan, 0, zero, 1}},
		{0, "0", []float64{nan, 0, math.Copysign(0, -1)}, []float64{zero}},
		{8, "0.5", []float64{0, 0.5}, []float64{nan, 1}},
		{10, "-0.5", []float64{nan, -0.5}, []float64{0, 1}},
		{4, "0.5", []float64{-1, 0.5, 1e-34}, []float64{nan, 0, zero, -zero, 1}},
		{6, "0.5", []float64{nan, -1, 0, zero, 0.5}, []float64{1}},
		{4, "-0.5", []float64{-1}, []float64{nan, 0, zero, 1}},
		{6, "-0.5", []float64{nan, 0, zero, -zero, -1}, []float64{-1e-34, 1e-34, 1}},
		{8, "inf", []float64{0, math.Inf(1)}, []float64{nan}},
	} {
		e := mustDecode(t, headed("")+one(c.decision, c.threshold))
		for k, values := range [][]float64{c.left, c.right} {
			for _, x := range values {
				if got := predict(t, e, model.Raw, []float64{x, 7})[0]; got != float64(k+1) {
					t.Errorf("decision type %d, threshold %s: %v has the value %v, want %d", c.decision,
						c.threshold, x, got, k+1)
				}
			}
		}
	}
}

// An objective fixes the task, the classes and the response.
func TestObjectives(t *testing.T) {
	for _, c := range []struct {
		objective, version string
		average            bool
		task               data.Task
		link               string
		response           []float64 // of the score 1
	}{
		{"objective=regression\n", "v4", false, data.Regression, "", []float64{1}},
		{"objective=regression_l2 sqrt\n", "v4", false, data.Regression, "signed_square", []float64{1}},
		{"objective=regression sqrt\n", "v4", true, data.Regression, "signed_square", []float64{1}},
		{"objective=poisson\n", "v3", false, data.Regression, "exp", []float64{math.E}},
		{"objective=tweedie\n", "v4", false, data.Regression, "exp", []float64{math.E}},
		{"objective=gamma\n", "v4", true, data.Regression, "exp", []float64{math.E}},
		{"objective=quantile\n", "v4", false, data.Regression, "", []float64{1}},
		{"objective=mape\n", "v4", false, data.Regression, "", []float64{1}},
		{"objective=binary sigmoid:1\n", "v4", false, data.Binary, "logistic",
			[]float64{1 / (1 + math.E), math.E / (1 + math.E)}},
		{"objective=binary sigmoid:2\n", "v4", false, data.Binary, "logistic(2)",
			[]float64{1 / (1 + math.E*math.E), math.E * math.E / (1 + math.E*math.E)}},
		{"objective=binary sigmoid:1\n", "v2", true, data.Binary, "", []float64{0, 1}},
		{"objective=binary sigmoid:1\n", "v3", true, data.Binary, "logistic",
			[]float64{1 / (1 + math.E), math.E / (1 + math.E)}},
		{"objective=cross_entropy\n", "v4", false, data.Regression, "logistic",
			[]float64{math.E / (1 + math.E)}},
		{"objective=xentlambda\n", "v4", false, data.Regression, "softplus",
			[]float64{math.Log1p(math.E)}},
		{"objective=lambdarank\n", "v4", false, data.Ranking, "", []float64{1}},
		{"objective=rank_xendcg\n", "v4", false, data.Ranking, "", []float64{1}},
		{"objective=custom\n", "v4", false, data.Regression, "", []float64{1}},
		{"", "v4", false, data.Regression, "", []float64{1}},
	} {
		text := strings.Replace(headed(c.objective), "version=v4", "version="+c.version, 1)
		if c.average {
			text += "average_output\n"
		}
		e := mustDecode(t, text+one(0, "0"))
		got := predict(t, e, model.Response, []float64{0, 0})
		if e.Meta.Task != c.task || e.Link == nil != (c.link == "") ||
			e.Link != nil && e.Link.Name() != c.link || len(got) != len(c.response) {
			t.Errorf("%q: %s, %v, %v", c.objective, e.Meta.Task, e.Link, got)
			continue
		}
		for k := range got {
			if !(difference(got[k], c.response[k]) <= 1e-15) {
				t.Errorf("%q: %v, want %v", c.objective, got, c.response)
			}
		}
	}
}

// A file without trees predicts 0, but no mean is of no trees: LightGBM divides 0 by 0.
func TestNoTrees(t *testing.T) {
	text := headed("objective=binary sigmoid:1\n")
	if got := predict(t, mustDecode(t, text), model.Response, []float64{0, 0}); !slices.Equal(got, []float64{0.5, 0.5}) {
		t.Errorf("a file without trees predicts %v", got)
	}
	text += "average_output\n"
	_, err := decode(text)
	var damage *codec.CorruptError
	if !errors.As(err, &damage) || !strings.Contains(err.Error(), "average_output of no trees") {
		t.Errorf("a mean of no trees: %v", err)
	}
}

// Levels are those of the data frame where it has one list for each categorical column.
func TestLevels(t *testing.T) {
	text := strings.Replace(headed(""), "[0:1] none", "-1:0:2 1:0", 1) + one(0, "0")
	text = strings.Replace(text, "num_cat=0", "num_cat=1\ncat_boundaries=0 1\ncat_threshold=4", 1)
	text = strings.Replace(text, "decision_type=0", "decision_type=1", 1)
	for rest, want := range map[string][2][]string{
		"":                           {{"0", "1", "2"}, {"0", "1"}},
		"pandas_categorical:null\n":  {{"0", "1", "2"}, {"0", "1"}},
		`pandas_categorical:[["x"]]`: {{"0", "1", "2"}, {"0", "1"}}, // of which column is not known
		`pandas_categorical:[["u", "v w", "\u00e9"], [1.0, 2.5, -3]]`: {{"u", "v w", "é"},
			{"1", "2.5", "-3"}},
		"pandas_categorical:[[70, 71, 72], [false, true]]\n": {{"70", "71", "72"}, {"False", "True"}},
	} {
		e := mustDecode(t, text+rest)
		for k, want := range want {
			if got := e.Meta.Schema.Fields[k]; got.Kind != data.Categorical || !slices.Equal(got.Levels, want) {
				t.Errorf("%q: column %d has the levels %q, want %q", rest, k, got.Levels, want)
			}
		}
		for code, want := range map[float64]float64{math.NaN(): 2, -1: 2, 0: 2, 1: 2, 2: 1} {
			if got := predict(t, e, model.Raw, []float64{code, 0})[0]; got != want {
				t.Errorf("%q: category %v has the value %v", rest, code, got)
			}
		}
	}
	short := text + `pandas_categorical:[["u", "v"], ["x", "y"]]`
	if _, err := decode(short); err == nil || !strings.Contains(err.Error(), `"a" has 2 levels`) {
		t.Errorf("fewer levels than codes: %v", err)
	}
}

// The parameters name columns that are categorical but unused, so that the frame's lists fit.
func TestCategoricalParameter(t *testing.T) {
	rest := "\nparameters:\n[categorical_feature: %s]\nend of parameters\n\npandas_categorical:[[\"p\", \"q\"]]\n"
	for _, list := range []string{"1", "name:b"} {
		e := mustDecode(t, headed("")+one(0, "0")+fmt.Sprintf(rest, list))
		f := e.Meta.Schema.Fields
		if f[0].Kind != data.Numeric || !slices.Equal(f[1].Levels, []string{"p", "q"}) {
			t.Errorf("%s: columns %+v", list, f)
		}
	}
}

// The JSON dump of a model has the trees of its text.
func TestDumpHasTheTreesOfTheText(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "models", "lightgbm")
	read := func(name string) *file {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return mustRead(t, name, b)
	}
	dump, text := reference{read("lg_dart_breast_cancer.json")}, reference{read("lg_dart_breast_cancer.model")}
	rows, err := os.ReadFile(filepath.Join(folder, "breast_cancer_test.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range numberRows(t, rows, 0, 0) {
		a, b := make([]float64, 1), make([]float64, 1)
		dump.Raw(a, row)
		text.Raw(b, row)
		first, second := make([]int32, dump.Trees()), make([]int32, text.Trees())
		dump.Leaves(first, row)
		text.Leaves(second, row)
		if !(difference(a[0], b[0]) <= 1e-15) || !slices.Equal(first, second) {
			t.Fatalf("dump %v %v, text %v %v", a, first, b, second)
		}
	}
}

// Trees alone, as some tools keep them, are read behind a header.
func TestTreesBehindAHeader(t *testing.T) {
	for name, want := range map[string]float64{"tree_1leaf.txt": 0.123, "tree_2leaves.txt": 0.43,
		"tree_3leaves.txt": 0.35} {
		b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "models", "lightgbm", name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(string(b)); err == nil {
			t.Errorf("%s: read without a header", name)
		}
		e := mustDecode(t, headed("")+"\n"+string(b))
		if got := predict(t, e, model.Raw, []float64{1, 1})[0]; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// Damage is reported with its line, and what cannot be read by its name.
func TestDamage(t *testing.T) {
	text := headed("tree_sizes=148\n") + one(0, "0.5")
	if e := mustDecode(t, text); len(e.Trees) != 1 {
		t.Fatal("no tree")
	}
	for _, c := range []struct{ old, new, want string }{
		{"tree\nversion", "forest\nversion", `(line 1, byte 0): the first line is not "tree"`},
		{"version=v4\n", "", "no version"},
		{"=v4", "=v9", `version "v9"`},
		{"num_class=1", "num_class=one", `(line 3, byte 16): "one" is not a whole number`},
		{"feature_names=a b", "feature_names=a", "line 8"},
		{"feature_infos=[0:1] none", "feature_infos=none", "line 9"},
		{"tree_sizes=148", "tree_sizes=148 20", "1 more in tree_sizes"},
		{"tree_sizes=148", "tree_sizes=", "the size of tree 0"},
		{"feature_names=a b", "feature_names=a a", `two columns are called "a"`},
		{"\nTree=0\n", "\nTree=0\nnonsense\n", `(line 12, `},
		{"num_leaves=2", "num_leaves=3", "2 numbers in leaf_value, want 3"},
		{"num_leaves=2\n", "", "no line num_leaves"},
		{"num_cat=0\n", "has_categorical=0\n", "before 2.0.5"},
		{"split_feature=0", "split_feature=2", "feature 2, the columns are 0 to 1"},
		{"threshold=0.5", "threshold=x", `lightgbm model (line 15, byte 190): "x" in threshold is not a number`},
		{"threshold=0.5", "threshold=nan", "threshold NaN"},
		{"decision_type=0", "decision_type=1", "set 0.5 of 0"},
		{"decision_type=0", "decision_type=12", "decision type 12"},
		{"left_child=-1", "left_child=0", "child 0 is the root"},
		{"left_child=-1", "left_child=-3", "child -3"},
		{"right_child=-2", "right_child=-1", "below two nodes"},
		{"leaf_value=1 2", "leaf_value=1 inf", "not finite"},
		{"max_feature_idx=1\n", "max_feature_idx=1\nobjective=multiclass num_class:3\n", "3 classes"},
		{"max_feature_idx=1\n", "max_feature_idx=1\nobjective=binary sigmoid:0\n", "sigmoid 0"},
		{"max_feature_idx=1\n", "max_feature_idx=1\nobjective=magic\n", `unknown objective "magic"`},
	} {
		damaged := strings.Replace(text, c.old, c.new, 1)
		if damaged == text {
			t.Fatalf("%q is not in the text", c.old)
		}
		_, err := decode(damaged)
		corrupt, unsupported := (*codec.CorruptError)(nil), (*codec.UnsupportedError)(nil)
		if !errors.As(err, &corrupt) && !errors.As(err, &unsupported) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	moved := strings.Replace(text+"\nTree=1\n", "tree_sizes=148", "tree_sizes=140 9", 1)
	if _, err := decode(moved); err == nil || !strings.Contains(err.Error(), "by tree_sizes") {
		t.Errorf("trees in other places: %v", err)
	}
}

// Windows' ends of lines are read, too.
func TestLineEnds(t *testing.T) {
	text := headed("") + one(10, "0.5") + "end of trees\n"
	a := mustDecode(t, text)
	b := mustDecode(t, strings.ReplaceAll(text, "\n", "\r\n"))
	if !bytes.Equal(encoded(t, a), encoded(t, b)) {
		t.Error("another model")
	}
}

// A file that ends too early has an error at its last line, which names what is missing.
func TestTruncated(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "models", "lightgbm", "lg_breast_cancer.txt"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	tree := strings.Index(text, "Tree=7\n")
	after := func(from int, mark string) int { return from + strings.Index(text[from:], mark) + len(mark) }
	for _, c := range []struct {
		end  int
		want string
	}{
		{after(tree, "leaf_value="), "0 numbers in leaf_value, want "},
		{after(tree, "leaf_value=") + 40, "numbers in leaf_value, want "},
		{after(tree, "split_feature="), "no line leaf_value, want one of "},
		{after(tree, "num_leaves="), "no line num_leaves with a number above 0"},
		{after(tree, "Tree=7\n"), "no line num_leaves"},
		{tree, "7 trees, and 32 more in tree_sizes: the file is truncated"},
		{after(0, "max_feature_idx="), `"" is not a whole number`},
		{after(0, "feature_names=") - 14, "no max_feature_idx or no feature_names up to here"},
	} {
		_, err := decodeText(strings.NewReader(text[:c.end]), int64(c.end), codec.Limits{})
		var damaged *codec.CorruptError
		if !errors.As(err, &damaged) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d bytes: %v, want %q", c.end, err, c.want)
			continue
		}
		last := fmt.Sprintf("line %d", strings.Count(strings.TrimSuffix(text[:c.end], "\n"), "\n")+1)
		if c.end != tree && damaged.Section != last { // the lines behind the trees may be empty
			t.Errorf("%d bytes: %v, want %s", c.end, err, last)
		}
		if c.end > tree && !strings.Contains(err.Error(), "; the file ends in tree 7, so it is truncated") {
			t.Errorf("%d bytes: %v", c.end, err)
		}
	}
}
