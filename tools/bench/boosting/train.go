//go:build linux

package boosting

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// training is a table and what all sides train on it.
type training struct {
	name, about   string
	table         made
	trees, leaves int
}

func trainings() []training {
	higgs := made{recipe: "higgs", train: 1_000_000, test: 200_000}
	return []training{
		{"higgs", "higgs-like, 1,000,000 x 28", higgs, 100, 255},
		{"higgs31", "higgs-like, 1,000,000 x 28", higgs, 100, 31},
		{"mslr", "mslr-like, 200,000 x 136, regression",
			made{recipe: "mslr", train: 200_000, test: 40_000}, 100, 255},
		{"airline", "airline-like, 1,000,000 x 8, six columns of categories",
			made{recipe: "airline", train: 1_000_000, test: 200_000}, 100, 255},
		// fewer test rows distinguish nothing
		{"ranking", "mslr-like, 200,000 x 50 in queries of 100",
			made{recipe: "mslr", train: 200_000, test: 100_000, columns: 50, query: 100}, 100, 31},
		{"classes", "ten classes, 500,000 x 20",
			made{recipe: "classes", train: 500_000, test: 100_000}, 20, 31},
		{"sparse", "100,000 x 1,000, zero at random in 92.5 % of the cells",
			made{recipe: "sparse", train: 100_000, test: 20_000, sparse: true}, 100, 31},
		{"tall", "higgs-like, 5,000,000 x 10",
			made{recipe: "higgs", train: 5_000_000, test: 200_000, columns: 10}, 20, 31},
		{"small", "10,000 x 20", made{recipe: "small", train: 10_000, test: 200_000},
			100, 31},
	}
}

// rate is the learning rate of all sides, and usualBins their greatest number of bins.
const (
	rate      = 0.1
	usualBins = 255
)

// train compares the sides on a table and prints a report for each number of threads.
func (b *bench) train(ctx context.Context, t training) error {
	table := t.table.limited(b.Rows)
	train, test, err := table.write(b.Dir)
	if err != nil {
		return err
	}
	for _, threads := range b.Threads {
		sides := b.all(b.task(&t, &table, train, test, threads))
		fmt.Printf("\n### %s: %s; %d trees of %d leaves, threads: %d\n\n", t.name, t.about,
			cmp.Or(b.Trees, t.trees), t.leaves, threads)
		if table.train != t.table.train {
			fmt.Printf("Only %d rows of it.\n\n", table.train)
		}
		sides, results, err := b.Alternate(ctx, sides, threads)
		if err != nil {
			return err
		}
		title, greater := table.metric()
		binning, boosting := b.figures()
		pairs.PrintTable(sides, results, seconds("binning", binning), times("binning", binning),
			seconds("boosting", boosting), times("boosting", boosting),
			pairs.Fact(title, "metric", "%.5f"), pairs.Fact("leaves a tree", "leaves", "%.0f"),
			pairs.Fact("with the table MB", "loaded", "%.0f"),
			pairs.Fact("peak MB", "peak", "%.0f"),
			pairs.Figure("peak beyond the table MB", "%.0f", beyondTable))
		if b.cpu {
			fmt.Println("\nSeconds are those of processors, not of the clock.")
		}
		b.verdict(sides, results, greater)
	}
	return nil
}

// figures are what sides are compared by.
func (b *bench) figures() (binning, boosting func(pairs.Result) float64) {
	if b.cpu {
		return pairs.FactOf("cpu of binning"), pairs.FactOf("cpu of boosting")
	}
	return pairs.FactOf("binning"), pairs.Wall
}

// task is what the sides do on a table of a training.
func (b *bench) task(t *training, table *made, train, test string, threads int) *task {
	return &task{train, test, cmp.Or(b.Trees, t.trees), t.leaves, usualBins, threads,
		table.recipe == "airline", table.query, table.sparse}
}

// seconds and times are columns of one of these figures. beyondTable is the memory beyond that of
// the table, which programs hold as numbers of different sizes.
func seconds(name string, of func(pairs.Result) float64) pairs.Column {
	return pairs.Figure(name+" s", "%.3f", of)
}

func times(name string, of func(pairs.Result) float64) pairs.Column {
	return pairs.Times(name+", times ours", of)
}

func beyondTable(r pairs.Result) float64 { return r.Facts["peak"] - r.Facts["loaded"] }

// verdict sets ours, the first side, against the best peer in each respect.
func (b *bench) verdict(sides []pairs.Side, results [][]pairs.Result, greater bool) {
	peers := 1
	for peers < len(sides) && strings.HasPrefix(sides[peers].Name, "coppice") {
		peers++
	}
	sides, results = slices.Concat(sides[:1], sides[peers:]),
		slices.Concat(results[:1], results[peers:])
	if len(sides) < 2 {
		return
	}
	cell := func(of func(pairs.Result) float64) string {
		best := 1
		for i := range sides[1:] {
			if pairs.Median(results[i+1], of) < pairs.Median(results[best], of) {
				best = i + 1
			}
		}
		median, low, high := pairs.Ratio(results[0], results[best], of)
		return fmt.Sprintf("%.2f (%.2f-%.2f) of %s's", median, low, high, sides[best].Name)
	}
	binning, boosting := b.figures()
	quality := pairs.FactOf("metric")
	best, ours := 1, pairs.Median(results[0], quality)
	for i := range sides[1:] {
		if a, b := pairs.Median(results[i+1], quality),
			pairs.Median(results[best], quality); a > b == greater && a != b {
			best = i + 1
		}
	}
	theirs := pairs.Median(results[best], quality)
	worse := 100 * (ours - theirs) / math.Abs(theirs)
	if greater {
		worse = -worse
	}
	fmt.Printf("\nOurs takes, of the fastest other's time, for binning %s, for boosting %s; on "+
		"test it is %+.3f %% worse than the best, %s's.\n",
		cell(binning), cell(boosting), worse, sides[best].Name)
}
