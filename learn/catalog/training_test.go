package catalog_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// train trains a learner of the catalog on the iris table.
func train(t *testing.T, name string, set ...string) model.Model {
	t.Helper()
	l, err := catalog.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Params().Set(set); err != nil {
		t.Fatal(err)
	}
	ds := datatest.Read(t, "iris/iris.csv", data.Roles{Label: "species"})
	f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Each kind of training is described by its own fields, and its history can be drawn.
func TestTraining(t *testing.T) {
	for _, c := range []struct {
		learner string
		set     []string
		kind    training.Kind
		rounds  int
		facts   string // names of the facts
		history string // in the picture of it; "" = there is no history
	}{
		{"cart", nil, training.Tree, 0, "", ""},
		{"c45", nil, training.Tree, 0, "", ""},
		{"forest", []string{"trees=5"}, training.Bagged, 0, "oob", "out-of-bag error against the number of members"},
		{"bag", []string{"members=5", "base=cart"}, training.Bagged, 0, "oob",
			"out-of-bag error against the number of members"},
		{"gbm", []string{"trees=6", "training_metric=1"}, training.Rounds, 6, "rounds",
			"metrics against the number of rounds"},
		{"anyboost", []string{"rounds=4", "training_metric=1"}, training.Rounds, 4, "rounds",
			"metrics against the number of rounds"},
		{"adaboost", []string{"rounds=3"}, training.Rounds, 3, "rounds, error, margins",
			"training error"},
		{"logistic", nil, training.Single, 0, "encoding, solution", ""},
		{"knn", nil, training.Single, 0, "encoding", ""},
	} {
		t.Run(c.learner, func(t *testing.T) {
			m := train(t, c.learner, c.set...)
			found := catalog.Training(m)
			var names []string
			for _, f := range found.Facts {
				names = append(names, f.Name)
			}
			if found.Kind != c.kind || found.Rows != 150 || found.Rounds != c.rounds ||
				strings.Join(names, ", ") != c.facts {
				t.Errorf("kind %d, %d rows, %d rounds, facts %q", found.Kind, found.Rows,
					found.Rounds, names)
			}
			h := found.History
			if (h != nil) != (c.history != "") {
				t.Fatalf("history %+v", h)
			}
			if h == nil {
				return
			}
			var text bytes.Buffer
			if err := (*plot.Figure)(h.Figure).Text(&text); err != nil || len(h.Tables[0].Rows) == 0 ||
				!strings.Contains(text.String(), c.history) {
				t.Errorf("%v, tables %+v, picture\n%s", err, h.Tables, text.String())
			}
			if err := (*plot.Figure)(h.Figure).Write(io.Discard); err != nil {
				t.Error(err)
			}
			if _, err := json.Marshal(h.Content); err != nil {
				t.Error(err)
			}
		})
	}
}

// A summary that no training writes is an error of CheckSummaries, and nothing is reported of it;
// the same holds where nothing is known of the learner.
func TestTrainingUnknown(t *testing.T) {
	m := train(t, "forest", "trees=3").(*model.Ensemble)
	for _, c := range []struct {
		learner, summary string
		damaged          bool
	}{
		{"forest", `{"rows":-1}`, true},
		{"forest", `{"rows":"many"}`, true},
		{"forest", "", false},
		{"elsewhere", `{"rows":3}`, false},
	} {
		other := *m
		other.Meta.Learner, other.Meta.Summary = c.learner, json.RawMessage(c.summary)
		if found := catalog.Training(&other); found.Rows != 0 || found.Facts != nil {
			t.Errorf("%s %s: %+v", c.learner, c.summary, found)
		}
		if err := catalog.CheckSummaries(&other); (err != nil) != c.damaged {
			t.Errorf("%s %s: error %v", c.learner, c.summary, err)
		}
	}
}
