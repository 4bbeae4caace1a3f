//go:build linux

// Package predict is the case of the speed of prediction beside that of XGBoost, LightGBM, ONNX
// Runtime, scikit-learn and github.com/dmitryikh/leaves.
package predict

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

//go:embed peers.py
var peersPython string

// Case has the parts 100x31, 100x255, 500x31 and 500x255: models of so many trees and leaves. They
// are trained here, leaf by leaf, on the table higgs. Each is written in the format of each
// program, so that all of them predict with the same trees. depth6 is a model that XGBoost trained.
// scikit-learn loads no models of others, and predicts with trees of its own.
//
// A program gets rows of float32 in one matrix, and what it converts them to is timed with the
// prediction. Its probabilities are compared with ours, and another one ends the benchmark. A
// program that is not found is left out.
var Case = pairs.Case{Name: "predict", About: "prediction beside XGBoost, LightGBM, ONNX Runtime, " +
	"scikit-learn and leaves", Example: "-xgboost FOLDER -lightgbm FOLDER -onnxruntime FOLDER 100x31",
	Takes: "rounds threads quick busy rows xgboost lightgbm onnxruntime python dir",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Threads, r.Rows = []int{1, 2}, 1_000_000
		b := &bench{Run: r}
		r.DurationVar(&b.limit, "limit", 1500*time.Millisecond,
			"time for all rows at once; programs that need longer predict fewer rows")
		r.DurationVar(&b.spend, "spend", 200*time.Millisecond,
			"time for single rows, and for each size of batches")
		r.IntVar(&b.train, "train", 200_000, "rows to train the models on")
		r.StringVar(&b.purego, "purego", "",
			"`program` that is this one built with -tags purego, which is compared too; empty = none")
		for _, name := range []string{"coppice", "whole", "loop", "leaves"} {
			r.Job(name, 7, func(a []string) (*pairs.Result, error) { return measure(name, a) })
		}
		return b.run
	}}

// bench is a run of the case.
type bench struct {
	*pairs.Run
	train          int
	limit, spend   time.Duration
	purego, script string
}

func (b *bench) run(ctx context.Context) (err error) {
	if b.Quick {
		b.Rows, b.train, b.spend = 20_000, 5000, 5*time.Millisecond
	}
	if b.script, err = b.Write("peers.py", peersPython); err != nil {
		return err
	}
	b.find()
	if err := b.table(); err != nil {
		return err
	}
	cases, names := b.cases(), []string{}
	for _, c := range cases {
		names = append(names, c.name)
	}
	chosen, err := b.Chosen(names...)
	if err != nil {
		return err
	}
	for _, c := range cases {
		if !slices.Contains(chosen, c.name) {
			continue
		}
		if err := b.compare(ctx, &c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}
