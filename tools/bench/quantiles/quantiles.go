//go:build linux

// Package quantiles is the case of prediction intervals: what fraction of new labels lies between
// two quantiles, how wide these are, and their pinball loss.
package quantiles

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

//go:embed peers.py
var peers string

// Case trains each side for the quantiles 0.05 and 0.95 on seven tenths of each table, and tests it
// on the others. Widths and losses are in standard deviations of the label, and means over rounds.
// The last column is the width that a side has where its ends are shifted, by the test labels, so
// that as many lie below and above as of the first side: it compares widths at equal coverage.
var Case = pairs.Case{Name: "quantiles", About: "coverage, width and loss of prediction intervals, " +
	"beside scikit-learn's and LightGBM's", Example: "-rounds 3 'leaf rows 2=min_leaf=2'",
	Takes: "data rows rounds threads python lightgbm quick",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rows, r.Data, r.Rounds, r.Threads = 6000, pairs.Sets(), 3, []int{1}
		only := r.String("only", "", "compare on this `table` only")
		return func(ctx context.Context) error { return compare(ctx, r, *only) }
	}}

// side trains on some rows of a table, and returns the two quantiles of the others.
type side struct {
	name string
	run  func(ctx context.Context, ds *data.Dataset, train, test []int32, seed uint64) ([]float64, error)
}

// compare prints a line for each table and side.
func compare(ctx context.Context, r *pairs.Run, only string) error {
	if r.Quick {
		r.Rounds, r.Rows = 1, 400
	}
	sides, err := sidesOf(r)
	if err != nil {
		return err
	}
	var lines [][]string
	for _, t := range tables() {
		if only != "" && only != t.name {
			continue
		}
		ds, err := t.make(r.Data, r.Rows)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		all := make([][]figures, len(sides))
		for n := range r.Rounds {
			var first []float64
			train, test := split(ds.Rows(), uint64(n))
			for i, s := range sides {
				q, err := s.run(ctx, ds, train, test, uint64(n))
				if err != nil {
					return fmt.Errorf("%s: %s: %w", t.name, s.name, err)
				}
				if i == 0 {
					first = q
				}
				all[i] = append(all[i], measure(ds.Target.Y[0], test, q, first))
			}
		}
		for i, s := range sides {
			lines = append(lines, all[i][0].line(t.name, s.name, ds.Rows(), all[i]))
		}
	}
	pairs.Markdown([]string{"table", "rows", "side", "covered, %", "below", "above", "width",
		"pinball loss", "width at equal coverage"}, lines)
	return nil
}

// sidesOf returns gbm as it is, gbm with the settings of each argument, and the peers.
func sidesOf(r *pairs.Run) ([]side, error) {
	sides := []side{{"gbm", ours(r, nil)}}
	for _, a := range r.Args() {
		name, settings, ok := strings.Cut(a, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not NAME=SETTINGS", a)
		}
		sides = append(sides, side{name, ours(r, strings.Fields(settings))})
	}
	if r.Python == "" {
		return sides, nil
	}
	script, err := r.Write("peers.py", exchange.Python+peers)
	if err != nil {
		return nil, err
	}
	names := []string{"scikit-learn"}
	if r.LightGBM != "" {
		names = append(names, "LightGBM")
	}
	for _, name := range names {
		sides = append(sides, side{name, peer(r, name, script)})
	}
	return sides, nil
}

// split divides rows at random.
func split(rows int, seed uint64) (train, test []int32) {
	all := rng.New(41, seed).Perm(rows)
	train, test = all[:rows*7/10], all[rows*7/10:]
	slices.Sort(train)
	slices.Sort(test)
	return train, test
}

// ours trains gbm.
func ours(r *pairs.Run, settings []string) func(context.Context, *data.Dataset, []int32, []int32,
	uint64) ([]float64, error) {
	return func(ctx context.Context, ds *data.Dataset, train, test []int32, seed uint64) ([]float64, error) {
		l := gbm.New()
		set := append([]string{"loss=quantile", "loss.quantiles=0.05,0.95"}, settings...)
		if err := l.Params().Set(set); err != nil {
			return nil, err
		}
		m, err := catalog.Env(r.Threads[0]).Train(ctx, l, ds,
			learn.Job{Rows: train, Seed: seed, Workers: r.Threads[0]})
		if err != nil {
			return nil, err
		}
		p, err := m.Bind(&ds.Schema, model.Options{Workers: r.Threads[0]})
		if err != nil {
			return nil, err
		}
		q := make([]float64, 2*len(test))
		return q, p.Predict(q, ds.Frame, test)
	}
}

// peer trains another program.
func peer(r *pairs.Run, name, script string) func(context.Context, *data.Dataset, []int32, []int32,
	uint64) ([]float64, error) {
	return func(ctx context.Context, ds *data.Dataset, train, test []int32, seed uint64) ([]float64, error) {
		folder, out := filepath.Join(r.Scratch, "table"), filepath.Join(r.Scratch, "predicted.f64")
		for of, rows := range map[string][]int32{"-train": train, "-test": test} {
			if err := exchange.Write(folder+of, ds, rows); err != nil {
				return nil, err
			}
		}
		threads := r.Threads[0]
		_, err := r.Peer(name, r.Python, script, folder, out, name, fmt.Sprint(seed),
			fmt.Sprint(threads), r.LightGBM).Run(ctx, threads)
		if err != nil {
			return nil, err
		}
		return exchange.ReadAll[float64](out)
	}
}

// figures are those of one round.
type figures struct{ below, above, width, loss, equal float64 }

// measure compares quantiles of test rows, two for each, with their labels. The first side's decide
// which fractions equal coverage has.
func measure(y []float64, test []int32, q, first []float64) figures {
	n := len(test)
	var f, reference figures
	low, high := make([]float64, n), make([]float64, n) // what the label has above the ends
	mean, square := 0.0, 0.0
	for i, row := range test {
		v := y[row]
		mean += v / float64(n)
		square += v * v / float64(n)
		low[i], high[i] = v-q[2*i], v-q[2*i+1]
		f.width += (q[2*i+1] - q[2*i]) / float64(n)
		f.loss += (max(0.05*low[i], -0.95*low[i]) + max(0.95*high[i], -0.05*high[i])) / float64(n)
		f.below += count(low[i] < 0) / float64(n)
		f.above += count(high[i] > 0) / float64(n)
		reference.below += count(v < first[2*i]) / float64(n)
		reference.above += count(v > first[2*i+1]) / float64(n)
	}
	slices.Sort(low)
	slices.Sort(high)
	f.equal = f.width - shift(low, int(math.Round(reference.below*float64(n)))) +
		shift(high, n-int(math.Round(reference.above*float64(n))))
	deviation := math.Sqrt(square - mean*mean)
	f.width, f.loss, f.equal = f.width/deviation, f.loss/deviation, f.equal/deviation
	return f
}

// shift returns the number next to 0 that, taken from all of some ascending numbers, leaves so many
// of them below 0.
func shift(ascending []float64, below int) float64 {
	least, most := math.Inf(-1), math.Inf(1)
	if below > 0 {
		least = ascending[below-1]
	}
	if below < len(ascending) {
		most = ascending[below]
	}
	return min(max(0, least), most)
}

func count(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// line is that of a table and a side.
func (figures) line(table, side string, rows int, all []figures) []string {
	var sum figures
	for _, f := range all {
		sum.below, sum.above = sum.below+f.below, sum.above+f.above
		sum.width, sum.loss, sum.equal = sum.width+f.width, sum.loss+f.loss, sum.equal+f.equal
	}
	n := float64(cmp.Or(len(all), 1))
	percent := func(x float64) string { return fmt.Sprintf("%.1f", 100*x/n) }
	return []string{table, fmt.Sprint(rows), side, percent(n - sum.below - sum.above),
		percent(sum.below), percent(sum.above), fmt.Sprintf("%.3f", sum.width/n),
		fmt.Sprintf("%.4f", sum.loss/n), fmt.Sprintf("%.3f", sum.equal/n)}
}
