//go:build linux

package boosting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// sweep changes one quantity and leaves all else.
type sweep struct {
	name, about string
	values      []int
	run         func(value int) (table made, leaves, bins int)
}

// sweeps are on 28 higgs-like columns, except for that of columns, which are those of mslr over and
// over.
func sweeps() []sweep {
	higgs := func(rows int) made {
		return made{recipe: "higgs", train: rows, test: 2_000}
	}
	return []sweep{
		{"rows", "28 columns, 255 leaves, 255 bins",
			[]int{10_000, 30_000, 100_000, 300_000, 1_000_000, 4_000_000},
			func(v int) (made, int, int) { return higgs(v), 255, usualBins }},
		{"columns", "20,000 rows, 255 leaves, 255 bins", []int{10, 30, 100, 300, 1_000, 2_000},
			func(v int) (made, int, int) {
				return made{recipe: "mslr", train: 20_000, test: 2_000, columns: v}, 255, usualBins
			}},
		{"leaves", "200,000 rows, 28 columns, 255 bins", []int{4, 15, 63, 255, 1_023, 4_095},
			func(v int) (made, int, int) { return higgs(200_000), v, usualBins }},
		{"bins", "200,000 rows, 28 columns, 255 leaves", []int{15, 63, 255, 1_023, 4_095, 16_383},
			func(v int) (made, int, int) { return higgs(200_000), 255, v }},
	}
}

// point is what a side takes at one value of a sweep: seconds of binning, milliseconds of a tree,
// MB.
type point struct{ binning, tree, peak float64 }

// growth prints how the cost grows with each quantity, for the first number of threads, and samples
// it.
func (b *bench) growth(ctx context.Context) error {
	var charts []plot.Chart
	for _, s := range sweeps() {
		chart, err := b.sweep(ctx, &s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		charts = append(charts, chart)
	}
	if b.plots == "" {
		return nil
	}
	return drawGrowth(b.plots, charts, b.Threads[0])
}

// drawGrowth writes the pictures of the four sweeps to a folder.
func drawGrowth(folder string, charts []plot.Chart, threads int) error {
	for i, name := range []string{"growth-table.svg", "growth-trees.svg"} {
		fig := &plot.Figure{Title: "What a boosted tree costs", Charts: charts[2*i : 2*i+2],
			Subtitle: fmt.Sprintf("Threads: %d. Both axes are logarithmic: a straight line at 45 "+
				"degrees is cost in proportion.", threads)}
		f, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if err := errors.Join(fig.Write(f), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sweep prints a table of one sweep and returns its chart.
func (b *bench) sweep(ctx context.Context, s *sweep) (plot.Chart, error) {
	var values []int
	var names, versions []string
	var points [][]point // by value, by side
	for _, v := range s.values {
		if b.Rows > 0 && len(values) == quickValues {
			break
		}
		table, leaves, bins := s.run(v)
		if b.Rows > 0 {
			table.train = min(table.train, b.Rows*(len(values)+1)) // so that rows grow here too
		}
		sides, results, err := b.timed(ctx, &table, leaves, bins, b.Threads[0])
		if err != nil {
			return plot.Chart{}, err
		}
		var row []point
		names, versions = nil, nil
		for i := range sides {
			names, versions = append(names, sides[i].Name), append(versions, results[i][0].Version)
			row = append(row, b.point(results[i]))
		}
		if s.name == "rows" {
			v = table.train
		}
		values, points = append(values, v), append(points, row)
	}
	s.print(b, values, names, points)
	pairs.PrintNote(b.Rounds, versions)
	return s.chart(values, names, points), nil
}

// timed runs the sides on a table.
func (b *bench) timed(
	ctx context.Context, table *made, leaves, bins, threads int,
) ([]pairs.Side, [][]pairs.Result, error) {
	train, test, err := table.write(b.Dir)
	if err != nil {
		return nil, nil, err
	}
	sides := b.all(&task{train, test, cmp.Or(b.Trees, growthTrees), leaves, bins, threads,
		false, 0, false})
	return b.Alternate(ctx, sides, threads)
}

// quickValues is how many values of a sweep are enough where rows are limited.
const quickValues = 3

// growthTrees is the number of trees that a point is the mean of.
const growthTrees = 20

func (b *bench) point(results []pairs.Result) point {
	binning, boosting := b.figures()
	return point{
		pairs.Median(results, binning),
		pairs.Median(results,
			func(r pairs.Result) float64 { return 1e3 * boosting(r) / r.Facts["trees"] }),
		pairs.Median(results, beyondTable),
	}
}

func (s *sweep) print(b *bench, values []int, names []string, points [][]point) {
	head := []string{s.name}
	for _, n := range names {
		head = append(head, n+": binning s", "ms a tree", "MB")
	}
	clock := ""
	if b.cpu {
		clock = " Times are those of processors, not of the clock."
	}
	fmt.Printf("\n### Growth with %s: %s, threads: %d\n\nMB are those above what the table "+
		"takes.%s\n\n", s.name, s.about, b.Threads[0], clock)
	var rows [][]string
	for k, v := range values {
		line := []string{fmt.Sprint(v)}
		for _, p := range points[k] {
			line = append(line, fmt.Sprintf("%.3f", p.binning), fmt.Sprintf("%.2f", p.tree),
				fmt.Sprintf("%.0f", p.peak))
		}
		rows = append(rows, line)
	}
	pairs.Markdown(head, rows)
}

// chart samples microseconds, which are more than 1, as logarithmic axes require.
func (s *sweep) chart(values []int, names []string, points [][]point) plot.Chart {
	c := plot.Chart{X: plot.Scale{Label: s.name, Log: true},
		Y: plot.Scale{Label: "microseconds a tree", Log: true}}
	for i, n := range names {
		u := plot.Curve{Name: n, Style: plot.LineMarks, Colour: i}
		for k, v := range values {
			u.X, u.Y = append(u.X, float64(v)), append(u.Y, max(1, 1e3*points[k][i].tree))
		}
		c.Curves = append(c.Curves, u)
	}
	return c
}
