//go:build linux

package predict

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

// tolerance is the largest difference of a probability between programs with the same trees. Some
// of them add up in single precision.
const tolerance = 1e-4

// compare compares the programs on a case and prints a report for each number of threads.
func (b *bench) compare(ctx context.Context, c *one) error {
	if err := b.write(ctx, c); err != nil {
		return err
	}
	for _, threads := range b.Threads {
		sides, results, err := b.Alternate(ctx, b.sides(c, threads), threads)
		if err != nil {
			return err
		}
		if err := b.check(sides, results); err != nil {
			return err
		}
		fmt.Printf("\n### %s: %d %s; threads: %d\n\n", c.name, c.trees, c.about, threads)
		pairs.PrintTable(sides, results, pairs.Fact("rows", "rows", "%.0f"),
			pairs.Figure("all at once, rows/s", "%.0f",
				func(r pairs.Result) float64 { return 1e9 / r.Facts["all"] }),
			times("all"), pairs.Fact("of 1,024: ns a row", "of 1024", "%.0f"),
			pairs.Fact("of 64", "of 64", "%.0f"), pairs.Fact("of 8", "of 8", "%.0f"),
			pairs.Fact("one row, ns", "of 1", "%.0f"), times("of 1"),
			pairs.Fact("99th percentile", "p99", "%.0f"),
			pairs.Column{Title: "largest difference", Text: difference})
		fmt.Printf("\nRows/s of %s with columns in memory: %.0f; with data.FromMatrix for all "+
			"rows: %.0f.\n", sides[0].Name, 1e9/pairs.Median(results[0], pairs.FactOf("columns")),
			1e9/pairs.Median(results[0], pairs.FactOf("matrix")))
		if err := b.quality(sides); err != nil {
			return err
		}
	}
	return nil
}

// times is the median of the ratios of a time, round by round, with their range.
func times(name string) pairs.Column { return pairs.Times("times ours (range)", pairs.FactOf(name)) }

// difference is the largest difference from the first side's probabilities, where the trees are the
// same.
func difference(own, _ []pairs.Result) string {
	if d, ok := own[0].Facts["difference"]; ok {
		return fmt.Sprintf("%.1e", d)
	}
	return "other trees"
}

// check adds the largest difference from the first side's probabilities to the results, as a fact.
// It is an error if a side with the same trees predicts others, or any side others in batches.
func (b *bench) check(sides []pairs.Side, results [][]pairs.Result) error {
	first, err := exchange.ReadAll[float64](b.output(0))
	if err != nil {
		return err
	}
	for i, s := range sides {
		own, err := exchange.ReadAll[float64](b.output(i))
		if err != nil {
			return err
		}
		for k := range results[i] {
			if unlike := results[i][k].Facts["unlike"]; !(unlike <= tolerance) {
				return fmt.Errorf("%s: probabilities in batches differ by %g from those of all rows",
					s.Name, unlike)
			}
		}
		if s.Name == ownTrees {
			continue
		}
		d := largest(own, first)
		if !(d <= tolerance) {
			return fmt.Errorf("%s: probabilities differ from ours by %g", s.Name, d)
		}
		results[i][0].Facts["difference"] = d
	}
	return nil
}

// quality prints how good the model with other trees is, beside ours.
func (b *bench) quality(sides []pairs.Side) error {
	at := slices.IndexFunc(sides, func(s pairs.Side) bool { return s.Name == ownTrees })
	if at < 0 {
		return nil
	}
	own, err := exchange.ReadAll[float64](b.output(at))
	if err != nil {
		return err
	}
	first, err := exchange.ReadAll[float64](b.output(0))
	if err != nil {
		return err
	}
	n := min(len(own), len(first))
	labels := b.labels(n)
	theirs, err := traintest.AUC(own[:n], labels)
	if err != nil {
		return err
	}
	ours, err := traintest.AUC(first[:n], labels)
	if err == nil {
		fmt.Printf("\n%s has trees of its own. The area under its ROC curve is %.4f, ours %.4f, "+
			"on %d rows.\n", ownTrees, theirs, ours, n)
	}
	return err
}
