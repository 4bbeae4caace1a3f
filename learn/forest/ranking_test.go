package forest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// TestRanksRowByRow: a forest of a ranking predicts the relevance of each row, as one of numbers
// does. Its model is of the ranking, so that queries are evaluated.
func TestRanksRowByRow(t *testing.T) {
	ds := datatest.Read(t, "iris/iris.csv", data.Roles{Label: "petal_width", Task: data.Regression})
	numbers := *ds
	ds.Target.Task, ds.Target.Group = data.Ranking, make([]int64, ds.Rows())
	for i := range ds.Target.Group {
		ds.Target.Group[i] = int64(i / 10)
	}
	for _, l := range []func() *forest.Learner{forest.New, forest.NewExtraTrees} {
		m := fit(t, ds, made(t, l(), "trees=8"), learn.Job{Seed: 1})
		want := fit(t, &numbers, made(t, l(), "trees=8"), learn.Job{Seed: 1})
		if m.Spec().Task != data.Ranking || !slices.Equal(predicted(t, m, ds.Frame),
			predicted(t, want, ds.Frame)) {
			t.Errorf("%s of a ranking: task %s, or other predictions than of numbers",
				m.Spec().Learner, m.Spec().Task)
		}
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
	}
	_, err := learntest.Fit(t.Context(), learn.Env{}, made(t, forest.New(), "quantiles=true"), ds,
		learn.Job{})
	if err == nil || !strings.Contains(err.Error(), "quantiles") {
		t.Errorf("quantiles of a ranking: error %v", err)
	}
}

// predicted returns the predictions of all rows.
func predicted(t *testing.T, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(dst, f, data.AllRows(f.Rows())); err != nil {
		t.Fatal(err)
	}
	return dst
}
