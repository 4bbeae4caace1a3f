package xgboost_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/codec/xgboost"
)

// keptFile is a file of XGBoost 3.4 with columns of texts, of codes that are texts, of two kinds of
// numbers, of codes alone, and of numbers that are no categories.
func keptFile(objective string, classes int) []byte {
	text := func(levels ...string) string {
		offsets, values := []int{0}, []int8{}
		for _, level := range levels {
			for _, b := range []byte(level) {
				values = append(values, int8(b))
			}
			offsets = append(offsets, len(values))
		}
		return fmt.Sprintf(`{"offsets":%s,"values":%s}`, marshalled(offsets), marshalled(values))
	}
	enc := strings.Join([]string{text("b", "Ärger", "a"), text("0", "1"),
		`{"type":15,"values":[3,10,4]}`, `{"type":9,"values":[0,1]}`, `{"offsets":[],"values":[]}`,
		`{"offsets":[],"values":[]}`}, ",")
	tree := `{"base_weights":[0,1,2],"categories":[1],"categories_nodes":[0],"categories_segments":[0],
		"categories_sizes":[1],"default_left":[0,0,0],"id":0,"left_children":[1,-1,-1],
		"loss_changes":[1,0,0],"parents":[2147483647,0,0],"right_children":[2,-1,-1],
		"split_conditions":[0,1,2],"split_indices":[0,0,0],"split_type":[1,0,0],"sum_hessian":[2,1,1],
		"tree_param":{"num_deleted":"0","num_feature":"6","num_nodes":"3","size_leaf_vector":"1"}}`
	trees, info := []string{}, []string{}
	for i := range max(1, classes) {
		trees, info = append(trees, tree), append(info, fmt.Sprint(i))
	}
	return []byte(fmt.Sprintf(`{"learner":{"attributes":{},"feature_names":["t","u","n","m","c","x"],
		"feature_types":["c","c","c","c","c","float"],
		"gradient_booster":{"model":{"cats":{"enc":[%s],"feature_segments":[0,3,5,8,10,10,10],
		"sorted_idx":[1,2,0,0,1,0,2,1,0,1]},
		"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"%d"},
		"iteration_indptr":[0,%d],"tree_info":[%s],"trees":[%s]},"name":"gbtree"},
		"learner_model_param":{"base_score":"[5E-1]","num_class":"%d","num_feature":"6","num_target":"1"},
		"objective":{"name":"%s"}},"version":[3,4,1]}`, enc, len(trees), len(trees),
		strings.Join(info, ","), strings.Join(trees, ","), classes, objective))
}

func marshalled(v any) string {
	b, _ := json.Marshal(v) // of lists of numbers
	return string(b)
}

// rewritten reads a file, stores it as a native one, and writes what that has.
func rewritten(t *testing.T, file []byte) []byte {
	t.Helper()
	m, err := xgboost.JSON().Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var stored, written bytes.Buffer
	if err := native.Encode(&stored, m); err != nil {
		t.Fatal(err)
	}
	again, err := native.Decode(bytes.NewReader(stored.Bytes()), int64(stored.Len()), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := xgboost.JSON().Encode(&written, again); err != nil {
		t.Fatal(err)
	}
	return written.Bytes()
}

// inside is what tests look at in a file.
type inside struct {
	Learner struct {
		Types   []string `json:"feature_types"`
		Booster struct {
			Model struct {
				Cats any `json:"cats"`
			} `json:"model"`
		} `json:"gradient_booster"`
		Objective struct {
			Name string `json:"name"`
		} `json:"objective"`
	} `json:"learner"`
}

func look(t *testing.T, file []byte) *inside {
	t.Helper()
	f := &inside{}
	if err := json.Unmarshal(file, f); err != nil {
		t.Fatal(err)
	}
	return f
}

// Categories stay texts, or numbers of their type, in the order in which XGBoost searches them. A
// column whose texts are "0" and "1" is none of codes.
func TestCategoriesAreKept(t *testing.T) {
	file := keptFile("reg:squarederror", 0)
	got, want := look(t, rewritten(t, file)), look(t, file)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Every objective is written as it was read, or as the named one that XGBoost 1.7 knows, which
// predicts alike.
func TestObjectivesAreKept(t *testing.T) {
	others := map[string]string{"reg:linear": "reg:squarederror", "reg:expectileerror": "reg:squarederror",
		"reg:quantileerror": "reg:squarederror"}
	for _, name := range xgboost.Objectives() {
		classes := 0
		if strings.HasPrefix(name, "multi:") {
			classes = 3
		}
		want := name
		if other, ok := others[name]; ok {
			want = other
		}
		if got := look(t, rewritten(t, keptFile(name, classes))).Learner.Objective.Name; got != want {
			t.Errorf("%s is written as %s, want %s", name, got, want)
		}
	}
}

// XGBoost reads a file of every objective. Of multi:softmax it predicts labels.
func TestKeptObjectivesInXGBoost(t *testing.T) {
	program := python(t)
	dir := t.TempDir()
	names := slices.Clone(xgboost.Objectives())
	for i, name := range names {
		classes := 0
		if strings.HasPrefix(name, "multi:") {
			classes = 3
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.json", i))
		if err := os.WriteFile(path, rewritten(t, keptFile(name, classes)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := `
import sys, numpy, xgboost
for i in range(int(sys.argv[2])):
    b = xgboost.Booster()
    b.load_model(f"{sys.argv[1]}/{i}.json")
    d = xgboost.DMatrix(numpy.array([[1, 0, 0, 0, 0, 0.5]]), feature_names=b.feature_names,
                        feature_types=b.feature_types, enable_categorical=True)
    print(b.predict(d).shape)
`
	shapes := strings.Split(strings.TrimSpace(program.run(t, script, dir, fmt.Sprint(len(names)))), "\n")
	for i, name := range names {
		want := "(1,)"
		if name == "multi:softprob" {
			want = "(1, 3)"
		}
		if shapes[i] != want {
			t.Errorf("%s: predictions of the shape %s, want %s", name, shapes[i], want)
		}
	}
}
