//go:build linux

// Command defaults compares coppice train with LightGBM's command, both with their defaults, on a
// table of 10,000 x 20: the time that a user waits for the model, and its log loss on a test file.
//
//	go run ./bench/defaults -coppice FILE -lightgbm FILE [-rounds N] [-threads 2,1]
//
// Both commands read the same rows from CSV files. Coppice trains on all of them, and chooses the
// number of rounds by cross-validation, once with the parameters as they are and once after a
// rehearsal of candidates for them. LightGBM stops early, after 50 rounds without improvement,
// by a validation set of every fifth row. The time is that of the whole process, from its start to
// the end of the model file. It runs on Linux.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

func main() {
	coppice := flag.String("coppice", "coppice", "Coppice's command")
	lightgbm := flag.String("lightgbm", "lightgbm", "LightGBM's command")
	rounds := flag.Int("rounds", 3, "rounds, in which each side runs once")
	threads := flag.String("threads", "2,1", "numbers of threads")
	busy := flag.Bool("busy", false, "keep disturbed rounds too")
	child := flag.String("child", "", "train with this side and report (what this program runs "+
		"itself with)")
	flag.Parse()
	var err error
	if *child != "" {
		err = report(*child, flag.Args())
	} else {
		err = compare(*coppice, *lightgbm, *threads, pairs.Match{Rounds: *rounds, Busy: *busy})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "defaults:", err)
		os.Exit(1)
	}
}

func compare(coppice, lightgbm, list string, match pairs.Match) error {
	threads, err := pairs.ParseThreads(list)
	if err != nil {
		return err
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "coppice-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := makeTables(dir); err != nil {
		return err
	}
	sides := []pairs.Side{
		{Name: "coppice train --set rehearse=false",
			Command: []string{own, "-child", "coppice", coppice, dir, "--set", "rehearse=false"}},
		{Name: "coppice train", Command: []string{own, "-child", "coppice", coppice, dir}},
		{Name: "LightGBM's command", Command: []string{own, "-child", "lightgbm", lightgbm, dir}},
	}
	for _, n := range threads {
		match.Threads = n
		results, err := match.Alternate(context.Background(), sides)
		if err != nil {
			return err
		}
		fmt.Printf("\n10,000 x 20 from CSV to a model file, threads: %d, medians of %d rounds\n", n,
			match.Rounds)
		pairs.Summarise(sides, results)
	}
	return nil
}

// makeTables writes all rows of the small table, those without every fifth, every fifth, and the
// test rows.
func makeTables(dir string) error {
	all := recipe.Tables()
	t := all[slices.IndexFunc(all, func(t recipe.Table) bool { return t.Name == "small" })]
	files := map[string][2]int{"all.csv": {0, t.Train}, "test.csv": {t.Train, t.Test}}
	for file, rows := range files {
		f, err := os.Create(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		_, err = t.WriteCSV(f, rows[0], rows[1])
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return holdOut(dir)
}
