//go:build linux

// Command ranks measures how training on several ranks of MPI scales:
//
//	go build -tags mpi -o ranks ./bench/ranks
//	./ranks [-sizes 1,2] [-leaves 31,255] [-rounds 3] [-trees 20] [-rows 1000000]
//		[-lightgbm PROGRAM]
//
// Each side is mpirun with so many processes of one thread, which train gbm on the table higgs of
// tools/bench/tables. They make it in memory, so reading is left out. LightGBM's command trains
// with tree_learner=data on as many processes, which it connects by sockets, on a CSV file of the
// same table. The sides take turns. Reported are medians: seconds for each tree, seconds of
// binning, and of ours the bytes that a rank sends for each tree, its messages and its peak of
// memory. It runs on Linux.
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
	flag.IntVar(&t.Rows, "rows", 1_000_000, "rows of the table")
	lightgbm := flag.String("lightgbm", "", "the program of LightGBM; empty = leave it out")
	child := flag.String("child", "", "train as a rank (what this program runs itself with)")
	flag.StringVar(&t.Profile, "profile", "", "file for a CPU profile of rank 0")
	flag.Parse()
	err := error(nil)
	if *child != "" {
		err = asRank(*child)
	} else {
		err = compare(t, numbers(*sizes), numbers(*leaves), *rounds, *lightgbm)
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
	Rows, Trees, Leaves int
	Profile             string
}

// result is what a side reports.
type result struct {
	Tree, Binning float64 // seconds of a tree, of binning
	Sent          float64 // bytes that rank 0 sends for each tree
	Messages      float64 // operations for each tree
	Memory        float64 // MB, the peak of rank 0
	Sum, Gather   float64 // seconds of a message; see messages
	Model         string  // hash
}

// side is a program with so many processes.
type side struct {
	name    string
	size    int
	run     func() (result, error)
	results []result
}

func compare(t training, sizes, leaves []int, rounds int, lightgbm string) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	peer := &peer{program: lightgbm}
	if lightgbm != "" {
		if err := peer.begin(t.Rows); err != nil {
			return err
		}
		defer peer.end()
	}
	for _, n := range leaves {
		t.Leaves = n
		var sides []*side
		for _, size := range sizes {
			of := t
			sides = append(sides, &side{name: "coppice", size: size,
				run: func() (result, error) { return ours(own, size, of) }})
			if lightgbm != "" {
				sides = append(sides, &side{name: "LightGBM", size: size,
					run: func() (result, error) { return peer.train(size, of) }})
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
	fmt.Println("program    processes  s/tree  times as fast  binning s  bytes/tree  messages  us/sum  us/gather  MB of rank 0  model")
	for _, s := range sides {
		first := sides[slices.IndexFunc(sides, func(o *side) bool { return o.name == s.name })]
		tree := func(r result) float64 { return r.Tree }
		fmt.Printf("%-10s %9d  %6.4f  %13.2f  %9.2f  %10.0f  %8.0f  %6.1f  %9.1f  %12.0f  %s\n", s.name, s.size,
			s.median(tree), first.median(tree)/s.median(tree),
			s.median(func(r result) float64 { return r.Binning }),
			s.median(func(r result) float64 { return r.Sent }),
			s.median(func(r result) float64 { return r.Messages }),
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
