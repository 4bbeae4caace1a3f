//go:build linux

package boosting

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// compareSamples compares the metric of the sides over disjoint samples of a table's rows. Time is
// ignored, so that it may be run on a busy machine.
func (b *bench) compareSamples(ctx context.Context, t training) error {
	table, threads := t.table.limited(b.Rows), b.Threads[0]
	var names, versions []string
	var metrics [][]float64 // by side, by sample
	for d := range b.samples {
		table.first = d * (table.train + table.test)
		train, test, err := table.write(b.Dir)
		if err != nil {
			return err
		}
		sides := b.Others(b.all(b.task(&t, &table, train, test, threads)))
		if metrics == nil {
			metrics = make([][]float64, len(sides))
		}
		line := fmt.Sprintf("%s, sample %d:", t.name, d+1)
		for i, s := range sides {
			r, err := s.Run(ctx, threads)
			if err != nil {
				return err
			}
			if metrics[i] = append(metrics[i], r.Facts["metric"]); d == 0 {
				names = append(names, s.Name)
				if !slices.Contains(versions, r.Version) {
					versions = append(versions, r.Version)
				}
			}
			line += fmt.Sprintf(" %.5f", r.Facts["metric"])
		}
		fmt.Fprintln(os.Stderr, line)
		if b.Dir == b.Scratch { // they are not needed again
			if err := table.remove(b.Dir); err != nil {
				return err
			}
		}
	}
	fmt.Printf("\n### %s: %d samples of %d rows to train on and %d to test on; %d trees of "+
		"%d leaves\n\n", t.name, b.samples, table.train, table.test,
		cmp.Or(b.Trees, t.trees), t.leaves)
	title, greater := table.metric()
	printSamples(names, metrics, title, greater)
	fmt.Printf("\n%s.\n", strings.Join(versions, "; "))
	return nil
}

// printSamples prints the mean metric of each side, and by how much the first is worse than each
// other, sample by sample.
func printSamples(names []string, metrics [][]float64, title string, greater bool) {
	fmt.Printf("| side | %s, mean | ours is worse by %%, mean and 95 %% | of one sample, "+
		"standard deviation |\n|---|--:|--:|--:|\n", title)
	for i, name := range names {
		mean, _ := pairs.Moments(metrics[i])
		if i == 0 {
			fmt.Printf("| %s | %.5f | | |\n", name, mean)
			continue
		}
		worse := make([]float64, len(metrics[i]))
		for d, theirs := range metrics[i] {
			worse[d] = 100 * (metrics[0][d] - theirs) / math.Abs(theirs)
			if greater {
				worse[d] = -worse[d]
			}
		}
		by := pairs.IntervalOf(worse)
		_, sd := pairs.Moments(worse)
		fmt.Printf("| %s | %.5f | %+.3f ± %.3f | %.3f |\n", name, mean, by.Mean, by.Half, sd)
	}
}
