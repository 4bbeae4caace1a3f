package losstest_test

import (
	"testing"

	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/losstest"
)

// TestTable runs the suite on every loss there is, with settings that matter.
func TestTable(t *testing.T) {
	settings := map[string][][]string{
		"quantile":     {{"quantiles=0.1,0.5,0.9"}},
		"expectile":    {{"level=0.8"}},
		"mape":         {{"least=0.5"}},
		"huber":        {{"delta=0.3"}},
		"pseudo_huber": {{"delta=0.3"}},
		"fair":         {{"scale=3"}},
		"squared_log":  {{"curvature=xgboost"}},
		"focal":        {{"gamma=0"}, {"alpha=0.6", "gamma=0.5"}, {"alpha=0.01", "gamma=5"}},
		"lambdamart":   {{"metric=map"}, {"metric=pairwise"}, {"truncation=0"}, {"truncation=2"}, {"metric=map", "truncation=1"}, {"norm=true", "sigmoid=2"}},
		"xe_ndcg":      {{"gamma=1"}, {"gamma=0"}},
		"aft":          {{"distribution=logistic"}, {"distribution=extreme"}, {"sigma=0.3"}, {"distribution=extreme", "sigma=2"}, {"distribution=logistic", "sigma=0.1"}},
		"softmax":      {{"curvature=xgboost"}},
		"tweedie":      {{"power=1.1"}, {"power=1.9"}},
	}
	for _, row := range loss.Table() {
		t.Run(row.Name, func(t *testing.T) { losstest.Run(t, row, settings[row.Name]...) })
	}
}
