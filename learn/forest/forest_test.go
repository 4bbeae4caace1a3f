package forest_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/model"
)

// table reads a shipped table.
func table(t *testing.T, file, label string) *data.Dataset {
	t.Helper()
	return datatest.Read(t, file, data.Roles{Label: label})
}

// made returns a learner with some parameters set.
func made(t *testing.T, l *forest.Learner, settings ...string) *forest.Learner {
	t.Helper()
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	return l
}

// fit trains on a data set.
func fit(t *testing.T, ds *data.Dataset, l *forest.Learner, job learn.Job) *model.Ensemble {
	t.Helper()
	return learntest.MustFit(t, learn.Env{Workers: job.Workers}, l, ds, job).(*model.Ensemble)
}

// TestParamsRefused: each wrong parameter gets one line of error.
func TestParamsRefused(t *testing.T) {
	for set, want := range map[string]string{
		"trees=0":         "trees",
		"vote=fraction":   "vote",
		"mtry=2.5":        `"2.5" is neither whole nor below 1`,
		"mtry=0":          `"0" is no number of columns`,
		"mtry=-1":         `"-1" is no number of columns`,
		"mtry=sqrt":       `"sqrt" is no number of columns`,
		"mtry=NaN":        `"NaN" is no number of columns`,
		"node_size=-1":    "node_size",
		"sample=twice":    "sample",
		"missing=last":    "missing",
		"class_weight=a":  `"a" is not NAME=WEIGHT`,
		"criterion=gain":  "criterion",
		"costs=none.csv":  "no such file",
		"early_stoping=1": "unknown parameter",
	} {
		if err := forest.New().Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %s", set, err, want)
		}
	}
	ds := table(t, "iris/iris.csv", "species")
	if _, err := (&forest.Learner{}).Prepare(t.Context(), ds.Frame, nil, nil,
		learn.Env{}); err == nil {
		t.Error("a learner without parameters prepares")
	}
	l := forest.New()
	for _, mtry := range []string{"5", "1e300"} {
		l.Mtry = mtry
		if _, err := learntest.Fit(t.Context(), learn.Env{}, l, ds, learn.Job{}); err == nil ||
			!strings.HasSuffix(err.Error(),
				"the table has 4 columns to scan; give at most so many") {
			t.Errorf("mtry=%s: error %v", mtry, err)
		}
	}
}

// errorsOn returns the error rate of a model.
func errorsOn(t *testing.T, m model.Model, ds *data.Dataset, rows []int32) float64 {
	t.Helper()
	p, err := m.Bind(&ds.Schema, model.Options{Output: model.Label})
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]float64, len(rows))
	if err := p.Predict(labels, ds.Frame, rows); err != nil {
		t.Fatal(err)
	}
	wrong := 0.0
	for i, r := range rows {
		if uint32(labels[i]) != ds.Target.Class[r] {
			wrong++
		}
	}
	return wrong / float64(len(rows))
}

// TestAccuracy: on the mails of spambase whose number is no multiple of 3, 60 trees leave errors
// that one does not come near to.
func TestAccuracy(t *testing.T) {
	ds := table(t, "spambase/spambase.csv", "spam")
	var train, test []int32
	for r := range int32(ds.Rows()) {
		if r%3 == 0 {
			test = append(test, r)
		} else {
			train = append(train, r)
		}
	}
	one := errorsOn(t, fit(t, ds, made(t, forest.New(), "trees=1"), learn.Job{Rows: train}), ds,
		test)
	many := errorsOn(t, fit(t, ds, made(t, forest.New(), "trees=60"), learn.Job{Rows: train}), ds,
		test)
	if !(one > 0.07 && one < 0.15) || !(many > 0.03 && many < 0.06) {
		t.Errorf("errors %.4f by one tree, %.4f by 60", one, many)
	}
}

// TestDefaults: what is not set follows from the learner, the label and the number of
// columns.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		learner    *forest.Learner
		label      string
		sample     sample.Method
		thresholds int
	}{
		{forest.New(), "species", sample.Bootstrap, 0},
		{forest.NewExtraTrees(), "petal_width", sample.All, 1},
	} {
		if l := c.learner; l.Trees != 500 || l.Sample.Method != c.sample ||
			l.RandomSplits != c.thresholds || l.Vote != forest.VoteMajority {
			t.Errorf("defaults %+v", l)
		}
		ds := table(t, "iris/iris.csv", c.label)
		auto := fit(t, ds, made(t, c.learner, "trees=3"), learn.Job{})
		prediction := fit(t, ds, made(t, c.learner, map[string][]string{
			"species":     {"mtry=2", "node_size=1", "criterion=gini"},
			"petal_width": {"mtry=all", "node_size=5", "criterion=squared_error"},
		}[c.label]...), learn.Job{})
		if !reflect.DeepEqual(auto.Trees, prediction.Trees) {
			t.Errorf("%s: other trees than those of the defaults in words", c.label)
		}
	}
}
