//go:build linux

// Package stores is the case of the two row stores of internal/exact: at which fraction of columns
// per node the ranked one beats the presorted one.
package stores

import (
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/internal/exact"
	"github.com/coppice-ml/coppice/internal/exact/presorted"
	"github.com/coppice-ml/coppice/internal/exact/ranked"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
	"github.com/coppice-ml/coppice/tree"
)

// Case grows trees of full depth on the higgs-like table with one thread, the stores by turns. It
// prints the milliseconds of a tree, preparation not counted, as medians.
var Case = pairs.Case{Name: "stores", About: "the ranked row store of single trees beside the " +
	"presorted one", Example: "-rows 20000", Takes: "rows trees quick profile",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rows, r.Trees = 100_000, 5
		only := r.Int("mtry", 0, "columns scanned per node; 0 = a range of them")
		return func(ctx context.Context) error {
			if r.Quick {
				r.Rows, r.Trees = 1000, 1
			}
			stop, err := pairs.Profiled(r.Profile)
			if err != nil {
				return err
			}
			return errors.Join(run(ctx, r.Rows, r.Trees, *only), stop())
		}
	}}

func run(ctx context.Context, rows, trees, only int) error {
	ds, err := recipe.ByName("higgs").Dataset(0, rows, 0)
	if err != nil {
		return err
	}
	frame := ds.Frame
	pop := &grow.Population{Rows: data.AllRows(rows), Classes: 2, Class: ds.Target.Class}
	columns, err := presorted.Prepare(ctx, frame, nil, 1)
	if err != nil {
		return err
	}
	ranks, err := ranked.Prepare(ctx, frame, nil, 1)
	if err != nil {
		return err
	}
	p := len(frame.Columns)
	mtrys := []int{1, 2, 3, 5, 8, 10, 12, 14, 18, 22, p}
	if only > 0 {
		mtrys = []int{only}
	}
	gini, _ := criterion.ByName("gini")
	fmt.Printf("### %d rows, %d columns, %s\n\n", rows, p, pairs.Machine())
	var lines [][]string
	for _, mtry := range mtrys {
		var times [2][]float64
		for seed := range uint64(trees) {
			bootstrap(pop, seed)
			o := exact.Options{Criterion: gini, Mtry: mtry, Seed: seed, Workers: 1}
			for i, grow := range []func() (*tree.Tree, error){
				func() (*tree.Tree, error) {
					return columns.Grow(ctx, pop,
						presorted.Config{Options: o})
				},
				func() (*tree.Tree, error) {
					return ranks.Grow(ctx, pop,
						ranked.Config{Options: o})
				},
			} {
				start := pairs.Spent()
				_, err := grow()
				if err != nil {
					return err
				}
				times[i] = append(times[i], 1e3*(pairs.Spent()-start))
			}
		}
		a, b := pairs.Middle(times[0]), pairs.Middle(times[1])
		lines = append(lines, []string{fmt.Sprint(mtry), fmt.Sprintf("%.2f", float64(mtry)/float64(p)),
			fmt.Sprintf("%.0f", a), fmt.Sprintf("%.0f", b), fmt.Sprintf("%.2f", b/a)})
	}
	pairs.Markdown([]string{"mtry", "fraction", "presorted ms", "ranks ms", "ratio"}, lines)
	return nil
}

// bootstrap samples as many rows as there are, with replacement.
func bootstrap(pop *grow.Population, seed uint64) {
	draws := rng.New(seed)
	pop.Count = make([]uint32, len(pop.Rows))
	for range pop.Rows {
		pop.Count[draws.Intn(len(pop.Rows))]++
	}
}
