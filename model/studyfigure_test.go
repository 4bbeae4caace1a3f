package model_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// The picture of a study has each trial, and the best mean up to it.
func TestStudyFigure(t *testing.T) {
	s := &model.Study{Metric: "auc", Higher: true, Folds: 3, Trials: 4,
		Means: []model.StudyMean{{Trial: 0, Mean: 0.7}, {Trial: 1, Mean: 0.6}, {Trial: 3, Mean: 0.9}}}
	for higher, want := range map[bool][]float64{true: {0.7, 0.7, 0.9}, false: {0.7, 0.6, 0.6}} {
		s.Higher = higher
		f := training.StudyFigure(s, "y")
		curves := f.Charts[0].Curves
		if !slices.Equal(curves[0].X, []float64{0, 1, 3}) ||
			!slices.Equal(curves[0].Y, []float64{0.7, 0.6, 0.9}) ||
			!slices.Equal(curves[1].Y, want) {
			t.Errorf("higher is better: %v: %+v, want the best %v", higher, curves, want)
		}
		if f.Title != "y: search of parameters" {
			t.Errorf("title %q", f.Title)
		}
	}
	if training.StudyFigure(nil, "") != nil || training.StudyFigure(&model.Study{}, "") != nil {
		t.Error("there is a picture of no trials")
	}
}
