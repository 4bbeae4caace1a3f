package learntest

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model/training"
)

// weights: predictions move towards the labels of rows with more weight, unless the learner
// declares itself Unweighted; then they are the same for all weights. Without labels weights change
// predictions only where rows are sampled. The table has three kinds of rows that do not depend on
// the labels, so no learner can memorise those.
func (s suite) weights(t *testing.T) {
	n := 120
	if s.task == data.Auto {
		n = 600
	}
	ds := s.table(n)
	if s.task != data.Auto {
		rows := make([]int32, n)
		for i := range rows {
			rows[i] = int32(i % 3)
		}
		ds.Frame = ds.Frame.Subset(rows)
	}
	heavy := make([]float64, ds.Rows())
	for i := range heavy {
		heavy[i] = 1
		switch {
		case ds.Target.Class != nil && ds.Target.Class[i] == 1, len(ds.Target.Y) > 0 &&
			ds.Target.Y[0][i] > 7, ds.Target.Class == nil && len(ds.Target.Y) == 0 && i < n/2:
			heavy[i] = 20
		}
	}
	predicted := func() []float64 {
		m, err := Fit(context.Background(), learn.Env{}, s.learner, ds, learn.Job{Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		return predict(t, m, ds.Frame)
	}
	plain := predicted()
	ds.Target.Weight = heavy
	weighed := predicted()
	if s.learner.Capabilities().Unweighted {
		if !slices.Equal(plain, weighed) {
			t.Error("weights have an effect on a learner that reports to ignore them")
		}
		return
	}
	k := max(1, len(ds.Target.Classes))
	before, after := 0.0, 0.0
	for i := min(1, k-1); i < len(plain); i += k { // the second class, or the number
		before, after = before+plain[i], after+weighed[i]
	}
	if s.task == data.Survival {
		before, after = after, before // events that are later have a smaller hazard
	}
	if labelled := ds.Target.Class != nil || len(ds.Target.Y) > 0; labelled && !(after > before) ||
		slices.Equal(plain, weighed) {
		t.Errorf("with weights predictions add up to %g, without to %g", after, before)
	}
}

// counted: the summary counts the rows that the model was trained on, those of weight 0 separately.
func (s suite) counted(t *testing.T) {
	ds := s.table(60)
	ds.Target.Weight = make([]float64, ds.Rows())
	for i := range ds.Target.Weight {
		ds.Target.Weight[i] = float64(min(i%3, 1))
	}
	m, err := Fit(context.Background(), learn.Env{}, s.learner, ds,
		learn.Job{Rows: data.AllRows(45)})
	if err != nil {
		t.Fatal(err)
	}
	var found struct{ training.Trained }
	if err := json.Unmarshal(m.Spec().Summary, &found); err != nil {
		t.Fatal(err)
	}
	if want := (training.Trained{Rows: 30, Weightless: 15}); found.Trained != want {
		t.Errorf("the summary counts %+v, want %+v", found.Trained, want)
	}
}
