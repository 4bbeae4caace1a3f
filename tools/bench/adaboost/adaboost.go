//go:build linux

// Package adaboost is the case of AdaBoost over stumps beside scikit-learn's, and over C4.5 trees
// on letters.
package adaboost

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

//go:embed peers.py
var peersPython string

// Case has two parts. stumps has 100 rounds on a higgs-like table of 100,000 x 28, SAMME on both
// sides. letter has 1000 rounds over C4.5 trees on 16,000 x 16, 26 classes; scikit-learn has no
// counterpart. Tables are read outside the clock.
var Case = pairs.Case{Name: "adaboost", About: "AdaBoost over stumps beside scikit-learn's, and over " +
	"C4.5 trees", Example: "stumps", Takes: "rounds threads quick busy python data earlier",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Threads = []int{2}
		r.Job("fit", 3, traintest.Fit)
		return func(ctx context.Context) error { return run(ctx, r) }
	}}

func run(ctx context.Context, r *pairs.Run) error {
	script, err := r.Write("peers.py", exchange.Python+peersPython)
	if err != nil {
		return err
	}
	chosen, err := r.Chosen("stumps", "letter")
	if err != nil {
		return err
	}
	for _, name := range chosen {
		about, boosts, settings := "higgs-like, 100,000 x 28", 100, []string{"variant=samme", "base=cart"}
		table := func() (*traintest.Table, error) { return traintest.Higgs(100_000, 20_000, r.Rows) }
		if name == "letter" {
			about, boosts = "letters, 16,000 x 16, 26 classes, over C4.5 trees", 1000
			settings = []string{"variant=discrete", "base=c45"}
			table = func() (*traintest.Table, error) { return traintest.Letters(r.Data) }
		}
		if r.Quick {
			boosts, r.Rows = 10, 2000
		}
		path := filepath.Join(r.Scratch, name)
		rows, err := traintest.Make(table, r.Rows, path)
		if err != nil {
			return err
		}
		for _, threads := range r.Threads {
			arguments := []string{path + "-train", path + "-test", fmt.Sprint(boosts), fmt.Sprint(threads)}
			sides := []pairs.Side{traintest.Side(r, path, threads, "adaboost",
				append(settings, fmt.Sprint("rounds=", boosts))...)}
			if name == "stumps" {
				sides = append(sides, r.Peer("scikit-learn", r.Python, script, arguments...))
			}
			sides, results, err := r.Alternate(ctx, sides, threads)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Printf("\n### %s: %s; %d rounds of boosting, %d rows, threads: %d\n\n", name, about,
				boosts, rows, threads)
			pairs.PrintTable(sides, results, pairs.Seconds(), pairs.TimesOurs(),
				pairs.Fact("rounds", "rounds", "%.0f"), pairs.Fact("training error", "training", "%.4f"),
				pairs.Fact("test error", "error", "%.4f"), pairs.Fact("peak MB", "peak", "%.0f"))
		}
	}
	return nil
}
