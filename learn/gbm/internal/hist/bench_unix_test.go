//go:build unix

package hist

import (
	"fmt"
	"math"
	"syscall"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// boosted is a table of some rows and 28 columns in 255 bins, whose label depends on a few of them.
// Its gradients are those of the log loss after a number of trees.
func boosted(b *testing.B, rows, columns int) problem {
	s := rng.New(1)
	values := make([]int, columns)
	codes := make([][]int, columns)
	for j := range codes {
		values[j] = 255
		codes[j] = make([]int, rows)
		for i := range codes[j] {
			codes[j][i] = s.Intn(255)
		}
	}
	p := problem{m: table(values, codes), codes: codes}
	x := func(j, i int) float64 { return float64(codes[j%columns][i])/127 - 1 }
	label := make([]float64, rows)
	for i := range label {
		z := 2*x(0, i)*x(1, i) + math.Sin(3*x(2, i)) + x(3, i)*x(3, i)*x(4, i) + x(5, i)/2
		if s.Float64() < 1/(1+math.Exp(-2*z)) {
			label[i] = 1
		}
	}
	p.c = Config{Shape: Shape{Leaves: 255}, Regularization: Regularization{L2: 1, MinChildWeight: 1}, Workers: 1}
	raw := make([]float64, rows)
	p.g, p.h = make([]float64, rows), make([]float64, rows)
	r := NewGrower(p.m, p.c)
	for range 10 {
		for i := range raw {
			q := 1 / (1 + math.Exp(-raw[i]))
			p.g[i], p.h[i] = q-label[i], q*(1-q)
		}
		t, err := r.Grow(b.Context(), p.g, p.h, nil, 1)
		if err != nil {
			b.Fatal(err)
		}
		t.Add(raw, nil, 0.1)
	}
	return p
}

// BenchmarkGrow grows trees of 255 leaves.
func BenchmarkGrow(b *testing.B) {
	for _, rows := range []int{10_000, 100_000, 1_000_000} {
		p := boosted(b, rows, 28)
		for _, workers := range []int{1, 2} {
			p.c.Workers = workers
			b.Run(fmt.Sprintf("rows=%d/workers=%d", rows, workers), func(b *testing.B) {
				r := NewGrower(p.m, p.c)
				raw := make([]float64, rows)
				var before, after syscall.Rusage
				syscall.Getrusage(0, &before)
				for b.Loop() {
					t, err := r.Grow(b.Context(), p.g, p.h, nil, 1)
					if err != nil {
						b.Fatal(err)
					}
					t.Add(raw, nil, 0.1)
				}
				syscall.Getrusage(0, &after)
				b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano())/float64(b.N)/1e6, "cpu-ms/op")
			})
		}
	}
}
