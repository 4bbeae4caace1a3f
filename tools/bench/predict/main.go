//go:build linux

// Command predict compares the speed of prediction with that of XGBoost, LightGBM, ONNX Runtime,
// scikit-learn and github.com/dmitryikh/leaves:
//
//	go run ./bench/predict [-rounds N] [-threads 1,2] [-rows N] [-quick] [-dir FOLDER]
//		[-xgboost PATH] [-lightgbm PATH] [-onnxruntime PATH] [-python PROGRAM] [-purego FILE]
//		[CASE ...]
//
// The cases 100x31, 100x255, 500x31 and 500x255 are models of so many trees and leaves. They are
// trained here, leaf by leaf, on the table higgs. Each is written in the format of each program, so
// that all of them predict with the same trees. The case depth6 is a model that XGBoost trained.
// scikit-learn loads no models of others, and predicts with trees of its own.
//
// A program gets rows of float32 in one matrix, and what it converts them to is timed with the
// prediction. Its probabilities are compared with ours, and another one ends the benchmark. A
// program that is not found is left out. A report in Markdown goes to the standard output, a line
// for each round to the standard error. It runs on Linux.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

//go:embed peers.py
var peersPython string

func main() {
	b := &bench{}
	flag.IntVar(&b.rounds, "rounds", 3, "undisturbed rounds of each case")
	threads := flag.String("threads", "1,2", "numbers of threads")
	flag.IntVar(&b.rows, "rows", 1_000_000, "rows to predict at once")
	flag.DurationVar(&b.limit, "limit", 1500*time.Millisecond,
		"time for all rows at once; programs that need longer predict fewer rows")
	flag.DurationVar(&b.spend, "spend", 200*time.Millisecond,
		"time for single rows, and for each size of batches")
	flag.IntVar(&b.train, "train", 200_000, "rows to train the models on")
	quick := flag.Bool("quick", false, "few rows and trees, one round, disturbed or not: shows "+
		"that everything works")
	flag.BoolVar(&b.busy, "busy", false, "keep disturbed rounds")
	flag.StringVar(&b.xgboost, "xgboost", "", "libxgboost.so or the folder of its Python package")
	flag.StringVar(&b.lightgbm, "lightgbm", "",
		"lib_lightgbm.so or the folder of its Python package")
	flag.StringVar(&b.onnx, "onnxruntime", "",
		"libonnxruntime.so, or the folder of its package for Python or Node.js")
	flag.StringVar(&b.python, "python", "/usr/bin/python3",
		"Python that has NumPy and scikit-learn; empty = none")
	flag.StringVar(&b.purego, "purego", "",
		"a build of this program with -tags purego, which is compared too; empty = none")
	flag.StringVar(&b.dir, "dir", "", "folder for tables and models, kept and used again; empty = "+
		"one that is removed at the end")
	child := flag.String("child", "", "do this job and report (what this program runs itself with)")
	flag.Parse()
	var err error
	if *child != "" {
		err = job(*child, flag.Args())
	} else {
		if *quick {
			b.rounds, b.busy, b.rows, b.train, b.quick = 1, true, 20_000, 5000, true
			b.spend = 5 * time.Millisecond
		}
		err = b.run(*threads, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "predict:", err)
		os.Exit(1)
	}
}

// bench is a run of this program.
type bench struct {
	rounds, rows, train             int
	limit, spend                    time.Duration
	busy, quick                     bool
	xgboost, lightgbm, onnx, python string // "": left out
	purego, dir, script, own        string
	threads                         []int
}

func (b *bench) run(threads string, only []string) (err error) {
	if b.threads, err = pairs.ParseThreads(threads); err != nil {
		return err
	}
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp("", "coppice-bench"); err != nil {
			return err
		}
		defer os.RemoveAll(b.dir)
	}
	if b.own, err = os.Executable(); err != nil {
		return err
	}
	b.script = filepath.Join(b.dir, "peers.py")
	if err := os.WriteFile(b.script, []byte(peersPython), 0o644); err != nil {
		return err
	}
	b.find()
	ctx := context.Background()
	if err := b.table(); err != nil {
		return err
	}
	cases := b.cases()
	for _, name := range only {
		if !slices.ContainsFunc(cases, func(c one) bool { return c.name == name }) {
			return fmt.Errorf("there is no case %q", name)
		}
	}
	fmt.Printf("Processor: %s.\n", processor())
	for _, c := range cases {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		if err := b.compare(ctx, &c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// processor names the machine's processor.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, ":"); found &&
			strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
