package main

import (
	"math"
	"strings"
	"testing"
)

func TestOutOfBag(t *testing.T) {
	r, err := runOutOfBag(t.Context(), outOfBagSize{single: 20, forests: 4, rows: 2000, trees: 20})
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range bagSizes {
		// the fraction that one tree leaves out has variance below (1/e)(1 - 2/e)/n, and of two
		// rows 1/8
		if bound := 4 * math.Sqrt(0.13/float64(n)/20); math.Abs(r.fraction[i]-missed(n)) > bound {
			t.Errorf("n = %d: fraction %.4f out of the bag, want %.4f within %.4f", n,
				r.fraction[i], missed(n), bound)
		}
	}
	for i, never := range r.never {
		if want := r.neverOut(i + 1); math.Abs(never-want) > 4*math.Sqrt(want/4)+1 {
			t.Errorf("%d trees: %g rows never out of the bag, expected %.1f", i+1, never, want)
		}
	}
	table, picture, err := render(r)
	if err != nil || !strings.Contains(table, "0.3679") ||
		strings.Contains(table+string(picture), "NaN") {
		t.Errorf("error %v, table\n%s", err, table)
	}
}

func TestMissed(t *testing.T) {
	for n, want := range map[int]float64{1: 0, 2: 0.25, 4: 0.31640625, 10000: 0.367861} {
		if got := missed(n); math.Abs(got-want) > 1e-6 {
			t.Errorf("(1 - 1/%d)^%d = %g, want %g", n, n, got, want)
		}
	}
}
