//go:build linux

package boosting

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// cores prints what each number of threads takes on the higgs-like table with trees of 255 leaves:
// the time of boosting, how many times as fast that is as with the first number, and the peak.
func (b *bench) cores(ctx context.Context) error {
	t := trainings()[0]
	table := t.table.limited(b.Rows)
	_, boosting := b.figures()
	var first []float64
	lines := [][]string{{"threads", "side", "binning s", "boosting s", "times as fast", "peak MB"}}
	for _, threads := range b.Threads {
		sides, results, err := b.timed(ctx, &table, t.leaves, usualBins, threads)
		if err != nil {
			return err
		}
		for i := range sides {
			p := b.point(results[i])
			seconds := pairs.Median(results[i], boosting)
			if len(first) == i {
				first = append(first, seconds)
			}
			lines = append(lines, []string{fmt.Sprint(threads), sides[i].Name,
				fmt.Sprintf("%.3f", p.binning), fmt.Sprintf("%.3f", seconds),
				fmt.Sprintf("%.2f", first[i]/seconds),
				fmt.Sprintf("%.0f", pairs.Median(results[i], pairs.FactOf("peak")))})
		}
	}
	fmt.Printf("\n%s, %s: %s, %d rows.\n\n", pairs.Version(), pairs.Machine(), t.about, table.train)
	pairs.Markdown(lines[0], lines[1:])
	return nil
}
