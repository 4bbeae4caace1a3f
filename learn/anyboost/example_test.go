package anyboost_test

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/metric"
)

// A metric of one's own, the largest error, decides early stopping.
func ExampleLearner_metrics() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../../testdata/shop/shop.csv", data.Label("sales"))
	check(err)
	train, valid, _, err := split.HoldOut{Valid: .2, Seed: 1}.Dataset(ds)
	check(err)

	worst := metric.Metric{Name: "worst", Func: func(s *metric.Sample) (float64, error) {
		most := 0.0
		for row, y := range s.Y {
			most = max(most, math.Abs(y-s.Pred[row]))
		}
		return most, nil
	}}
	l := anyboost.New(catalog.Resolve)
	l.Step, l.Metrics, l.EarlyStopping = anyboost.StepLeaf, []metric.Metric{worst}, 10
	m, err := coppice.Train(ctx, l, train, coppice.Validation(valid))
	check(err)

	var s anyboost.Summary
	check(learn.ReadSummary(m, &s))
	fmt.Printf("best round %d of %d, largest error %.1f\n", s.Best, s.Log.Rounds, s.Value)
	// Output: best round 37 of 47, largest error 6.4
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
