package coppice_test

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/metric"
)

// A loss of one's own, log cosh(x - y), which also decides early stopping.
func Example_customLoss() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "testdata/shop/shop.csv", data.Label("sales"))
	check(err)
	train, valid, test, err := split.HoldOut{Valid: .2, Test: .2, Seed: 1}.Dataset(ds)
	check(err)

	l := gbm.New()
	l.Loss = loss.Choice{Name: "log_cosh", Loss: &loss.Pointwise{
		Loss:   func(y, x float64) float64 { return math.Log(math.Cosh(x - y)) },
		Derive: func(y, x float64) (g, h float64) { t := math.Tanh(x - y); return t, 1 - t*t },
	}}
	m, err := coppice.Train(ctx, l, train, coppice.Validation(valid))
	check(err)

	r, err := eval.Evaluate(ctx, m, test)
	check(err)
	r2, _ := r.Metrics.Get("r2")
	fmt.Printf("R2 %.2f\n", r2)
	// Output: R2 0.93
}

// A user's own metric decides early stopping: the profit of letters to people with a predicted high
// income.
func Example_customMetric() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "testdata/adult/adult-test.csv.gz", data.Label("income"))
	check(err)
	train, valid, _, err := split.HoldOut{Valid: .2, Seed: 1}.Dataset(ds)
	check(err)

	profit := metric.Metric{Name: "profit", Higher: true, Func: func(s *metric.Sample) (float64, error) {
		sum := 0.0
		for row, class := range s.Class {
			if s.Label(row) == 1 { // a letter costs 1, a customer brings 3
				sum += 3*float64(class) - 1
			}
		}
		return sum, nil
	}}
	l := gbm.New()
	l.Metrics, l.EarlyStopping, l.LearningRate = []metric.Metric{profit}, 20, .3
	m, err := coppice.Train(ctx, l, train, coppice.Validation(valid))
	check(err)

	var s gbm.Summary
	check(learn.ReadSummary(m, &s))
	fmt.Printf("best round %d, profit %v\n", s.Best, s.Value)
	// Output: best round 18, profit 817
}

// An observer that ends the training. The model so far is returned, without an error.
func ExampleObserve() {
	customers := customers(400)
	rounds := 0
	stop := coppice.Observe(func(r learn.Round) error {
		if rounds++; rounds == 30 { // r.Metrics are those of the round
			return learn.Stop
		}
		return nil
	})
	l := gbm.New()
	l.Trees = 1000
	m, err := coppice.TrainStructs(context.Background(), l, customers, data.Label("churn"), stop)
	check(err)
	p, err := coppice.NewPredictor[Customer](m)
	check(err)
	y, err := p.Predict(customers[0])
	check(err)
	fmt.Println(rounds, y.Class)
	// Output: 30 no
}
