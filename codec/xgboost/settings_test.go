package xgboost_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/xgboost"
)

// settled returns keptFile of an objective with parameters, attributes, and types of columns.
func settled(objective, parameters string) []byte {
	return []byte(strings.NewReplacer(
		`"objective":{"name":"`+objective+`"}`, fmt.Sprintf(`"objective":{"name":%q,%s}`, objective, parameters),
		`"attributes":{}`, `"attributes":{"best_iteration":"0","best_score":"0.25","note":"by us","odd":7}`,
		`"c","float"]`, `"c","int"]`).Replace(string(keptFile(objective, 0))))
}

// stated are the parts of a file that predictions do not depend on.
type stated struct {
	Learner struct {
		Attributes map[string]any `json:"attributes"`
		Types      []string       `json:"feature_types"`
		Objective  map[string]any `json:"objective"`
	} `json:"learner"`
}

// settledObjectives are objectives with parameters other than those that XGBoost has by default.
var settledObjectives = map[string]string{
	"reg:squarederror":     `"reg_loss_param":{"scale_pos_weight":"3"}`,
	"count:poisson":        `"poisson_regression_param":{"max_delta_step":"0.25"}`,
	"reg:tweedie":          `"tweedie_regression_param":{"tweedie_variance_power":"1.2"}`,
	"reg:pseudohubererror": `"pseudo_huber_param":{"huber_slope":"4"}`,
	"survival:aft":         `"aft_loss_param":{"aft_loss_distribution":"logistic","aft_loss_distribution_scale":"0.8"}`,
	"rank:ndcg": `"lambda_rank_param":{"fix_list_weight":"0","num_pairsample":"1"},
		"lambdarank_param":{"lambdarank_num_pair_per_sample":"8","ndcg_exp_gain":"0"}`,
}

// Parameters of the objective, attributes and types of columns are written as they were read, also
// after a native file, and in both encodings. A value that is no text is left out.
func TestSettingsAreKept(t *testing.T) {
	for objective, parameters := range settledObjectives {
		file := settled(objective, parameters)
		var got, want stated
		for from, to := range map[*stated][]byte{&got: rewritten(t, throughUBJSON(t, file)), &want: file} {
			if err := json.Unmarshal(to, from); err != nil {
				t.Fatal(err)
			}
		}
		delete(want.Learner.Attributes, "odd")
		delete(want.Learner.Attributes, "best_iteration") // the only round
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s:\n%s", objective, d)
		}
	}
}

// throughUBJSON writes a file in JSON as UBJSON and as JSON again.
func throughUBJSON(t *testing.T, file []byte) []byte {
	t.Helper()
	for _, step := range [][2]codec.Format{{xgboost.JSON(), xgboost.UBJSON()}, {xgboost.UBJSON(), xgboost.JSON()}} {
		m, err := step[0].Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var written bytes.Buffer
		if err := step[1].Encode(&written, m); err != nil {
			t.Fatal(err)
		}
		file = written.Bytes()
	}
	return file
}

// XGBoost reads the settings of written files. Of rankings 1.7 has other parameters than 3.
func TestKeptSettingsInXGBoost(t *testing.T) {
	program := python(t)
	script := `
import json, sys, xgboost
for path in sys.argv[1:]:
    b = xgboost.Booster()
    b.load_model(path)
    c = json.loads(b.save_config())["learner"]["objective"]
    print(b.attr("best_score"), b.attr("note"), b.feature_types[-1], c)
`
	dir := t.TempDir()
	var arguments []string
	names := slices.Sorted(maps.Keys(settledObjectives))
	for i, objective := range names {
		path := filepath.Join(dir, fmt.Sprintf("%d.json", i))
		if err := os.WriteFile(path, rewritten(t, settled(objective, settledObjectives[objective])), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, path)
	}
	lines := strings.Split(program.run(t, script, arguments...), "\n")
	for i, objective := range names {
		if !strings.HasPrefix(lines[i], "0.25 by us int") {
			t.Errorf("%s: %s", objective, lines[i])
		}
		for _, part := range strings.Split(settledObjectives[objective], `":"`)[1:] {
			value, _, _ := strings.Cut(part, `"`)
			if !strings.HasPrefix(objective, "rank:") && !strings.Contains(lines[i], value) {
				t.Errorf("%s: no %s in %s", objective, value, lines[i])
			}
		}
	}
}
