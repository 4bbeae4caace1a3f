//go:build linux

// Package shapley is the case of the speed of Shapley values beside XGBoost's and LightGBM's.
package shapley

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

//go:embed peers.py
var peersPython string

// Case has models of 500 trees of 31 leaves (500x31), and of 200 trees of depth 8 (depth8). They
// are trained here on the table higgs, and written in the formats of the others, so that all
// explain the same trees. Ours explains 100,000 rows, path-dependently and against 10,000
// background rows; the others explain 5,000 rows path-dependently. The conversion of float32 rows
// is timed with it. Contributions are compared with those of the others.
//
// Two more models show how the time of a row depends on the number of rows: 100 trees of 255 leaves
// (100x255) and 20 trees grown to full depth on 100,000 rows (full20). All explain as many rows, up
// to those that the others get above, and the conversion of a table counts most for one row.
//
// A forest, which no other explains, has 100 trees grown to full depth on 10,000 rows. 1,000 rows
// are explained, path-dependently and against 100 background rows.
var Case = pairs.Case{Name: "shapley", About: "Shapley values beside XGBoost's and LightGBM's",
	Example: "-xgboost FOLDER -lightgbm FOLDER", Takes: "rounds threads quick busy python xgboost " +
		"lightgbm earlier",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Threads = []int{1, 2}
		b := &bench{Run: r, train: 200_000, ours: 100_000, peers: 5000, background: 10_000, less: 1}
		r.Job("path", 6, func(a []string) (*pairs.Result, error) { return explainRows("path", a) })
		r.Job("background", 6,
			func(a []string) (*pairs.Result, error) { return explainRows("background", a) })
		r.Job("row", 6, func(a []string) (*pairs.Result, error) { return explainRows("row", a) })
		return b.run
	}}

// bench is a run of the case.
type bench struct {
	*pairs.Run
	train, ours, peers, background int
	less                           int // trees are divided by it
	script                         string
}

// one is a model. Numbers of rows are the largest: the benchmark may have fewer.
type one struct {
	name, about, learner string
	trees                int
	settings             []string
	train                int
	rows, background     int
	peers                bool  // others explain it, too
	few                  []int // if any: numbers of rows that are explained, path-dependently alone
}

// every is a number of rows that no table has.
const every = 1 << 30

func models() []one {
	boosted := []string{"bins=255", "learning_rate=0.1", "l2=1", "min_child_weight=1", "min_leaf=1"}
	return []one{
		{"500x31", "500 trees of 31 leaves", "gbm", 500, append([]string{"leaves=31"}, boosted...),
			every, every, every, true, nil},
		{"depth8", "200 trees of depth 8", "gbm", 200,
			append([]string{"leaves=256", "depth=8"}, boosted...), every, every, every, true, nil},
		{"100x255", "100 trees of 255 leaves", "gbm", 100, append([]string{"leaves=255"}, boosted...),
			every, every, 0, true, []int{1, 100, 300, 2000, 10_000}},
		{"full20", "20 full trees", "gbm", 20, append([]string{"leaves=100000"}, boosted...),
			100_000, every, 0, true, []int{100}},
		{"forest", "forest of 100 full trees", "forest", 100, nil, 10_000, 1000, 100, false, nil},
	}
}

func (b *bench) run(ctx context.Context) (err error) {
	if b.Quick {
		b.train, b.ours, b.peers, b.background, b.less = 300, 100, 20, 30, 25
	}
	if b.script, err = b.Write("peers.py", peersPython); err != nil {
		return err
	}
	chosen, err := b.Chosen("500x31", "depth8", "100x255", "full20", "forest")
	if err != nil {
		return err
	}
	ds, err := recipe.ByName("higgs").Dataset(0, b.train, 0)
	if err != nil {
		return err
	}
	rest, _ := recipe.ByName("higgs").Matrix(b.train, b.ours)
	if err := exchange.WriteNumbers(b.file("rows"), rest); err != nil {
		return err
	}
	for _, name := range chosen {
		for _, m := range models() {
			if m.name != name {
				continue
			}
			if err := b.write(ctx, &m, ds); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for _, n := range b.Threads {
				if err := b.compareAll(ctx, m, n); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return nil
}

func (b *bench) file(name string) string { return filepath.Join(b.Scratch, name) }

// write trains a model, and writes it in all formats.
func (b *bench) write(ctx context.Context, m *one, ds *data.Dataset) error {
	l, err := catalog.New(m.learner)
	if err != nil {
		return err
	}
	settings := append([]string{fmt.Sprint("trees=", max(1, m.trees/b.less))}, m.settings...)
	if err := l.Params().Set(settings); err != nil {
		return err
	}
	trained, err := coppice.Train(ctx, l, ds, coppice.Seed(1),
		coppice.Rows(data.AllRows(min(m.train, ds.Rows()))))
	if err != nil {
		return err
	}
	if err := coppice.Save(b.file(m.name+".coppice"), trained); err != nil || !m.peers {
		return err
	}
	for _, suffix := range []string{".txt", ".ubj"} {
		path := b.file(m.name + suffix)
		format := formats.BySuffix(path)
		err = errors.Join(err,
			replace.File(path, func(w io.Writer) error { return format.Encode(w, trained) }))
	}
	return err
}

// sides returns the sides. Each has a file for its contributions.
func (b *bench) sides(m *one, threads int) []pairs.Side {
	ours := func(name, what string, rows int) pairs.Side {
		return b.Own(name, what, b.file(m.name+".coppice"), b.file("rows"), fmt.Sprint(rows),
			fmt.Sprint(threads), fmt.Sprint(min(b.background, m.background)), b.file(what))
	}
	all := []pairs.Side{
		ours("coppice, path-dependent", "path", min(b.ours, m.rows)),
	}
	if m.few == nil {
		all = append(all, ours("coppice, interventional", "background", min(b.ours, m.rows)),
			ours("coppice, single rows", "row", min(b.peers, m.rows)))
	}
	for _, peer := range []struct{ program, library, suffix string }{
		{"xgboost", pairs.Library(b.XGBoost, "libxgboost.so"), ".ubj"},
		{"lightgbm", pairs.Library(b.LightGBM, "lib_lightgbm.so"), ".txt"},
	} {
		if !m.peers || peer.library == "" {
			continue
		}
		side := b.Peer(peer.program, b.Python, b.script, peer.program, peer.library,
			b.file(m.name+peer.suffix), b.file("rows"), fmt.Sprint(columns),
			fmt.Sprint(min(b.peers, m.rows)),
			fmt.Sprint(threads), b.file(peer.program))
		side.After = func(r *pairs.Result) (err error) {
			r.Facts["difference"], err = difference(b.file("path"), b.file(peer.program))
			return err
		}
		all = append(all, side)
	}
	return all
}

// compareAll compares the sides for each number of rows.
func (b *bench) compareAll(ctx context.Context, m one, threads int) error {
	if m.few == nil {
		return b.compare(ctx, &m, threads)
	}
	for _, m.rows = range m.few {
		if err := b.compare(ctx, &m, threads); err != nil {
			return err
		}
	}
	return nil
}

// compare measures all sides in turn, and prints their table.
func (b *bench) compare(ctx context.Context, m *one, threads int) error {
	sides, results, err := b.Alternate(ctx, b.sides(m, threads), threads)
	if err != nil {
		return err
	}
	fmt.Printf("\n### %s, threads: %d\n\n", m.about, threads)
	row := func(r pairs.Result) float64 { return 1e6 * r.Seconds / r.Facts["rows"] }
	pairs.PrintTable(sides, results, pairs.Fact("rows", "rows", "%.0f"),
		pairs.Figure("us a row", "%.2f", row), pairs.Times("times ours (range)", row),
		pairs.Fact("peak MB", "peak", "%.0f"),
		pairs.Fact("largest difference of a contribution from ours", "difference", "%.1e"))
	return nil
}

// difference returns by how much contributions differ at most.
func difference(ours, theirs string) (largest float64, err error) {
	x, err := exchange.ReadAll[float64](ours)
	if err != nil {
		return 0, err
	}
	y, err := exchange.ReadAll[float64](theirs)
	for i := range min(len(x), len(y)) {
		largest = max(largest, math.Abs(x[i]-y[i]))
	}
	return largest, err
}
