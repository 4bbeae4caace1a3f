// Command stores measures at which fraction of columns per node the ranked row store of
// internal/exact beats the presorted one:
//
//	go run ./bench/stores [-rows N] [-trees N]
//
// Trees of full depth on the higgs-like table, one thread, the stores by turns; printed are the
// milliseconds of a tree, preparation not counted, as medians.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/internal/exact"
	"github.com/coppice-ml/coppice/internal/exact/presorted"
	"github.com/coppice-ml/coppice/internal/exact/ranked"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
	"github.com/coppice-ml/coppice/tree"
)

func main() {
	rows := flag.Int("rows", 100_000, "rows of the table")
	trees := flag.Int("trees", 5, "trees of each kind")
	only := flag.Int("mtry", 0, "columns scanned per node; 0 = a range of them")
	profile := flag.String("profile", "", "write a CPU profile here")
	flag.Parse()
	if *profile != "" {
		f, _ := os.Create(*profile)
		_ = pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	if err := run(*rows, *trees, *only); err != nil {
		fmt.Fprintln(os.Stderr, "stores:", err)
		os.Exit(1)
	}
}

func run(rows, trees, only int) error {
	ctx := context.Background()
	frame, pop, err := table(rows)
	if err != nil {
		return err
	}
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
	fmt.Printf("%d rows, %d columns\n mtry  fraction  presorted      ranks  ratio\n", rows, p)
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
				start := processor()
				_, err := grow()
				if err != nil {
					return err
				}
				times[i] = append(times[i], 1e3*(processor()-start).Seconds())
			}
		}
		a, b := median(times[0]), median(times[1])
		fmt.Printf("%5d  %8.2f  %7.0f ms %7.0f ms  %5.2f\n", mtry,
			float64(mtry)/float64(p), a, b, b/a)
	}
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

// processor returns the processor time that the process has used: with one worker it depends less
// on other programs than the clock does.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// table makes the first rows of the higgs-like table.
func table(rows int) (*data.Frame, *grow.Population, error) {
	t := recipe.Tables()[0]
	columns := make([]data.NamedColumn, t.Features)
	values := make([][]float64, t.Features)
	for j := range columns {
		values[j] = make([]float64, rows)
		columns[j] = data.NamedColumn{Name: fmt.Sprint("f", j), Values: values[j]}
	}
	pop := &grow.Population{Rows: data.AllRows(rows), Classes: 2, Class: make([]uint32, rows)}
	x, wide := make([]float32, t.Features), make([]float64, t.Features)
	for i := range rows {
		pop.Class[i] = uint32(t.Row(i, x, wide))
		for j, v := range x {
			values[j][i] = float64(v)
		}
	}
	frame, err := data.FromColumns(columns...)
	return frame, pop, err
}
