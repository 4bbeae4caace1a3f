package coppice_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn/gbm"
)

// A file in, a model out, metrics on a test set. Early stopping ends the training when the loss on
// the validation set no longer improves.
func ExampleTrain() {
	folder, err := os.MkdirTemp("", "coppice")
	check(err)
	defer os.RemoveAll(folder)
	ctx, path := context.Background(), filepath.Join(folder, "model.coppice")

	ds, err := csvdata.ReadDataset(ctx, "testdata/adult/adult-train.csv.gz", data.Label("income"))
	check(err)
	train, valid, test, err := split.HoldOut{Valid: .15, Test: .2, Seed: 1}.Dataset(ds)
	check(err)
	m, err := coppice.Train(ctx, gbm.New(), train, coppice.Validation(valid))
	check(err)
	r, err := eval.Evaluate(ctx, m, test)
	check(err)
	check(coppice.Save(path, m))

	auc, _ := r.Metrics.Get("auc")
	fmt.Printf("%d test rows, AUC %.3f\n", r.Rows, auc)
	// Output: 6512 test rows, AUC 0.930
}
