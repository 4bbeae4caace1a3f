package main

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model/training"
)

// TestLearnersWithCurves trains every learner. Those whose models have curves must be the ones that
// error messages name.
func TestLearnersWithCurves(t *testing.T) {
	frame, err := data.FromColumns(data.NamedColumn{Name: "x", Values: []float64{1, 2, 3, 4, 5, 6,
		7, 8, 9, 10, 11, 12}})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: frame, Target: data.Target{Name: "y", Task: data.Binary,
		Classes: []string{"no", "yes"},
		Class:   []uint32{0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1}}}
	var rounds, samplers []string
	for _, row := range catalog.Table() {
		if c := row.New().Capabilities(); c.Categorical || c.Survival {
			continue
		}
		m, err := coppice.Train(t.Context(), learntest.Small(row.New()), ds)
		if err != nil {
			t.Fatalf("%s: %v", row.Name, err)
		}
		switch found := catalog.Training(m); {
		case found.History == nil:
		case found.Kind == training.Rounds:
			rounds = append(rounds, row.Name)
		case found.Kind == training.Bagged:
			samplers = append(samplers, row.Name)
		}
	}
	if want := models.LearnersThat(models.TrainsInRounds); !slices.Equal(rounds, want) {
		t.Errorf("%v have curves over the rounds, %v train in rounds", rounds, want)
	}
	if want := models.LearnersThat(models.LeavesRowsOut); !slices.Equal(samplers, want) {
		t.Errorf("%v have out-of-bag errors, %v leave rows out", samplers, want)
	}
}
