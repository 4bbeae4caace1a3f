package report_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/report"
)

// Two models on rows that they were not trained on. A tree of two leaves is worse than boosted
// ones.
func ExampleCompare() {
	type house struct{ Area, Age, Price float64 }
	var houses []house
	for i := range 400 {
		area, age, noise := float64(50+i%40), float64(i*7%30), float64(i*i%23)
		houses = append(houses, house{area, age, 3*area - age + 4*noise})
	}
	frame, err := data.FromStructs(houses)
	if err != nil {
		log.Fatal(err)
	}
	ds, err := data.Label("Price").Apply(frame)
	if err != nil {
		log.Fatal(err)
	}
	train, _, test, err := split.HoldOut{Seed: 1, Test: 0.5}.Dataset(ds)
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	stump := cart.New()
	stump.Depth = 1
	a, err := coppice.Train(ctx, stump, train)
	if err != nil {
		log.Fatal(err)
	}
	b, err := coppice.Train(ctx, gbm.New(), train)
	if err != nil {
		log.Fatal(err)
	}
	c, err := report.Compare(ctx,
		report.Side{Name: "stump", Model: a, Rows: test.Frame, Labeled: test},
		report.Side{Name: "boosted", Model: b, Rows: test.Frame, Labeled: test},
		report.CompareOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d rows differ\n", c.Different, c.Rows)
	for _, d := range c.Metrics[:1] {
		fmt.Printf("%s: %.1f and %.1f, difference from %.1f to %.1f\n", d.Name, d.A, d.B, d.Low, d.High)
	}
	// Output:
	// 200 of 200 rows differ
	// rmse: 29.3 and 24.1, difference from -7.9 to -2.8
}
