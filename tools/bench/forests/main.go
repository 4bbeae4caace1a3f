//go:build linux

// Command forests compares random forests with those of ranger and scikit-learn: time and memory of
// training, speed of prediction, and what a stored forest costs in size, time and memory:
//
//	go run ./bench/forests [-rounds N] [-threads 2,1] [-quick] [-python PROGRAM] [-r PROGRAM]
//		[-data FOLDER] [CASE ...]
//
// The cases are those of training (higgs, million, adult, letter), predict, labeladult and store;
// without one all are run. Tables are handed to all sides as the same binary files and are read,
// coded and filled in outside the clock. Where others require a value, it is the column's median or
// most frequent category. A report in Markdown goes to the standard output, a line for each round
// to the standard error. It runs on Linux.
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

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

//go:embed peers.py
var peersPython string

//go:embed peers.R
var peersR string

func main() {
	b := &bench{}
	flag.IntVar(&b.rounds, "rounds", 3, "undisturbed rounds of each case")
	threads := flag.String("threads", "2,1", "numbers of threads")
	quick := flag.Bool("quick", false, "small tables and forests, one round, disturbed or not: "+
		"shows that everything works")
	flag.BoolVar(&b.busy, "busy", false, "keep disturbed rounds")
	flag.IntVar(&b.rows, "rows", 0, "use the first rows of each table only; 0 = all")
	flag.IntVar(&b.trees, "trees", 0, "grow that many trees; 0 = the case's own number")
	flag.StringVar(&b.python, "python", "/usr/bin/python3",
		"Python that has scikit-learn; empty = none")
	flag.StringVar(&b.r, "r", "Rscript", "R that has ranger; empty = none")
	flag.StringVar(&b.data, "data", "../testdata", "folder of adult and letter")
	flag.StringVar(&b.dir, "dir", "", "folder for tables and models, kept; empty = one that is "+
		"removed at the end")
	flag.StringVar(&b.sides, "sides", "",
		"comma-separated beginnings of the sides' names to run; empty = all. Ours always runs")
	flag.StringVar(&b.earlier, "earlier", "",
		"an earlier build of this program, whose own side is compared too; empty = none")
	child := flag.String("child", "", "do this job and report (what this program runs itself with)")
	flag.Parse()
	var err error
	if *child != "" {
		err = job(*child, flag.Args())
	} else {
		if *quick {
			b.rounds, b.busy, b.rows, b.trees = 1, true, 2000, 10
		}
		err = b.run(*threads, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "forests:", err)
		os.Exit(1)
	}
}

// bench is a run of this program.
type bench struct {
	rounds, rows, trees       int
	busy                      bool
	python, r, data, dir, own string
	sides, earlier            string
	threads                   []int
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
	for name, text := range map[string]string{"peers.py": exchange.Python + peersPython,
		"peers.R": exchange.R + peersR} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	ctx := context.Background()
	cases := b.cases()
	for _, name := range only {
		if !slices.ContainsFunc(cases, func(c one) bool { return c.name == name }) {
			return fmt.Errorf("there is no case %q: the cases are %s", name, names(cases))
		}
	}
	for _, c := range cases {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		if err := c.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// one is a case: its name and what it does.
type one struct {
	name string
	run  func(context.Context) error
}

// names lists what cases are called.
func names(cases []one) string {
	var all []string
	for _, c := range cases {
		all = append(all, c.name)
	}
	return strings.Join(all, ", ")
}

func (b *bench) cases() []one {
	var all []one
	for _, t := range b.trainings() {
		all = append(all, one{t.name, func(ctx context.Context) error { return b.train(ctx, &t) }})
	}
	for _, l := range b.labellings() {
		all = append(all,
			one{l.name, func(ctx context.Context) error { return b.predict(ctx, &l) }})
	}
	return append(all, one{"store", b.store})
}

// ours, sklearn and ranger are the sides that do a job; the variant is how categories are coded.
func (b *bench) ours(arguments ...string) pairs.Side {
	return pairs.Side{Name: "coppice", Command: append([]string{b.own, "-child", arguments[0]},
		arguments[1:]...)}
}

func (b *bench) sklearn(name string, arguments ...string) pairs.Side {
	return pairs.Side{Name: name,
		Command: append([]string{b.python, filepath.Join(b.dir, "peers.py")}, arguments...)}
}

func (b *bench) ranger(name string, arguments ...string) pairs.Side {
	return pairs.Side{Name: name, Command: append([]string{b.r, filepath.Join(b.dir, "peers.R")},
		arguments...)}
}

// chosen leaves out the sides that are not requested, and adds those of the earlier build.
func (b *bench) chosen(sides []pairs.Side) []pairs.Side {
	chosen := slices.DeleteFunc(sides, func(s pairs.Side) bool {
		if s.Command[0] == "" {
			return true
		}
		begins := func(name string) bool { return strings.HasPrefix(s.Name, name) }
		return b.sides != "" && s.Command[0] != b.own &&
			!slices.ContainsFunc(strings.Split(b.sides, ","), begins)
	})
	return pairs.WithEarlier(chosen, b.own, b.earlier)
}

// match compares the chosen sides.
func (b *bench) match(
	ctx context.Context, sides []pairs.Side, threads int,
) ([][]pairs.Result, error) {
	return pairs.Match{Rounds: b.rounds, Threads: threads, Busy: b.busy}.Alternate(ctx, sides)
}
