package tune_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/tune"
)

// Twenty settings of a tree, on the same five folds. The learner of the best may be trained on all
// rows.
func ExampleRun() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../testdata/iris/iris.csv", data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	trees := []tune.Candidate{{Name: "cart", New: func() (learn.Learner, error) { return cart.New(), nil }}}
	plan := &split.Plan{Kind: split.Stratified, K: 5, Seed: 1}
	study, err := tune.Run(ctx, trees, ds, plan, tune.Options{Trials: 20, Metric: "accuracy", Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	best, err := study.Learner(trees)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d trials, best %.3f\n", len(study.Trials), study.Trials[study.Best].Mean())
	fmt.Println("parameters:", len(best.Params()) > 0)
	// Output:
	// 20 trials, best 0.960
	// parameters: true
}
