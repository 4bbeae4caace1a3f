//go:build unix

package coppice_test

import (
	"fmt"
	"math"
	"slices"
	"syscall"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model/profile"
	"github.com/coppice-ml/coppice/param"
)

// BenchmarkProfileCost trains with and without a profile in turn, with a given number of rounds,
// and makes the profile alone. It reports medians of processor seconds, which differ less than
// time.
func BenchmarkProfileCost(b *testing.B) {
	for _, c := range []struct{ rows, columns, trees, leaves int }{
		{1_000_000, 28, 100, 255}, {1_000_000, 28, 100, 31}, {1_000_000, 28, 0, param.AutoInt},
		{200_000, 20, 100, 31}, {200_000, 20, 0, param.AutoInt},
	} {
		b.Run(fmt.Sprintf("%dx%d/%d/%d", c.rows, c.columns, c.trees, c.leaves), func(b *testing.B) {
			ds := noisyTable(b, c.rows, c.columns)
			train := func(options ...coppice.Option) func() {
				return func() {
					l := gbm.New()
					l.Trees, l.Leaves = c.trees, c.leaves
					if _, err := coppice.Train(b.Context(), l, ds, options...); err != nil {
						b.Fatal(err)
					}
				}
			}
			sides := []struct {
				name string
				run  func()
			}{{"without", train(coppice.NoProfile())}, {"with", train()}, {"alone", func() {
				p := profile.New(ds.Schema.Fields, ds.Rows(), profile.Options{})
				p.Add(ds.Frame, data.AllRows(ds.Rows()))
				p.Profile(&ds.Target, data.AllRows(ds.Rows()))
			}}}
			seconds := map[string][]float64{}
			for b.Loop() {
				for _, s := range sides {
					before := processorSeconds(b)
					s.run()
					seconds[s.name] = append(seconds[s.name], processorSeconds(b)-before)
				}
				slices.Reverse(sides[:2])
			}
			for name, of := range seconds {
				b.ReportMetric(median(of), name+"-cpu-s")
			}
			b.ReportMetric(median(seconds["with"])/median(seconds["without"]), "with/without")
			b.ReportMetric(median(seconds["alone"])/median(seconds["without"]), "alone/without")
		})
	}
}

// noisyTable has normal, log-normal, uniform and whole numbers in turn, and two classes that depend
// on some of them.
func noisyTable(b *testing.B, rows, columns int) *data.Dataset {
	r := rng.New(1)
	named := make([]data.NamedColumn, columns)
	sum := make([]float64, rows)
	for i := range named {
		x := make([]float64, rows)
		for k := range x {
			switch i % 4 {
			case 0:
				x[k] = normal(r)
			case 1:
				x[k] = math.Exp(normal(r))
			case 2:
				x[k] = r.Float64()
			case 3:
				x[k] = float64(r.Intn(1000))
			}
			if i < 8 && i%4 != 3 {
				sum[k] += x[k]
			}
		}
		named[i] = data.NamedColumn{Name: fmt.Sprint("x", i), Values: x}
	}
	f, err := data.FromColumns(named...)
	if err != nil {
		b.Fatal(err)
	}
	class := make([]uint32, rows)
	for k := range class {
		if sum[k]+2*normal(r) > 4 {
			class[k] = 1
		}
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary, Class: class,
		Classes: []string{"no", "yes"}}}
}

// normal draws a standard normal number (Box and Muller 1958).
func normal(r *rng.Stream) float64 {
	return math.Sqrt(-2*math.Log(1-r.Float64())) * math.Cos(2*math.Pi*r.Float64())
}

func processorSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
