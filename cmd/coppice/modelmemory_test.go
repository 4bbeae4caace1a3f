package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// manyColumns is a model of XGBoost with a tree and some columns without names. It takes more
// memory to decode than a limit of 1MiB.
func manyColumns(columns int) string {
	return fmt.Sprintf(`{"learner":{"attributes":{},"feature_names":[],"feature_types":[],
"gradient_booster":{"model":{"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"1"},
"iteration_indptr":[0,1],"tree_info":[0],"trees":[{"base_weights":[0,1,2],"categories":[],
"categories_nodes":[],"categories_segments":[],"categories_sizes":[],"default_left":[0,0,0],"id":0,
"left_children":[1,-1,-1],"loss_changes":[1,0,0],"parents":[2147483647,0,0],
"right_children":[2,-1,-1],"split_conditions":[0.5,1,2],"split_indices":[1,0,0],
"split_type":[0,0,0],"sum_hessian":[2,1,1],"tree_param":{"num_deleted":"0","num_feature":"%d",
"num_nodes":"3","size_leaf_vector":"0"}}]},"name":"gbtree"},
"learner_model_param":{"base_score":"5E-1","num_class":"0","num_feature":"%d","num_target":"1"},
"objective":{"name":"reg:squarederror","reg_loss_param":{"scale_pos_weight":"1"}}},
"version":[1,7,6]}`, columns, columns)
}

// Every command that opens models has --model-memory, which limits and raises what decoding takes.
func TestModelMemory(t *testing.T) {
	tier.NotShort(t, "runs each command with little memory")
	dir := t.TempDir()
	m, table := filepath.Join(dir, "wide.json"), filepath.Join(dir, "x.csv")
	log := filepath.Join(dir, "log.jsonl")
	for path, text := range map[string]string{m: manyColumns(9000), table: "f1,y\n0,1\n1,2\n",
		log: `{"model":"a","prediction":1}` + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	lines := map[string][]string{
		"predict": {m, table}, "evaluate": {m, table, "--label", "y"}, "merge": {m, m}, "show": {m},
		"draw": {m, "--what", "partition", table, "-o", "p.svg"}, "explain": {m, table},
		"why":     {m, table, "--row", "1"},
		"effects": {m, table, "--columns", "f1"}, "surrogate": {m, table}, "report": {m, table},
		"proximity": {m, table}, "convert": {m}, "verify": {m}, "diff": {m, m, table}, "bench": {m},
		"generate": {m}, "train": {table, "--label", "y", "--continue", m}, "retrain": {m, table},
		"check": {m, table}, "profile": {m, table}, "serve": {m},
		"monitor": {log, "--model", m},
	}
	const raises = "--model-memory SIZE raises it"
	for _, cmd := range rootCommands() {
		name := cmd.Name()
		line, opens := lines[name]
		if has := cmd.Flags().Lookup("model-memory") != nil; has != opens {
			t.Errorf("%s opens models: %v, and has --model-memory: %v", name, opens, has)
		}
		takes := strings.Contains(cmd.Use, " MODEL") || strings.Contains(cmd.Use, " A B")
		if takes && !opens {
			t.Errorf("no test opens a model with %s", name)
		}
		if !opens {
			continue
		}
		line = append([]string{name}, line...)
		_, err := output(t, append(line, "--model-memory", "1MiB"))
		if err == nil || !strings.Contains(err.Error(), raises) {
			t.Errorf("%s with too little memory: error %v, want one that ends with %q", name, err, raises)
		}
		_, err = output(t, append(line, "--model-memory", "1"))
		if err == nil || !strings.Contains(err.Error(), "--model-memory") {
			t.Errorf("%s with a wrong size: error %v", name, err)
		}
		if name == "bench" || name == "serve" { // they go on for seconds, or until they are ended
			continue
		}
		if _, err = output(t, append(line, "--model-memory", "1GB")); err != nil &&
			strings.Contains(err.Error(), "memory") {
			t.Errorf("%s with enough memory: %v", name, err)
		}
	}
}
