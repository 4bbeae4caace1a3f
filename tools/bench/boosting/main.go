//go:build linux

// Command boosting compares gradient boosting with that of XGBoost, LightGBM and scikit-learn: the
// time of binning, the time of boosting, memory, and the loss on rows that were not trained on:
//
//	go run ./bench/boosting [-rounds N] [-threads 2,1] [-samples N] [-quick] [-python PROGRAM]
//		[-lightgbm FOLDER] [-xgboost FOLDER] [CASE ...]
//	go run ./bench/boosting -coppice PROGRAM -lightgbm-command PROGRAM libsvm
//
// The cases are those of training (higgs, higgs31, mslr, airline, ranking, classes, sparse, tall,
// small), growth, which changes rows, columns, leaves and bins one by one, and libsvm, which runs
// the command and LightGBM's from a sparse file to a model; without one all of training are run.
// All sides grow the same number of leaf-wise trees of as many leaves with the same learning rate,
// bins and penalties. LightGBM takes part with quantized gradients too. Tables are handed to all
// sides as the same binary files and are read outside the clock: ours column by column, in single
// precision where that holds the values, those of others in single precision, row by row. The sides
// take turns; rounds that something else disturbed are dropped for all.
//
// scikit-learn and XGBoost are those that Python finds by itself. The folders hold modules of
// others to compare with, as PYTHONPATH would. Without one there is no LightGBM unless Python finds
// it, and one XGBoost.
//
// With -samples only the loss is compared, over samples of the rows, since one table is little
// evidence.
//
// A report in Markdown goes to the standard output, a line for each round to the standard error. It
// runs on Linux.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

//go:embed peers.py
var peersPython string

func main() {
	b := &bench{}
	flag.IntVar(&b.rounds, "rounds", 3, "undisturbed rounds of each case")
	threads := flag.String("threads", "2,1", "numbers of threads")
	quick := flag.Bool("quick", false, "small tables and few trees, one round, disturbed or not: "+
		"shows that everything works")
	flag.BoolVar(&b.busy, "busy", false, "keep disturbed rounds")
	flag.BoolVar(&b.cpu, "cpu", false, "compare by the time of processors, for a busy machine "+
		"and one thread: time that threads wait is not visible")
	flag.IntVar(&b.rows, "rows", 0, "use the first rows of each table only; 0 = all")
	flag.IntVar(&b.trees, "trees", 0, "grow that many trees; 0 = the case's own number")
	flag.IntVar(&b.samples, "samples", 0, "compare the metric alone, sample by sample, over that "+
		"many samples of the rows of each case of training; 0 = time, on one")
	flag.StringVar(&b.python, "python", "/usr/bin/python3",
		"Python that has scikit-learn and XGBoost; empty = none")
	flag.StringVar(&b.lightgbm, "lightgbm", "",
		"folder that has the Python module lightgbm; - = none, empty = where Python finds it")
	flag.StringVar(&b.xgboost, "xgboost", "",
		"folder that has another version of the Python module xgboost; empty = none")
	flag.StringVar(&b.dir, "dir", "", "folder for tables, kept and used again; empty = one that "+
		"is removed at the end")
	flag.StringVar(&b.plots, "plots", "",
		"folder that growth draws its curves into; empty = none are drawn")
	flag.StringVar(&b.sides, "sides", "",
		"comma-separated beginnings of the sides' names to run; empty = all. Ours always runs")
	flag.StringVar(&b.earlier, "earlier", "",
		"an earlier build of this program, whose own side is compared too; empty = none")
	flag.StringVar(&b.coppice, "coppice", "", "the command coppice, for libsvm")
	flag.StringVar(&b.command, "lightgbm-command", "", "the command of LightGBM, for libsvm")
	child := flag.String("child", "", "do this job and report (what this program runs itself with)")
	flag.StringVar(&b.profile, "profile", "",
		"file for a CPU profile of our boosting (of the last round)")
	flag.Parse()
	var err error
	if *child != "" {
		err = job(*child, b.profile, flag.Args())
	} else {
		if *quick {
			b.rounds, b.busy, b.rows, b.trees = 1, true, 5000, 10
		}
		err = b.run(*threads, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "boosting:", err)
		os.Exit(1)
	}
}

// bench is a run of this program.
type bench struct {
	rounds, rows, trees       int
	samples                   int
	busy, cpu                 bool
	python, lightgbm, xgboost string
	dir, own, sides, profile  string
	earlier                   string
	coppice, command          string // the two commands of libsvm
	programs, plots           string // folders of the peers' programs, and for pictures
	threads                   []int
}

func (b *bench) run(threads string, only []string) (err error) {
	if b.threads, err = pairs.ParseThreads(threads); err != nil {
		return err
	}
	if b.programs, err = os.MkdirTemp("", "coppice-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.programs)
	if b.dir == "" {
		b.dir = b.programs
	} else if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	if b.own, err = os.Executable(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(b.programs, "peers.py"),
		[]byte(exchange.Python+peersPython), 0o644); err != nil {
		return err
	}
	if len(only) == 0 {
		for _, t := range trainings() {
			only = append(only, t.name)
		}
	}
	ctx := context.Background()
	train := b.train
	if b.samples > 0 {
		train = b.compareSamples
	}
	for _, name := range only {
		if name == "growth" {
			err = b.growth(ctx)
		} else if name == "libsvm" {
			err = b.libsvm(ctx)
		} else if i := slices.IndexFunc(trainings(),
			func(t training) bool { return t.name == name }); i >= 0 {
			err = train(ctx, trainings()[i])
		} else {
			err = errors.New("no such case")
		}
		if err != nil {
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
	rate                float64
	nominal             bool // the table has columns of categories
	query               int  // so many rows, one after the other, are ranked together; 0 = none
	sparse              bool // the table is mostly zero: sides get what is stored of it
}

func (t *task) arguments() []string {
	return []string{t.train, t.test, fmt.Sprint(t.trees), fmt.Sprint(t.leaves), fmt.Sprint(t.bins),
		fmt.Sprint(t.rate), fmt.Sprint(t.threads),
		fmt.Sprint(t.query), fmt.Sprint(t.sparse)}
}

// all returns the sides that are requested; the first is ours.
func (b *bench) all(t *task) []pairs.Side {
	own := func(name string, settings ...string) pairs.Side {
		command := append([]string{b.own, "-profile", b.profile, "-child", "fit"}, t.arguments()...)
		return pairs.Side{Name: name, Command: append(command, settings...)}
	}
	sides := []pairs.Side{own("coppice")}
	if t.nominal {
		// What categories are for all others comes first; ours alone also has target statistics.
		sides = []pairs.Side{own("coppice, sets of categories", "categories=native"),
			own("coppice, target statistics", "categories=target")}
	}
	peer := func(name, module, folder string, settings ...string) {
		begins := func(s string) bool { return strings.HasPrefix(name, s) }
		if b.python == "" || b.sides != "" &&
			!slices.ContainsFunc(strings.Split(b.sides, ","), begins) {
			return
		}
		command := append([]string{b.python, filepath.Join(b.programs, "peers.py"), module, folder},
			t.arguments()...)
		sides = append(sides, pairs.Side{Name: name, Command: append(command, settings...)})
	}
	if b.lightgbm != "-" {
		peer("LightGBM", "lightgbm", b.lightgbm)
		peer("LightGBM, quantized", "lightgbm", b.lightgbm, "use_quantized_grad=true")
	}
	if b.xgboost != "" {
		peer("XGBoost", "xgboost", b.xgboost)
	}
	peer("system XGBoost", "xgboost", "")
	if t.query == 0 && !t.sparse { // it does not rank, nor read sparse tables
		peer("scikit-learn", "sklearn", "")
	}
	return pairs.WithEarlier(sides, b.own, b.earlier)
}

// match compares the sides.
func (b *bench) match(
	ctx context.Context, sides []pairs.Side, threads int,
) ([][]pairs.Result, error) {
	return pairs.Match{Rounds: b.rounds, Threads: threads, Busy: b.busy}.Alternate(ctx, sides)
}
