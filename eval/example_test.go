package eval_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn/cart"
)

// Ten folds, stratified by class: each row is tested once, by a model that has not seen it.
func ExampleCrossValidate() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../testdata/iris/iris.csv", data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	plan := &split.Plan{Kind: split.Stratified, K: 10, Seed: 1}
	cv, err := eval.CrossValidate(ctx, cart.New(), ds, plan, eval.Options{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	accuracy := cv.Summary[0]
	fmt.Printf("%s %.3f, standard deviation %.3f\n", accuracy.Name, accuracy.Mean, accuracy.SD)
	// Output:
	// accuracy 0.920, standard deviation 0.053
}
