package learntest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// trained returns a model of iris, or of a table that the learner takes.
func trained(t *testing.T, learner string, settings ...string) model.Model {
	t.Helper()
	row, err := catalog.Find(learner)
	if err != nil {
		t.Fatal(err)
	}
	ds := datatest.Read(t, "iris/iris.csv", data.Roles{Label: "species"})
	l := learntest.Small(row.New())
	if learner == "id3" {
		ds = datatest.Read(t, "weather/weather.csv", data.Roles{Label: "play"})
	}
	if learner == "isolation" {
		ds.Target = data.Target{}
	}
	return learntest.MustFit(t, catalog.Env(2), learntest.Made(t, l, settings...), ds,
		learn.Job{Seed: 3})
}

// Whatever a learner finds passes its own check.
func TestSummariesOfLearners(t *testing.T) {
	for _, row := range catalog.Table() {
		if row.New().Capabilities().Summary == nil {
			t.Fatalf("%s has no training summary", row.Name)
		}
		m := trained(t, row.Name)
		if err := catalog.CheckSummaries(m); err != nil {
			t.Errorf("%s: %v", row.Name, err)
		}
	}
	for _, settings := range [][]string{
		{"forest", "importance=permutation"},
		{"forest", "importance=corrected"},
		{"bag", "base=logistic", "importance=permutation"},
		{"cart", "prune=none"},
		{"adaboost", "variant=samme", "base=cart"},
		{"stack", "members=cart,logistic", "meta_learner=logistic"},
		{"vote", "members=cart,bayes", "parts=2"},
	} {
		if err := catalog.CheckSummaries(trained(t, settings[0], settings[1:]...)); err != nil {
			t.Errorf("%v: %v", settings, err)
		}
	}
}

// Each fault is found, of a model by itself and of a member.
func TestSummariesRefused(t *testing.T) {
	models := map[string]model.Model{}
	for _, c := range []struct{ learner, path, value, want string }{
		{"cart", "rows", `-1`, "rows: -1 is no count"},
		{"cart", "rows", `"many"`, "cannot unmarshal"},
		{"cart", "weightless", `9223372036854775807`, "weightless: 9223372036854775807 is no count"},
		{"cart", "criterion", `"\u001b[2J"`, "criterion:"},
		{"cart", "prune", `"\u202e"`, "prune:"},
		{"cart", "path.0.cv_error", `null`, "half a cross-validated error"},
		{"cart", "path.1.cv_se", `null`, "half a cross-validated error"},
		{"cart", "path.1.leaves", `1000000000`, "path: point 1 has 1000000000 leaves"},
		{"cart", "path.0.leaves", `0`, "path: point 0 has 0 leaves"},
		{"cart", "path.0.cost", `-1`, "path: point 0 has cost"},
		{"forest", "oob.curve.members", `[1,1000000000]`, "curve:"},
		{"forest", "oob.curve.members.0", `0`, "curve:"},
		{"forest", "oob.curve.error.0", `-0.5`, "curve: point 0 has error"},
		{"forest", "oob.members", `-5`, "members: -5 is no count"},
		{"forest", "oob", `[]`, "cannot unmarshal"},
		{"forest", "importances", `[{"kind":"impurity","columns":[{"column":"no such column"}]}]`,
			`no column "no such column"`},
		{"forest", "importances", `[{"kind":"impurity","columns":[{"group":["sepal_length","no"]}]}]`, `no column "no"`},
		{"forest", "importances", `[{"kind":"impurity","columns":[]},{"kind":"impurity","columns":[]}]`, "twice"},
		{"gbm", "curves", `[{"set":"training","metric":"logloss","rounds":[1,2],"values":[0.5]}]`,
			"1 values in place of 2"},
		{"gbm", "curves", `[{"set":"training","metric":"logloss","rounds":[2,1],"values":[1,1]}]`,
			"rounds: number 1 is 1 behind 2"},
		{"gbm", "curves", `[{"set":"a\u009b","metric":"logloss","rounds":[1],"values":[1]}]`,
			"set:"},
		{"gbm", "best_round", `1000000000`, "best_round:"},
		{"gbm", "loss", `"` + strings.Repeat("x", 300) + `"`, "loss:"},
		{"adaboost", "error.0", `[]`, "cannot unmarshal"},
		{"adaboost", "rounds", `1000000000`, "1000000000"},
		{"adaboost", "training", `[]`, "training"},
		{"adaboost", "bound", `[1]`, "bound"},
		{"adaboost", "effective_rows", `[]`, "effective_rows"},
		{"adaboost", "margins.0.upto", `[0,1]`, "margins: 2 values in place of 41"},
		{"stack", "members", `[]`, "members: there are none"},
		{"stack", "members.0.weight", `null`, "member 1 has no weight as others have"},
		{"stack", "members.0.power", `null`, "has a power, or none"},
		{"stack", "bias", `[1]`, "bias: 1 values for 3 classes"},
		{"vote", "subsets", `-1`, "subsets: -1 is no count"},
		{"calibrate", "threshold_value", `0.5`, "threshold_value: the model has 3 classes"},
		{"logistic", "solution", `"\u001b[2J"`, "solution:"},
		{"logistic", "encoding.width", `-1`, "encoding.width: -1 is no count"},
		{"linear", "encoding", `{"imputed":[{"column":"x","number":-2}]}`,
			"encoding: -2 is no count"},
		{"isolation", "anomalies", `-1`, "anomalies: -1 is no count"},
	} {
		if models[c.learner] == nil {
			models[c.learner] = trained(t, c.learner)
		}
		spec := models[c.learner].Spec()
		good := spec.Summary
		spec.Summary = edited(t, good, strings.Split(c.path, "."), c.value)
		err := catalog.CheckSummaries(models[c.learner])
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), fmt.Sprintf("the learner %q found", c.learner)) ||
			strings.ContainsAny(err.Error(), "\n\x1b\u202e\u009b") {
			t.Errorf("%s, %s = %s: %v, want %q", c.learner, c.path, c.value, err, c.want)
		}
		spec.Summary = good
	}
	m := trained(t, "vote", "members=cart,bayes")
	m.(*committee.Committee).Members[1].Spec().Summary = []byte(`{"rows":-1}`)
	if err := catalog.CheckSummaries(m); err == nil ||
		!strings.Contains(err.Error(), `"bayes" found in training: rows: -1`) {
		t.Errorf("a member's summary is %v", err)
	}
}

// edited returns JSON with the value at a path replaced.
func edited(t *testing.T, raw json.RawMessage, path []string, value string) json.RawMessage {
	t.Helper()
	var whole any
	if err := json.Unmarshal(raw, &whole); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(replaced(t, whole, path, json.RawMessage(value)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// replaced replaces a value within a decoded one.
func replaced(t *testing.T, in any, path []string, value json.RawMessage) any {
	t.Helper()
	if len(path) == 0 {
		return value
	}
	switch in := in.(type) {
	case map[string]any:
		in[path[0]] = replaced(t, in[path[0]], path[1:], value)
		return in
	case []any:
		at := int(path[0][0] - '0')
		if at >= len(in) {
			t.Fatalf("there is no %v in %v", path, in)
		}
		in[at] = replaced(t, in[at], path[1:], value)
		return in
	}
	t.Fatalf("there is no %v", path)
	return nil
}
