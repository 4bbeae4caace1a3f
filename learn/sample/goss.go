package sample

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// GOSS is gradient-based one-side sampling (Ke et al. 2017, algorithm 2). Each tree is grown on the
// fraction Top of the rows that have the largest |g h|, of several outputs the largest sum of them.
// To these it adds the fraction Other of all rows, sampled from the rest without replacement. Each
// of them counts (1-Top)/Other times, so that sums over all rows are estimated without bias. Rows
// of equal size are taken in their order.
//
// The paper sorts by |g|; |g h| is LightGBM's choice. LightGBM takes all rows for the first 1 /
// learning rate trees; here that is up to the caller.
type GOSS struct {
	Top, Other float64 // fractions of all rows, rounded; together at least one row
}

// Params declares top and other.
func (w *GOSS) Params() param.Set {
	return param.Set{
		param.Float(&w.Top, "top", 0.2, 0, 1,
			"fraction of the rows, those of largest gradient, that each tree is grown on"),
		param.Float(&w.Other, "other", 0.1, 0, 1, "fraction of all rows sampled from those of "+
			"smaller gradient; they count for all of these", param.ExcludeMin),
	}
}

// Bind accepts any rows.
func (w *GOSS) Bind(rows int, group []int64) (GradientSampler, error) {
	if err := checkGradient(w, rows, group); err != nil {
		return nil, err
	}
	top := portion(w.Top, rows)
	other := min(max(1, portion(w.Other, rows)), rows-top)
	if top+other == rows {
		return allOnce{}, nil
	}
	return &goss{top: top, other: other, size: make([]float64, rows),
		work: make([]float64, 0, rows), kind: make([]uint8, rows),
		rest: make([]int32, rows), coarse: newCoarse()}, nil
}

type goss struct {
	top, other int
	size, work []float64 // |g h| of each row, and scratch memory to reorder some
	kind       []uint8   // of each row: left out, of the top or sampled from the rest
	rest       []int32   // rows that are not of the top
	sampling   []int32   // places in rest
	*coarse
}

const (
	leftOut = iota
	ofTop
	ofRest
)

func (d *goss) Sample(dst *Sampled, g, h []float64, seed uint64) {
	s := rng.FromSeed(seed)
	d.sizes(g, h)
	d.partition()
	d.sampling = s.Some(d.sampling[:0], len(d.rest), d.other)
	for _, i := range d.sampling {
		d.kind[d.rest[i]] = ofRest
	}
	capacity := d.top + d.other + 1 // a row that is left out is written over by the next
	rows, factor := slices.Grow(dst.Rows[:0], capacity)[:capacity],
		slices.Grow(dst.Factor[:0], capacity)[:capacity]
	of := [...]float64{leftOut: 0, ofTop: 1, ofRest: float64(len(d.rest)) / float64(d.other)}
	n := 0
	for i, k := range d.kind {
		rows[n], factor[n] = int32(i), of[k]
		n += int(min(k, 1))
	}
	*dst = Sampled{Rows: rows[:n], Factor: factor[:n]}
}

// sizes writes the sizes of all rows.
func (d *goss) sizes(g, h []float64) {
	n := len(d.size)
	for i := range d.size {
		d.size[i] = math.Abs(float64(g[i] * h[i]))
	}
	for from := n; from < len(g); from += n {
		for i := range d.size {
			d.size[i] += math.Abs(float64(g[from+i] * h[from+i]))
		}
	}
}

// partition separates the rows of the top from the rest.
func (d *goss) partition() {
	// rows of a larger size are in the top, and the first few of this one
	bound, tied := math.Inf(1), 0
	if d.top > 0 {
		bound, tied = d.largest(d.size, d.work, d.top)
	}
	rest := d.rest[:len(d.size)]
	n := 0
	for i, x := range d.size {
		kind := uint8(leftOut)
		if x > bound { // of which no branch is made
			kind = ofTop
		}
		if x == bound && tied > 0 {
			tied--
			kind = ofTop
		}
		d.kind[i], rest[n] = kind, int32(i)
		n += int(1 - kind)
	}
	d.rest = rest[:n]
}
