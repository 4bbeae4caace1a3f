//go:build linux

// Package ranking is the case of the choices of boosting's loss for rankings: the metric on queries
// that training has not seen.
package ranking

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

//go:embed peers.py
var peersPython string

// sides are settings of gbm, the first those that others are compared with, and a peer.
var sides = []string{"", "loss.truncation=5", "loss.truncation=10", "loss.truncation=100",
	"loss.truncation=0", "loss.sigmoid=0.5", "loss.sigmoid=2", "loss.gain=linear", "lightgbm"}

// evaluated is the metric of all sides, of each query of the test.
const evaluated = "ndcg@10"

// Case divides the queries of each table at random, again and again: half of them train all sides,
// the others test them. A difference from the first side is taken in each query of each round.
// Queries without a relevant row do not count.
var Case = pairs.Case{Name: "ranking", About: "choices of the loss for rankings, on queries that " +
	"training has not seen", Example: "-threads 1 -rounds 4 -sides ';loss.truncation=10' web clicks",
	Takes: "rounds threads quick data python lightgbm",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rounds, r.Threads, r.Data = 4, []int{1}, pairs.Sets()
		list := r.String("sides", strings.Join(sides, ";"), "`settings` of gbm between semicolons; "+
			"lightgbm is LightGBM with early stopping")
		return func(ctx context.Context) error {
			b := &bench{Run: r, sides: strings.Split(*list, ";")}
			return b.run(ctx)
		}
	}}

type bench struct {
	*pairs.Run
	sides  []string
	python string // the peer's program; "" = it is missing
}

func (b *bench) run(ctx context.Context) (err error) {
	if b.Quick {
		b.Rounds = 1
	}
	if b.python, err = b.Write("peers.py", exchange.Python+peersPython); err != nil {
		return err
	}
	var names []string
	for _, t := range tables {
		names = append(names, t.name)
	}
	chosen, err := b.Chosen(names...)
	if err != nil {
		return err
	}
	all := make([][]float64, len(b.sides)) // by side: mean differences of tables
	var lines [][]string
	for _, name := range chosen {
		found, err := b.compare(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		first, _ := pairs.Moments(found[0])
		line := []string{name, fmt.Sprint(len(found[0])), fmt.Sprintf("%.4f", first)}
		for i, values := range found[1:] {
			if values == nil {
				line = append(line, "missing")
				continue
			}
			d := make([]float64, len(values))
			for k := range d {
				d[k] = values[k] - found[0][k]
			}
			by := pairs.IntervalOf(d)
			all[i+1] = append(all[i+1], by.Mean)
			line = append(line, by.String())
		}
		lines = append(lines, line)
	}
	last := []string{"mean of tables", "", ""}
	for _, d := range all[1:] {
		mean, _ := pairs.Moments(d)
		last = append(last, fmt.Sprintf("%+.4f", mean))
	}
	fmt.Printf("%s, %s: %s of %q, and differences from it, with intervals of 95 %% over queries.\n\n",
		pairs.Version(), pairs.Machine(), evaluated, b.sides[0])
	pairs.Markdown(append([]string{"table", "queries", evaluated}, b.sides[1:]...), append(lines, last))
	return nil
}

// compare returns the metric of each side and test query; nil of a side that is missing.
func (b *bench) compare(ctx context.Context, name string) ([][]float64, error) {
	ds, err := b.table(ctx, name)
	if err != nil {
		return nil, err
	}
	found := make([][]float64, len(b.sides))
	for round := range b.Rounds {
		train, test := halves(ds.Target.Group, uint64(round))
		for i, s := range b.sides {
			own := learn.Job{Rows: train, Seed: uint64(round), Workers: b.Threads[0]}
			start := pairs.Spent()
			var predicted []float64
			if s == "lightgbm" {
				if b.python == "" {
					continue
				}
				predicted, err = b.peer(ctx, ds, train, test)
			} else {
				predicted, err = fit(ctx, ds, s, own, test)
			}
			if errors.Is(err, errMissing) {
				fmt.Fprintln(os.Stderr, s+":", err)
				b.python = ""
				continue
			}
			if err != nil {
				return nil, err
			}
			values := perQuery(ds, test, predicted)
			found[i] = append(found[i], values...)
			mean, _ := pairs.Moments(values)
			fmt.Fprintf(os.Stderr, "%s %d, %q: %.4f in %.1f s\n", name, round, s, mean, pairs.Spent()-start)
		}
	}
	return found, nil
}

// halves divides rows by their queries.
func halves(group []int64, seed uint64) (train, test []int32) {
	of := map[int64]bool{}
	stream := rng.New(seed)
	for i, g := range group {
		first, known := of[g]
		if !known {
			first = stream.Float64() < 0.5
			of[g] = first
		}
		if first {
			train = append(train, int32(i))
		} else {
			test = append(test, int32(i))
		}
	}
	return train, test
}

// fit trains gbm with settings and predicts rows.
func fit(ctx context.Context, ds *data.Dataset, settings string, job learn.Job, test []int32) (
	[]float64, error) {
	l, err := catalog.New("gbm")
	if err != nil {
		return nil, err
	}
	set := strings.Fields(settings)
	if strings.Contains(settings, "loss.") { // auto has no parameters
		set = append([]string{"loss=lambdamart"}, set...)
	}
	if err := l.Params().Set(set); err != nil {
		return nil, err
	}
	m, err := catalog.Env(job.Workers).Train(ctx, l, ds, job)
	if err != nil {
		return nil, err
	}
	p, err := m.Bind(&ds.Schema, model.Options{Workers: job.Workers})
	if err != nil {
		return nil, err
	}
	predicted := make([]float64, len(test))
	return predicted, p.Predict(predicted, ds.Frame, test)
}

// perQuery returns the metric of each query that has a relevant row, in the order of their rows.
func perQuery(ds *data.Dataset, rows []int32, predicted []float64) []float64 {
	places, order := map[int64][]int32{}, []int64{}
	for i, row := range rows {
		g := ds.Target.Group[row]
		if places[g] == nil {
			order = append(order, g)
		}
		places[g] = append(places[g], int32(i))
	}
	var values []float64
	for _, g := range order {
		s := metric.SampleOf(&ds.Target, data.Pick(rows, places[g]))
		s.Width, s.Pred = 1, data.Pick(predicted, places[g])
		if v, err := metric.Of(evaluated, s); err == nil { // else no row is relevant
			values = append(values, v)
		}
	}
	return values
}

// errMissing is of a peer whose package cannot be imported.
var errMissing = errors.New("missing")

// peer trains LightGBM on the same rows; a fifth of their queries stops it.
func (b *bench) peer(ctx context.Context, ds *data.Dataset, train, test []int32) ([]float64, error) {
	folder := filepath.Join(b.Scratch, "exchanged")
	rows := append(append([]int32(nil), train...), test...)
	if err := exchange.Write(folder, ds, rows); err != nil {
		return nil, err
	}
	groups := make([]float64, len(rows))
	for i, row := range rows {
		groups[i] = float64(ds.Target.Group[row])
	}
	if err := exchange.WriteNumbers(filepath.Join(folder, "groups.f64"), groups); err != nil {
		return nil, err
	}
	out := filepath.Join(b.Scratch, "predicted.f64")
	r, err := b.Peer("lightgbm", b.Python, b.python, folder, out, fmt.Sprint(len(train)),
		fmt.Sprint(b.Threads[0]), b.LightGBM).Run(ctx, b.Threads[0])
	if err != nil {
		return nil, err
	}
	if r.Output != "" {
		return nil, fmt.Errorf("%w: %s", errMissing, r.Output)
	}
	return exchange.ReadAll[float64](out)
}
