//go:build linux

// Package boosting is the case of gradient boosting beside that of XGBoost, LightGBM and
// scikit-learn: the time of binning, the time of boosting, memory, and the loss on rows that were
// not trained on.
package boosting

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

//go:embed peers.py
var peersPython string

// Case has parts for training (see trainings); growth, which changes rows, columns, leaves and bins
// one by one; cores, which changes the number of threads; and libsvm, which runs the command and
// LightGBM's from a sparse file to a model.
//
// All sides grow the same number of leaf-wise trees of as many leaves with the same learning rate,
// bins and penalties. LightGBM takes part with quantized gradients too. Tables are handed to all
// sides as the same binary files and are read outside the clock: ours column by column, in single
// precision where that holds the values, those of others in single precision, row by row.
//
// scikit-learn and XGBoost are those that Python finds by itself. The folders hold modules of
// others to compare with, as PYTHONPATH would. Without one there is no LightGBM unless Python finds
// it, and one XGBoost. -lightgbm - leaves LightGBM out.
var Case = pairs.Case{Name: "boosting", About: "binning, boosting and loss beside XGBoost, LightGBM " +
	"and scikit-learn", Example: "-lightgbm FOLDER -threads 1 higgs mslr",
	Takes: "rounds threads quick busy rows trees python lightgbm xgboost dir sides earlier coppice " +
		"lightgbm-command profile",
	Set: func(r *pairs.Run) func(context.Context) error {
		b := &bench{Run: r}
		r.BoolVar(&b.cpu, "cpu", false, "compare by the time of processors, for a busy machine and "+
			"one thread: time that threads wait is not visible")
		r.IntVar(&b.samples, "samples", 0, "compare the metric alone, sample by sample, over that "+
			"many samples of the rows of each part of training; 0 = time, on one")
		r.StringVar(&b.plots, "plots", "",
			"`folder` that growth draws its curves into; empty = none are drawn")
		r.Job("fit", 9, b.fit)
		return b.run
	}}

// bench is a run of the case.
type bench struct {
	*pairs.Run
	samples       int
	cpu           bool
	script, plots string
}

func (b *bench) run(ctx context.Context) (err error) {
	if b.Quick {
		b.Rows, b.Trees = 5000, 10
	}
	if b.script, err = b.Write("peers.py", exchange.Python+peersPython); err != nil {
		return err
	}
	parts := map[string]func(context.Context) error{"growth": b.growth, "libsvm": b.libsvm,
		"cores": b.cores}
	names := []string{"growth", "libsvm", "cores"}
	for _, t := range trainings() {
		parts[t.name] = func(ctx context.Context) error {
			if b.samples > 0 {
				return b.compareSamples(ctx, t)
			}
			return b.train(ctx, t)
		}
		names = append(names, t.name)
	}
	chosen, err := b.Chosen(names...)
	if err != nil {
		return err
	}
	if b.NArg() == 0 {
		chosen = names[3:] // those of training
	}
	for _, name := range chosen {
		if err := parts[name](ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// task is what each side does in a run.
type task struct {
	train, test         string // folders
	trees, leaves, bins int
	threads             int
	nominal             bool // the table has columns of categories
	query               int  // so many rows, one after the other, are ranked together; 0 = none
	sparse              bool // the table is mostly zero: sides get what is stored of it
}

func (t *task) arguments() []string {
	return []string{t.train, t.test, strconv.Itoa(t.trees), strconv.Itoa(t.leaves),
		strconv.Itoa(t.bins), fmt.Sprint(rate), strconv.Itoa(t.threads), strconv.Itoa(t.query),
		fmt.Sprint(t.sparse)}
}

// all returns the sides; the first is ours.
func (b *bench) all(t *task) []pairs.Side {
	own := func(name string, settings ...string) pairs.Side {
		return b.Own(name, "fit", append(t.arguments(), settings...)...)
	}
	sides := []pairs.Side{own("coppice")}
	if t.nominal {
		// What categories are for all others comes first; ours alone also has target statistics.
		sides = []pairs.Side{own("coppice, sets of categories", "categories=native"),
			own("coppice, target statistics", "categories=target")}
	}
	peer := func(name, module, folder string, settings ...string) {
		arguments := append([]string{module, folder}, t.arguments()...)
		sides = append(sides, b.Peer(name, b.Python, b.script, append(arguments, settings...)...))
	}
	if b.LightGBM != "-" {
		peer("LightGBM", "lightgbm", b.LightGBM)
		peer("LightGBM, quantized", "lightgbm", b.LightGBM, "use_quantized_grad=true")
	}
	if b.XGBoost != "" {
		peer("XGBoost", "xgboost", b.XGBoost)
	}
	peer("system XGBoost", "xgboost", "")
	if t.query == 0 && !t.sparse { // it does not rank, nor read sparse tables
		peer("scikit-learn", "sklearn", "")
	}
	return sides
}
