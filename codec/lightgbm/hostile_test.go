package lightgbm_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/lightgbm"
)

// shipped reads a sample of testdata/models.
func shipped(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "models", "lightgbm", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformance(t *testing.T) {
	codectest.Run(t, lightgbm.Format(), nil, shipped(t, "model_simple.txt"))
	codectest.Run(t, lightgbm.FormatJSON(), nil, shipped(t, "lg_1tree.json"),
		shipped(t, "lg_1tree_1leaf.json"))
}

// short returns a text with the first trees of a sample alone, and without their sizes.
func short(t testing.TB, name string, trees int) []byte {
	t.Helper()
	blocks := strings.SplitAfter(string(shipped(t, name)), "\n\n")
	kept := slices.DeleteFunc(blocks, func(block string) bool {
		is := strings.HasPrefix(strings.TrimLeft(block, "\n"), "Tree=")
		if is {
			trees--
		}
		return is && trees < 0 || strings.Contains(block, "[boosting")
	})
	head, sizes, ok := strings.Cut(kept[0], "tree_sizes=")
	if !ok {
		t.Fatalf("%s has no sizes", name)
	}
	kept[0] = head + strings.TrimLeft(sizes, " 0123456789")
	return []byte(strings.Join(kept, ""))
}

// linear is a linear tree with a category, and zeros and NaN as missing values.
const linear = `tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=2
objective=regression sqrt
feature_names=a b c
feature_infos=[0:1] 0:1:40 [0:1]
tree_sizes=347

Tree=0
num_leaves=4
num_cat=1
split_feature=0 1 2
split_gain=3 2 1
threshold=0.5 0 -1
decision_type=4 9 10
left_child=1 -1 -2
right_child=2 -3 -4
leaf_value=1 2 3 4
leaf_weight=1 1 1 1
leaf_count=5 6 7 8
internal_count=26 12 14
cat_boundaries=0 2
cat_threshold=3 256
is_linear=1
leaf_const=1 2 3 4
num_features=2 0 1 0
leaf_features=0 2  2
leaf_coeff=0.5 -1  2
shrinkage=0.1


end of trees

parameters:
[categorical_feature: 1]
end of parameters

pandas_categorical:null
`

// texts are small files of all kinds.
func texts(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"linear":     []byte(linear),
		"simple":     shipped(t, "model_simple.txt"),
		"rf":         short(t, "lg_rf_iris.model", 3),
		"multiclass": short(t, "lgmulticlass.model", 5),
		"poisson":    short(t, "genlin_fmtp_poisson_Frequency.model", 1),
		"dart":       short(t, "lg_dart_breast_cancer.model", 2),
		"toy":        short(t, "toy_categorical.txt", 4),
	}
}

// dumps are small JSON dumps.
func dumps(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"tree": shipped(t, "lg_1tree.json"),
		"leaf": shipped(t, "lg_1tree_1leaf.json"),
		"all": []byte(`{"version":"v4","num_class":2,"num_tree_per_iteration":2,"max_feature_idx":1,
"objective":"multiclassova num_class:2 sigmoid:0.5","average_output":true,
"feature_names":["a","b\u00e9"],"feature_infos":{"b\u00e9":{"values":[0,3]}},
"pandas_categorical":[["x",true,2.0,"y"]],
"tree_info":[{"num_leaves":2,"tree_structure":{"split_feature":1,"threshold":"0||3",
"decision_type":"==","left_child":{"leaf_index":1,"leaf_value":1},
"right_child":{"leaf_index":0,"leaf_value":-1}}},
{"num_leaves":1,"tree_structure":{"leaf_value":1e-300,"leaf_const":2,"leaf_features":[0],
"leaf_coeff":[1.5]}}]}`),
	}
}

// Small files of all kinds behave when they are damaged. The tests of codec/formats damage the
// samples.
func TestDamagedFiles(t *testing.T) {
	for name, b := range texts(t) {
		t.Run(name, func(t *testing.T) { codectest.Damage(t, lightgbm.Format(), b) })
	}
	for name, b := range dumps(t) {
		t.Run(name+" dump", func(t *testing.T) { codectest.Damage(t, lightgbm.FormatJSON(), b) })
	}
}

func FuzzText(f *testing.F) {
	for _, b := range texts(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { codectest.Behaves(t, lightgbm.Format(), b) })
}

func FuzzJSON(f *testing.F) {
	for _, b := range dumps(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { codectest.Behaves(t, lightgbm.FormatJSON(), b) })
}
