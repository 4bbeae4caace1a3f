//go:build linux

// Command ranks measures how training on several ranks of MPI scales:
//
//	go build -tags mpi -o ranks ./bench/ranks
//	./ranks [-sizes 1,2] [-leaves 31,255] [-rounds 3] [-trees 20] [-rows 1000000]
//		[-metrics 10] [-lightgbm PROGRAM] [-xgboost FOLDER]
//
// Each side is mpirun with so many processes of one thread, which train gbm on the table higgs of
// tools/bench/tables. They make it in memory, so reading is left out. LightGBM's command trains
// with tree_learner=data on as many processes, which it connects by sockets, on a CSV file of the
// same table. XGBoost's Python package trains on as many processes, each of which has its part of
// the rows in memory, and which its own tracker connects. None evaluates metrics, unless -metrics
// makes ours do so.
//
// The sides take turns. Reported are medians: seconds for each tree, seconds of binning, the peak
// of memory of rank 0, and of ours the processor time of the busiest rank outside of messages, the
// bytes that a rank sends for each tree, its messages, and the time that the ranks spend in them,
// waiting for each other included. It runs on Linux.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

func main() {
	var t training
	sizes := flag.String("sizes", "1,2", "numbers of processes")
	leaves := flag.String("leaves", "31,255", "leaves of a tree")
	rounds := flag.Int("rounds", 3, "times that each side runs")
	flag.IntVar(&t.Trees, "trees", 20, "trees")
	flag.IntVar(&t.Every, "metrics", 0,
		"trees of ours after which metrics of the training set are evaluated; 0 = never")
	flag.IntVar(&t.Rows, "rows", 1_000_000, "rows of the table")
	var p programs
	flag.StringVar(&p.lightgbm, "lightgbm", "", "the program of LightGBM; empty = leave it out")
	flag.StringVar(&p.xgboost, "xgboost", "",
		"folder of XGBoost's Python package; empty = leave it out")
	child := flag.String("child", "", "train as a rank (what this program runs itself with)")
	flag.StringVar(&t.Profile, "profile", "", "file for a CPU profile of rank 0")
	flag.Parse()
	err := error(nil)
	if *child != "" {
		err = asRank(*child)
	} else {
		err = compare(t, numbers(*sizes), numbers(*leaves), *rounds, p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ranks:", err)
		os.Exit(1)
	}
}

// numbers reads a list of numbers; what is none is 0, which no side accepts.
func numbers(list string) []int {
	var all []int
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			n = 0
		}
		all = append(all, n)
	}
	return all
}

// training is what one side trains.
type training struct {
	Rows, Trees, Leaves, Every int
	Profile                    string
}

// result is what a side reports.
type result struct {
	Tree, Binning float64 // seconds of a tree, of binning
	// the same of the rank with the most processor time, without messages and waiting in them
	TreeWork, BinningWork float64
	Sent                  float64 // bytes that rank 0 sends for each tree
	Messages              float64 // operations for each tree
	Memory                float64 // MB, the peak of rank 0
	Least, Most           float64 // seconds in messages for each tree, of the ranks with least and most
	Sum, Gather           float64 // seconds of a message; see messages
	Model                 string  // hash
}

// side is a program with so many processes.
type side struct {
	name    string
	size    int
	run     func() (result, error)
	results []result
}

// programs is those of others.
type programs struct{ lightgbm, xgboost string }

// peer is another program that trains with so many processes.
type peer interface {
	begin(rows int) error
	train(size int, t training) (result, error)
}

// all returns the peers that there are, which keep files in a folder.
func (p *programs) all(folder string) (names []string, peers []peer) {
	if p.lightgbm != "" {
		names, peers = append(names, "LightGBM"), append(peers, &lightGBM{p.lightgbm, folder})
	}
	if p.xgboost != "" {
		names, peers = append(names, "XGBoost"), append(peers, &xgBoost{p.xgboost, folder})
	}
	return names, peers
}

func compare(t training, sizes, leaves []int, rounds int, p programs) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "ranks")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	names, peers := p.all(folder)
	for _, of := range peers {
		if err := of.begin(t.Rows); err != nil {
			return err
		}
	}
	for _, n := range leaves {
		t.Leaves = n
		var sides []*side
		for _, size := range sizes {
			of := t
			sides = append(sides, &side{name: "Coppice", size: size,
				run: func() (result, error) { return ours(own, size, of) }})
			for i, other := range peers {
				sides = append(sides, &side{name: names[i], size: size,
					run: func() (result, error) { return other.train(size, of) }})
			}
		}
		if err := alternate(sides, rounds); err != nil {
			return err
		}
		print(sides, n)
	}
	return nil
}

func alternate(sides []*side, rounds int) error {
	for range rounds {
		for _, s := range sides {
			r, err := s.run()
			if err != nil {
				return fmt.Errorf("%s, %d processes: %w", s.name, s.size, err)
			}
			s.results = append(s.results, r)
		}
	}
	return nil
}

// ours runs this program as ranks.
func ours(own string, size int, t training) (r result, err error) {
	text, err := json.Marshal(t)
	if err != nil {
		return r, err
	}
	out, err := output("mpirun", "-q", "--oversubscribe", "-n", strconv.Itoa(size), own, "-child",
		string(text))
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(out, &r)
}

// output runs a program, and returns what it prints, with the errors that it prints in the error.
func output(name string, arguments ...string) ([]byte, error) {
	c := exec.Command(name, arguments...)
	var faults bytes.Buffer
	c.Stderr = &faults
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s%s", name, err, out, faults.String())
	}
	return out, err
}

// print prints the medians of all sides. Times are compared with the fewest processes of the same
// program.
func print(sides []*side, leaves int) {
	fmt.Printf("%d leaves\n", leaves)
	fmt.Println("program    processes  s/tree  times as fast  binning s  CPU/tree  times less  CPU of binning  times less  bytes/tree  messages  ms in messages  us/sum  us/gather  MB of rank 0  model")
	for _, s := range sides {
		first := sides[slices.IndexFunc(sides, func(o *side) bool { return o.name == s.name })]
		tree := func(r result) float64 { return r.Tree }
		work := func(r result) float64 { return r.TreeWork }
		binning := func(r result) float64 { return r.BinningWork }
		fmt.Printf("%-10s %9d  %6.4f  %13.2f  %9.2f  %8.4f  %10.2f  %14.2f  %10.2f  %10.0f  %8.0f  %6.1f to %4.1f  %6.1f  %9.1f  %12.0f  %s\n", s.name, s.size,
			s.median(tree), first.median(tree)/s.median(tree),
			s.median(func(r result) float64 { return r.Binning }),
			s.median(work), first.median(work)/s.median(work), s.median(binning),
			first.median(binning)/s.median(binning),
			s.median(func(r result) float64 { return r.Sent }),
			s.median(func(r result) float64 { return r.Messages }),
			s.median(func(r result) float64 { return 1e3 * r.Least }),
			s.median(func(r result) float64 { return 1e3 * r.Most }),
			s.median(func(r result) float64 { return 1e6 * r.Sum }),
			s.median(func(r result) float64 { return 1e6 * r.Gather }),
			s.median(func(r result) float64 { return r.Memory }), s.results[0].Model)
	}
}

// median returns the median of a figure.
func (s *side) median(of func(r result) float64) float64 {
	var all []float64
	for _, r := range s.results {
		all = append(all, of(r))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
