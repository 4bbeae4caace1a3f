//go:build linux

// Package ranks is the case of how training on several ranks of MPI scales.
package ranks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// Case wants a build with MPI:
//
//	go build -C tools -tags mpi -o bench ./bench
//
// Each side of ours is mpirun with so many processes of one thread, which train gbm on the table
// higgs. They make it in memory, so reading is left out. LightGBM's command trains with
// tree_learner=data on as many processes, which it connects by sockets, on a CSV file of the same
// table. XGBoost's Python package trains on as many processes, each of which has its part of the
// rows in memory, and which its own tracker connects. None evaluates metrics, unless -metrics makes
// ours do so. Disturbed rounds count.
//
// Reported are seconds for each tree, seconds of binning, the peak of memory of rank 0, and of ours
// the processor time of the busiest rank outside of messages, the bytes that a rank sends for each
// tree, its messages, and the time that the ranks spend in them, waiting for each other included.
var Case = pairs.Case{Name: "ranks", About: "training on several ranks of MPI beside LightGBM and " +
	"XGBoost", Example: "-sizes 1,2 -lightgbm-command PROGRAM -xgboost FOLDER",
	Takes: "rounds rows trees lightgbm-command xgboost python profile",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rows, r.Trees, r.Python = 1_000_000, 20, "python3"
		sizes, leaves := []int{1, 2}, []int{31, 255}
		r.Func("sizes", "comma-separated `numbers` of processes (default 1,2)",
			func(text string) (err error) { sizes, err = pairs.Numbers(text); return err })
		r.Func("leaves", "comma-separated `numbers` of leaves of a tree (default 31,255)",
			func(text string) (err error) { leaves, err = pairs.Numbers(text); return err })
		every := r.Int("metrics", 0,
			"trees of ours after which metrics of the training set are evaluated; 0 = never")
		r.Job("rank", 1, func(a []string) (*pairs.Result, error) { return nil, asRank(a[0], r.Profile) })
		r.Job("lightgbm", 3, lightGBM)
		r.Job("xgboost", 4, xgBoost)
		return func(ctx context.Context) error {
			return compare(ctx, r, training{Rows: r.Rows, Trees: r.Trees, Every: *every}, sizes, leaves)
		}
	}}

// training is what one side trains.
type training struct {
	Rows, Trees, Leaves, Every int
	Size                       int // processes
}

// text is a training as an argument.
func (t training) text() string {
	b, _ := json.Marshal(t) // numbers always have a text
	return string(b)
}

func compare(ctx context.Context, r *pairs.Run, t training, sizes, leaves []int) error {
	r.Busy = true
	if err := writeTables(r, t.Rows); err != nil {
		return err
	}
	for _, t.Leaves = range leaves {
		var sides []pairs.Side
		for _, t.Size = range sizes {
			ours := r.Own(fmt.Sprint("Coppice, ", t.Size), "rank", t.text())
			ours.Command = append([]string{"mpirun", "-q", "--oversubscribe", "-n",
				strconv.Itoa(t.Size)}, ours.Command...)
			sides = append(sides, ours)
		}
		programs := [][]pairs.Side{sides}
		for _, peer := range []struct{ name, job, program string }{
			{"LightGBM", "lightgbm", r.LightGBMCommand}, {"XGBoost", "xgboost", r.XGBoost}} {
			if peer.program == "" {
				continue
			}
			var own []pairs.Side
			for _, t.Size = range sizes {
				own = append(own, r.Own(fmt.Sprint(peer.name, ", ", t.Size), peer.job, t.text(),
					peer.program, r.Scratch, r.Python))
			}
			sides, programs = append(sides, own...), append(programs, own)
		}
		_, results, err := r.Alternate(ctx, sides, 0)
		if err != nil {
			return err
		}
		fmt.Printf("\n### %d leaves, by processes\n", t.Leaves)
		for i := range programs {
			fmt.Println()
			print(programs[i], results[:len(programs[i])])
			results = results[len(programs[i]):]
		}
	}
	return nil
}

// print prints the sides of a program. Times are compared with its fewest processes.
func print(sides []pairs.Side, results [][]pairs.Result) {
	times := func(title, name string) pairs.Column {
		return pairs.Column{Title: title, Text: func(own, first []pairs.Result) string {
			of := pairs.FactOf(name)
			return fmt.Sprintf("%.2f", pairs.Median(first, of)/pairs.Median(own, of))
		}}
	}
	pairs.PrintTable(sides, results, pairs.Figure("s a tree", "%.4f", pairs.Wall),
		pairs.Column{Title: "times as fast", Text: func(own, first []pairs.Result) string {
			return fmt.Sprintf("%.2f", pairs.Median(first, pairs.Wall)/pairs.Median(own, pairs.Wall))
		}},
		pairs.Fact("binning s", "binning", "%.2f"), pairs.Fact("CPU a tree", "tree work", "%.4f"),
		times("times less", "tree work"), pairs.Fact("CPU of binning", "binning work", "%.2f"),
		times("times less", "binning work"), pairs.Fact("bytes a tree", "sent", "%.0f"),
		pairs.Fact("messages", "messages", "%.0f"), pairs.Fact("ms in messages, least", "least", "%.1f"),
		pairs.Fact("most", "most", "%.1f"), pairs.Fact("us a sum", "sum", "%.1f"),
		pairs.Fact("us a gather", "gather", "%.1f"), pairs.Fact("MB of rank 0", "memory", "%.0f"),
		pairs.Column{Title: "model", Text: func(own, _ []pairs.Result) string { return own[0].Output }})
}

// The peers' files of the table: with a header, and of float32, the label first.
func csvFile(folder string) string    { return filepath.Join(folder, "higgs.csv") }
func binaryFile(folder string) string { return filepath.Join(folder, "higgs.f32") }

// writeTables writes the files of the peers that there are.
func writeTables(r *pairs.Run, rows int) error {
	t := recipe.ByName("higgs")
	if r.LightGBMCommand != "" {
		f, err := os.Create(csvFile(r.Scratch))
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(f, 1<<20)
		_, err = t.WriteCSV(out, 0, rows)
		if err := errors.Join(err, out.Flush(), f.Close()); err != nil {
			return err
		}
	}
	if r.XGBoost == "" {
		return nil
	}
	x, y := t.Matrix(0, rows)
	all := make([]float32, 0, len(x)+len(y))
	for i, label := range y {
		all = append(append(all, label), x[i*t.Features:(i+1)*t.Features]...)
	}
	return exchange.WriteNumbers(binaryFile(r.Scratch), all)
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
