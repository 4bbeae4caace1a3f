//go:build linux

package trees

import (
	"context"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

// sklearn is the program of scikit-learn, with the arguments of the tree to be filled in.
const sklearn = `
import json, sys, time, pandas, sklearn, numpy
from sklearn.tree import DecisionTreeClassifier
frame = pandas.read_csv(sys.argv[1], keep_default_na=False)
y = frame.pop(sys.argv[2]).to_numpy()
x = frame.to_numpy("float32")
tree = DecisionTreeClassifier(%s)
start = time.perf_counter()
tree.fit(x, y)
seconds = time.perf_counter() - start
print(json.dumps({"version": "scikit-learn " + sklearn.__version__, "seconds": seconds,
    "facts": {"leaves": int(tree.get_n_leaves()), "error": 1 - float(tree.score(x, y))}}))
`

// rpart is the program of rpart, with its control to be filled in. It is run as Rscript PROGRAM
// FILE LABEL.
const rpart = `
library(rpart)
arguments <- commandArgs(trailingOnly = TRUE)
frame <- read.csv(arguments[1], na.strings = c("?", " ?"), strip.white = TRUE, stringsAsFactors = TRUE)
frame[[arguments[2]]] <- factor(frame[[arguments[2]]])
names(frame)[names(frame) == arguments[2]] <- "label_"
start <- proc.time()[["elapsed"]]
tree <- rpart(label_ ~ ., frame, method = "class", control = rpart.control(%s))
seconds <- proc.time()[["elapsed"]] - start
wrong <- mean(predict(tree, frame, type = "class") != frame$label_)
cat(sprintf('{"version": "rpart %%s", "seconds": %%f, "facts": {"leaves": %%d, "error": %%f}}',
    packageVersion("rpart"), seconds, sum(tree$frame$var == "<leaf>"), wrong))
`

// train grows one tree.
func train(file, label string, set []string) (*pairs.Result, error) {
	ctx := context.Background()
	frame, err := csvdata.Read(ctx, csvdata.Options{}, file)
	if err != nil {
		return nil, err
	}
	ds, err := data.Roles{Label: label}.Apply(frame)
	if err != nil {
		return nil, err
	}
	l := cart.New()
	if err := l.Params().Set(set); err != nil {
		return nil, err
	}
	start := time.Now()
	m, err := coppice.Train(ctx, l, ds, coppice.Workers(1))
	if err != nil {
		return nil, err
	}
	r := &pairs.Result{Seconds: time.Since(start).Seconds(), Facts: map[string]float64{
		"rows": float64(ds.Rows()), "leaves": float64(m.(*model.Ensemble).Trees[0].NumLeaves())}}
	_, r.Facts["error"], err = traintest.Error(m, ds, 1)
	return r, err
}
