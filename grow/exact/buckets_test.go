package exact_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact"
	"github.com/coppice-ml/coppice/internal/rng"
)

// manyValues is a table of two classes whose large nodes are looked at by buckets: columns of
// numbers that all differ, of few hundred values, of a value that half of the rows have, of values
// far apart, of few values, one with missing values; then each backwards, where all cuts are worth
// the same. Labels follow some of them, with noise.
func manyValues(t fataler, rows int, noise float64) *problem {
	r := rng.New(11)
	columns := make([][]float64, 12)
	for c := range columns {
		columns[c] = make([]float64, rows)
	}
	p := &problem{pop: grow.Population{Rows: data.AllRows(rows), Class: make([]uint32, rows), Classes: 2}}
	for i := range rows {
		u := r.Float64()
		columns[0][i] = r.Float64()
		columns[1][i] = float64(r.Intn(400))
		columns[2][i] = max(u, 0.5)
		columns[3][i] = math.Exp(40 * r.Float64())
		columns[4][i] = float64(r.Intn(7))
		if columns[5][i] = r.Float64(); r.Intn(9) == 0 {
			columns[5][i] = math.NaN()
		}
		for c := range 6 {
			columns[6+c][i] = -columns[c][i]
		}
		score := math.Abs(columns[0][i]-0.4) + columns[1][i]/1600 + u/2 + noise*r.Float64()
		if score > 0.55+noise/2 {
			p.pop.Class[i] = 1
		}
	}
	var named []data.NamedColumn
	for c := range columns {
		named = append(named, data.NamedColumn{Name: fmt.Sprint("c", c), Values: columns[c]})
	}
	var err error
	if p.frame, err = data.FromColumns(named...); err != nil {
		t.Fatal(err)
	}
	p.row, _ = criterion.ByName("gini")
	return p
}

// TestBucketsFindTheSameTrees: large nodes that are looked at by buckets are split as those of
// presorted columns are, and for any number of workers, whatever the labels owe to the columns.
func TestBucketsFindTheSameTrees(t *testing.T) {
	for _, noise := range []float64{0, 0.3, 100} {
		for _, drawn := range []bool{false, true} {
			p := manyValues(t, 9000, noise)
			if drawn {
				bootstrap(p)
			}
			for seed := range uint64(4) {
				cfg := exact.Config{Workers: 1, Mtry: 3, Redraw: 10, Seed: seed, Limits: grow.Limits{Depth: 6, MinLeaf: 1 + 40*int(seed%2)}}
				want := growWith(t, p, cfg)
				if !sameTree(want, growFramed(t, p, cfg)) {
					t.Fatal("noise", noise, "drawn", drawn, "seed", seed, "buckets find another tree")
				}
				cfg.Workers = 3
				if !sameTree(want, growFramed(t, p, cfg)) {
					t.Fatal("noise", noise, "drawn", drawn, "seed", seed, "3 workers grow another tree")
				}
			}
		}
	}
}
