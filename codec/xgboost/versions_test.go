package xgboost_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// text is a model of one or more trees as versions of XGBoost write it.
type text struct {
	version, base, objective, more, columns, model, booster, trees, info string
	classes, targets                                                     int
}

func (x text) String() string {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	return fmt.Sprintf(`{"version":[%s],"learner":{%s"learner_model_param":{"base_score":%q,"num_feature":"2","num_class":"%d","num_target":"%d"},`+
		`"objective":{%s"name":%q},"gradient_booster":{"name":%q,"model":{%s"gbtree_model_param":{"num_parallel_tree":"1"},"trees":[%s],"tree_info":[%s]}}}}`,
		or(x.version, "3,1,0"), x.columns, or(x.base, "5E-1"), x.classes, max(1, x.targets), x.more, or(x.objective, "reg:squarederror"),
		or(x.booster, "gbtree"), x.model, or(x.trees, stump), or(x.info, "0"))
}

const (
	// stump goes left below 1.5 of column 0, and with missing values right.
	stump = `{"left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[0,0,0],"split_conditions":[1.5,-1,2],"default_left":[false,false,false]}`
	// vectors has three numbers at each leaf: since 2.0 those of all nodes, since 3.1 of leaves
	vectors20 = `{"tree_param":{"size_leaf_vector":"3"},"left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[0,0,0],` +
		`"split_conditions":[1.5,NaN,NaN],"default_left":[0,0,0],"base_weights":[9,9,9,1,2,3,4,5,6]}`
	vectors31 = `{"tree_param":{"size_leaf_vector":"3"},"left_children":[1,-1,-1],"right_children":[2,1,0],"split_indices":[0,0,0],` +
		`"split_conditions":[1.5,NaN,NaN],"default_left":[0,0,0],"base_weights":[9,9,9],"leaf_weights":[4,5,6,1,2,3]}`
	// category sends categories 0 and 2 of column 1 right
	category = `{"left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[1,0,0],"split_conditions":[0,-1,2],"default_left":[1,0,0],` +
		`"split_type":[1,0,0],"categories_nodes":[0],"categories_segments":[0],"categories_sizes":[2],"categories":[0,2]}`
)

func TestVersions(t *testing.T) {
	low, high, missing := []float64{1, 0}, []float64{2, 0}, []float64{math.NaN(), math.NaN()}
	for _, c := range []struct {
		name string
		text text
		row  []float64
		raw  []float64
		link link.Link
	}{
		{"scalar base_score", text{base: "2.5E0"}, low, []float64{1.5}, link.Identity()},
		{"vector base_score", text{base: "[1E0,2E0]", targets: 2, trees: stump + "," + stump, info: "0,1"}, high, []float64{3, 4}, link.Identity()},
		{"one base_score for two", text{base: "[1E0]", targets: 2, trees: stump + "," + stump, info: "1,1"}, high, []float64{1, 5}, link.Identity()},
		{"missing", text{base: "0"}, missing, []float64{2}, link.Identity()},
		{"vectors of 2.0", text{version: "2,0,3", base: "0", targets: 3, trees: vectors20}, low, []float64{1, 2, 3}, link.Identity()},
		{"vectors of 3.1", text{base: "[1E0,1E0,0E0]", targets: 3, trees: vectors31}, high, []float64{5, 6, 6}, link.Identity()},
		{"logitraw before 1.4", text{version: "1,3,0", objective: "binary:logitraw"}, low, []float64{-1}, link.Identity()},
		{"logitraw", text{objective: "binary:logitraw"}, low, []float64{-0.5}, link.Identity()},
		{"cox", text{objective: "survival:cox", base: "1E0"}, low, []float64{-1}, link.Hazard()},
		{"dart of 1.0", text{base: "0", booster: "dart", model: `"weight_drop":[2.5],`}, high, []float64{5}, link.Identity()},
		{"quantiles of 3.3", text{version: "3,3,0", base: "0", objective: "reg:quantileerror", targets: 2, more: `"quantile_loss_param":{"quantile_alpha":"[1E-1,9E-1]"},`},
			low, []float64{-1, 0}, link.Identity()},
		{"quantiles of 3.4", text{version: "3,4,0", base: "0", objective: "reg:quantileerror", targets: 2, more: `"quantile_loss_param":{"quantile_alpha":"[1E-1,9E-1]"},`},
			high, []float64{2, 0}, link.Ascending()},
		{"category", text{base: "0", trees: category}, []float64{0, 2}, []float64{2}, link.Identity()},
		{"another category", text{base: "0", trees: category}, []float64{0, 1}, []float64{-1}, link.Identity()},
		{"unseen category", text{base: "0", trees: category}, []float64{0, -1}, []float64{-1}, link.Identity()},
		{"missing category", text{base: "0", trees: category}, missing, []float64{-1}, link.Identity()},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, ref := decode(t, xgboost.JSON(), []byte(c.text.String()))
			agree(t, m, ref, [][]float64{c.row, low, missing})
			raw, response := predictor(t, m)(c.row)
			if distance(raw, c.raw) > 1e-7 {
				t.Errorf("scores %v, want %v", raw, c.raw)
			}
			want := make([]float64, ref.Outputs())
			ref.Response(want, c.row)
			if distance(response, want) > 1e-6 || m.(*model.Ensemble).Link != c.link {
				t.Errorf("response %v by link %v, of the reference %v", response, m.(*model.Ensemble).Link, want)
			}
		})
	}
}

// Categories are texts or numbers, and numbers of the tree's own where the file has none.
func TestLevels(t *testing.T) {
	cats := func(enc string) string {
		return `"cats":{"enc":[{"offsets":[],"values":[]},` + enc + `],"feature_segments":[0,0,3],"sorted_idx":[0,1,2]},`
	}
	for want, model := range map[string]string{
		"[0 1 2]":  "",
		"[a bc ö]": cats(`{"offsets":[0,1,3,5],"values":[97,98,99,-61,-74]}`),
		"[7 -3 5]": cats(`{"type":3,"values":[7,-3,5]}`),
	} {
		m, _ := decode(t, xgboost.JSON(), []byte(text{trees: category, model: model}.String()))
		if got := fmt.Sprint(m.Spec().Schema.Fields[1].Levels); got != want {
			t.Errorf("levels %v, want %s", got, want)
		}
	}
	names := text{trees: category, columns: `"feature_names":["x","y\u00e9\n"],"feature_types":["float","c"],"attributes":{"best_iteration":"3","other":"x"},`}
	m, _ := decode(t, xgboost.JSON(), []byte(names.String()))
	if got := m.Spec().Schema.Names(); !slices.Equal(got, []string{"x", "yé\n"}) {
		t.Errorf("names %q", got)
	}
}

func TestRefused(t *testing.T) {
	unsupported := []string{}
	for want, x := range map[string]text{
		"the objective \"mine\"":              {objective: "mine"},
		"reg:expectileerror of 2 levels":      {objective: "reg:expectileerror", targets: 2},
		"the booster \"gbforest\"":            {booster: "gbforest"},
		"column 1 is split by number and by":  {trees: category + "," + strings.Replace(stump, `"split_indices":[0`, `"split_indices":[1`, 1), info: "0,0"},
		"base_score [0] of binary:logistic":   {objective: "binary:logistic", base: "0"},
		"2 classes of 3 targets":              {objective: "multi:softprob", classes: 2, targets: 3},
		"reg:squarederror of 4 classes":       {classes: 4},
		"score 1 of 1":                        {info: "1"},
		"2 values of base_score for 1 scores": {base: "[1E0,1E0]"},
		"is not a number":                     {base: "[1E0,x]"},
		"a list without its end":              {base: "[1E0"},
		"node 0 splits column 7 of 2":         {trees: strings.Replace(stump, `"split_indices":[0`, `"split_indices":[7`, 1)},
		"node 0 has the child 0 of 3 nodes":   {trees: strings.Replace(stump, `[1,-1`, `[0,-1`, 1)},
		"leaf 1 has the vector 2":             {targets: 3, trees: strings.Replace(vectors31, `[2,1,0]`, `[2,2,0]`, 1)},
		"leaves of 3 numbers for 2 scores":    {targets: 2, trees: vectors31},
		"node 0 has no categories":            {trees: strings.Replace(category, `"categories_nodes":[0]`, `"categories_nodes":[1]`, 1)},
		"has the categories 0 to 3 of 2":      {trees: strings.Replace(category, `"categories_sizes":[2]`, `"categories_sizes":[3]`, 1)},
		"16777216 is not from 0 to 16777215":  {trees: strings.Replace(category, `[0,2]`, `[0,16777216]`, 1)},
		"round 1 starts at tree 2":            {model: `"iteration_indptr":[0,2],`},
		"category 2 of 1 of column 1":         {trees: category, model: `"cats":{"enc":[{"values":[]},{"values":[5]}]},`},
		"3 feature_names for 2 columns":       {columns: `"feature_names":["a","b","c"],`},
		"two columns are called \"a\"":        {columns: `"feature_names":["a","a"],`},
		"tree 0 has the weight +Inf":          {model: `"weight_drop":[1e99],`},
		"more than 10000 values":              {columns: `"x":` + strings.Repeat("[", 1e4) + strings.Repeat("]", 1e4) + ","},
	} {
		file := x.String()
		_, err := xgboost.JSON().Decode(strings.NewReader(file), int64(len(file)), codec.Limits{})
		var none *codec.UnsupportedError
		if errors.As(err, &none) {
			unsupported = append(unsupported, want)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if len(unsupported) != 4 {
		t.Errorf("not supported are %q", unsupported)
	}
}
