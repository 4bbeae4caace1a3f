package xgboost_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	nativeformat "github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/model"
)

// unnamed is a file of columns without names, of which the trees split some.
func unnamed(features int, splits ...int) []byte {
	var trees, info []string
	for i, column := range splits {
		trees = append(trees, fmt.Sprintf(`{"base_weights":[0,1,2],"categories":[],
			"categories_nodes":[],"categories_segments":[],"categories_sizes":[],
			"default_left":[0,0,0],"id":%d,"left_children":[1,-1,-1],"loss_changes":[1,0,0],
			"parents":[2147483647,0,0],"right_children":[2,-1,-1],"split_conditions":[0.5,1,%d],
			"split_indices":[%d,0,0],"split_type":[0,0,0],"sum_hessian":[2,1,1],
			"tree_param":{"num_deleted":"0","num_feature":"%d","num_nodes":"3",
			"size_leaf_vector":"1"}}`, i, i+2, column, features))
		info = append(info, "0")
	}
	return []byte(fmt.Sprintf(`{"learner":{"attributes":{},"feature_names":[],"feature_types":[],
		"gradient_booster":{"model":{"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"%d"},
		"tree_info":[%s],"trees":[%s]},"name":"gbtree"},
		"learner_model_param":{"base_score":"5E-1","num_class":"0","num_feature":"%d","num_target":"1"},
		"objective":{"name":"reg:squarederror"}},"version":[1,7,6]}`, len(splits),
		strings.Join(info, ","), strings.Join(trees, ","), features))
}

// A small file of a million columns without names is read within the default limit: the model has
// the columns that trees split, the first and the last. It is written with all of them.
func TestUnnamedColumns(t *testing.T) {
	file := unnamed(1_000_000, 999_660, 17, 0, 17)
	m, ref := decode(t, xgboost.JSON(), file)
	var names []string
	for _, f := range m.Spec().Schema.Fields {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "f0 f17 f999660 f999999" {
		t.Errorf("columns %s", got)
	}
	agree(t, m, ref, [][]float64{{0, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 1}})
	var written bytes.Buffer
	if err := xgboost.JSON().Encode(&written, m); err != nil {
		t.Fatal(err)
	}
	var f struct {
		Learner struct {
			Names    []string `json:"feature_names"`
			Features struct {
				N string `json:"num_feature"`
			} `json:"learner_model_param"`
			Booster struct {
				Model struct {
					Trees []struct {
						Column []int `json:"split_indices"`
					} `json:"trees"`
				} `json:"model"`
			} `json:"gradient_booster"`
		} `json:"learner"`
	}
	if err := json.Unmarshal(written.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if f.Learner.Features.N != "1000000" || len(f.Learner.Names) > 0 {
		t.Errorf("%s columns, %d names", f.Learner.Features.N, len(f.Learner.Names))
	}
	for i, want := range []int{999_660, 17, 0, 17} {
		if got := f.Learner.Booster.Model.Trees[i].Column[0]; got != want {
			t.Errorf("tree %d splits column %d, want %d", i, got, want)
		}
	}
}

// A column beyond all is damage, and few columns without names are all there.
func TestUnnamedColumnsOtherwise(t *testing.T) {
	file := unnamed(1_000_000, 1_000_000)
	_, err := xgboost.JSON().Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if err == nil || !strings.Contains(err.Error(), "splits column") {
		t.Errorf("a split of a column that is not there: %v", err)
	}
	m, _ := decode(t, xgboost.JSON(), unnamed(1000, 3))
	if n := len(m.Spec().Schema.Fields); n != 1000 {
		t.Errorf("%d columns of 1000", n)
	}
}

// A model whose columns have no names is written without any, so that XGBoost predicts rows without
// names, also after it was a native file. Names that another tool has given are kept.
func TestUnnamedColumnsStayUnnamed(t *testing.T) {
	read := func(b []byte) model.Model {
		m, _ := decode(t, xgboost.JSON(), b)
		return m
	}
	linear, err := os.ReadFile("testdata/linear.json")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`"feature_names":\[[^]]*\]`)
	file := unnamed(3, 0, 2)
	var native bytes.Buffer
	if err := nativeformat.Encode(&native, read(file)); err != nil {
		t.Fatal(err)
	}
	stored, err := nativeformat.Decode(bytes.NewReader(native.Bytes()), int64(native.Len()), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	other := *read(file).(*model.Ensemble)
	other.Origin = nil
	const none, all = `"feature_names":[]`, `"feature_names":["f0","f1","f2"]`
	for name, c := range map[string]struct {
		m    model.Model
		want string
	}{
		"without names":  {read(file), none},
		"a native file":  {stored, none},
		"gblinear":       {read(names.ReplaceAll(linear, []byte(none))), none},
		"not of XGBoost": {&other, all},
		"with a name": {read(bytes.Replace(file, []byte(none), []byte(`"feature_names":["f0","f1","x"]`), 1)),
			`"feature_names":["f0","f1","x"]`},
	} {
		if got := names.Find(encoded(t, xgboost.JSON(), c.m)); string(got) != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
