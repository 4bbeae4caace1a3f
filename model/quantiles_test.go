package model_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

func TestQuantilesOfOutputs(t *testing.T) {
	for _, c := range []struct {
		task      data.Task
		quantiles []float64
		want      string
	}{
		{data.Regression, []float64{0.1, 0.9}, ""},
		{data.Regression, []float64{0.1}, "1 quantiles for 2 outputs"},
		{data.Regression, []float64{0.9, 0.1}, "quantiles [0.9 0.1] do not ascend between 0 and 1"},
		{data.Regression, []float64{0, 0.1}, "quantiles [0 0.1] do not ascend between 0 and 1"},
		{data.Survival, []float64{0.1, 0.9}, "a model of survival with quantiles"},
	} {
		e := &model.Ensemble{Meta: model.Spec{Task: c.task, Quantiles: c.quantiles}, Bias: []float64{1, 2}}
		err := e.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s, %v: %v, want %q", c.task, c.quantiles, err, c.want)
		}
	}
}
