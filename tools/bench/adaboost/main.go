//go:build linux

// Command adaboost compares AdaBoost over stumps with scikit-learn's, and measures AdaBoost over
// C4.5 trees on letters:
//
//	go run ./bench/adaboost [-rounds N] [-threads 2] [-quick] [-busy] [-python PROGRAM]
//		[-data FOLDER] [CASE ...]
//
// The case stumps has 100 rounds on a higgs-like table of 100,000 x 28, SAMME on both sides. The
// case letter has 1000 rounds over C4.5 trees on 16,000 x 16, 26 classes; scikit-learn has no
// counterpart. Without a case both are run. The sides run by turns, each in a process of its own;
// tables are read outside the clock. A report in Markdown goes to the standard output, a line for
// each round to the standard error. It runs on Linux.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/garbage"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

//go:embed peers.py
var peersPython string

// bench is a run of this program.
type bench struct {
	rounds, threads, rows, boosts  int
	busy                           bool
	python, data, dir, own, script string
	earlier                        string
}

func main() {
	b := &bench{}
	flag.IntVar(&b.rounds, "rounds", 3, "undisturbed rounds of each case")
	flag.IntVar(&b.threads, "threads", 2, "number of threads")
	quick := flag.Bool("quick", false, "small tables, few rounds of boosting, disturbed or not: "+
		"shows that everything works")
	flag.BoolVar(&b.busy, "busy", false, "keep disturbed rounds")
	flag.StringVar(&b.python, "python", "/usr/bin/python3",
		"Python that has scikit-learn; empty = none")
	flag.StringVar(&b.data, "data", "../testdata", "folder of letter")
	flag.StringVar(&b.earlier, "earlier", "",
		"an earlier build of this program, whose own side is compared too; empty = none")
	child := flag.Bool("child", false, "boost and report (what this program runs itself with)")
	flag.Parse()
	var err error
	if *child {
		err = boost(flag.Args())
	} else {
		if *quick {
			b.rounds, b.busy, b.rows, b.boosts = 1, true, 2000, 10
		}
		err = b.run(flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "adaboost:", err)
		os.Exit(1)
	}
}

// run runs the cases that are requested.
func (b *bench) run(only []string) (err error) {
	if b.dir, err = os.MkdirTemp("", "coppice-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.own, err = os.Executable(); err != nil {
		return err
	}
	b.script = filepath.Join(b.dir, "peers.py")
	if err := os.WriteFile(b.script, []byte(exchange.Python+peersPython), 0o644); err != nil {
		return err
	}
	for _, c := range []struct {
		name, about string
		table       func() (*traintest.Table, error)
		boosts      int
		peer        bool
		settings    []string
	}{
		{"stumps", "higgs-like, 100,000 x 28", higgs, 100, true,
			[]string{"variant=samme", "base=cart"}},
		{"letter", "letters, 16,000 x 16, 26 classes, over C4.5 trees", b.letters, 1000, false,
			[]string{"variant=discrete", "base=c45"}},
	} {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		boosts := c.boosts
		if b.boosts > 0 {
			boosts = b.boosts
		}
		p, err := c.table()
		if err != nil {
			return err
		}
		p.Limit(b.rows)
		name := filepath.Join(b.dir, c.name)
		if err := p.Write(name); err != nil {
			return err
		}
		arguments := []string{name + "-train", name + "-test", fmt.Sprint(boosts),
			fmt.Sprint(b.threads)}
		sides := []pairs.Side{{Name: "coppice",
			Command: slices.Concat([]string{b.own, "-child"}, arguments, c.settings)}}
		if c.peer && b.python != "" {
			sides = append(sides, pairs.Side{Name: "scikit-learn",
				Command: slices.Concat([]string{b.python, b.script}, arguments)})
		}
		sides = pairs.WithEarlier(sides, b.own, b.earlier)
		results, err := pairs.Match{Rounds: b.rounds, Threads: b.threads,
			Busy: b.busy}.Alternate(context.Background(), sides)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Printf("\n### %s: %s; %d rounds of boosting, %d rows, threads: %d\n\n", c.name, c.about,
			boosts, len(p.Train), b.threads)
		report(sides, results)
	}
	return nil
}

func higgs() (*traintest.Table, error) { return traintest.Higgs(100_000, 20_000) }

func (b *bench) letters() (*traintest.Table, error) { return traintest.Letters(b.data) }

// report prints medians of all sides.
func report(sides []pairs.Side, results [][]pairs.Result) {
	fmt.Print("| side | seconds | times ours (range) | rounds | training error | test error | " +
		"peak MB |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for i, s := range sides {
		fact := func(name string) float64 {
			return pairs.Median(results[i], func(r pairs.Result) float64 { return r.Facts[name] })
		}
		median, low, high := pairs.Ratio(results[i], results[0])
		fmt.Printf("| %s | %.3f | %.2f (%.2f-%.2f) | %.0f | %.4f | %.4f | %.0f |\n", s.Name,
			pairs.Median(results[i], func(r pairs.Result) float64 { return r.Seconds }),
			median, low, high,
			fact("rounds"), fact("training"), fact("error"), fact("peak"))
	}
	var versions []string
	for i := range sides {
		versions = append(versions, results[i][0].Version)
	}
	fmt.Printf("\nMedians of %d rounds. %s. %s.\n", len(results[0]), strings.Join(versions, "; "),
		processor())
}

// processor names the processor.
func processor() string {
	b, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(b)) {
		if name, found := strings.CutPrefix(line, "model name"); found {
			return strings.TrimLeft(strings.TrimSpace(name), ": \t")
		}
	}
	return "processor unknown"
}

// boost does one fit: TRAIN TEST ROUNDS THREADS SETTING...
func boost(a []string) error {
	if len(a) < 4 {
		return fmt.Errorf("%d arguments", len(a))
	}
	garbage.Tune() // as the command does, whose speed and memory are to be measured
	ds, err := exchange.Read(a[0])
	if err != nil {
		return err
	}
	workers, err := strconv.Atoi(a[3])
	if err != nil {
		return err
	}
	l, err := catalog.New("adaboost")
	if err != nil {
		return err
	}
	if err := l.Params().Set(append([]string{"rounds=" + a[2]}, a[4:]...)); err != nil {
		return err
	}
	start := time.Now()
	m, err := coppice.Train(context.Background(), l, ds, coppice.Seed(1), coppice.Workers(workers))
	if err != nil {
		return err
	}
	r := &pairs.Result{Version: pairs.Version(), Seconds: time.Since(start).Seconds(),
		Facts: map[string]float64{"peak": pairs.Memory("VmHWM")}}
	var found adaboost.Summary
	if err := json.Unmarshal(m.Spec().Summary, &found); err != nil {
		return err
	}
	r.Facts["rounds"] = float64(found.Rounds)
	test, err := exchange.Read(a[1])
	if err != nil {
		return err
	}
	for name, of := range map[string]*data.Dataset{"training": ds, "error": test} {
		if r.Facts[name], err = wrong(m, of); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// wrong returns the fraction of rows whose label is not predicted.
func wrong(m model.Model, ds *data.Dataset) (float64, error) {
	p, err := m.Bind(&ds.Schema, model.Options{Output: model.Label})
	if err != nil {
		return 0, err
	}
	labels := make([]float64, ds.Rows())
	if err := p.Predict(labels, ds.Frame, nil); err != nil {
		return 0, err
	}
	n := 0.0
	for i, label := range labels {
		if uint32(label) != ds.Target.Class[i] {
			n++
		}
	}
	return n / float64(len(labels)), nil
}
