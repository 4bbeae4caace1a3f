package gbm_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// A metric of the positive class chooses the rounds, whichever of the two that is. Its value at the
// best round is that of the model's predictions.
func TestMetricOfThePositiveClass(t *testing.T) {
	ds := read(t, "adult/adult-train.csv.gz", "income", data.Binary)
	train, valid := data.AllRows(1500)[:1000], data.AllRows(1500)[1000:]
	for _, name := range []string{"f1", "average_precision"} {
		found, _ := metric.Lookup(name)
		var best [2]float64
		for positive := range 2 {
			ds.Target.Positive = data.Positive{First: positive == 0, Why: "it was named"}
			l := learntest.Made(t, gbm.New(), "trees=12", "metric="+name, "learning_rate=0.2")
			m := learntest.MustFit(t, catalog.Env(1), l, ds, learn.Job{Rows: train, Valid: valid})
			s := &metric.Sample{Class: data.Pick(ds.Target.Class, valid),
				Pred:  predict(t, m, ds.Frame, valid, model.Response),
				Width: 2, FirstPositive: positive == 0}
			want, err := found.Func(s)
			if err != nil {
				t.Fatal(err)
			}
			reported := summary(t, m)
			for _, c := range reported.Curves {
				if c.Set == "validation" && c.Metric == name {
					best[positive] = c.Values[reported.Best-1]
				}
			}
			if math.Abs(best[positive]-want) > 1e-9 {
				t.Errorf("%s of class %d: %v in the best round, the model has %v", name, positive,
					best[positive], want)
			}
		}
		if best[0] == best[1] {
			t.Errorf("%s is %v of both classes", name, best[0])
		}
	}
}
