package sample

import (
	"math"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// GOSS is gradient-based one-side sampling (Ke et al. 2017, algorithm 2): each tree is grown on the part Top of the rows
// that have the largest |g h|, of several outputs the largest sum of them, and on the part Other of all rows, drawn from the
// rest without replacement. Those drawn count as many times more as there are rows in the rest for each of them, (1-Top)/Other,
// so that sums over all rows are estimated without bias. Rows of equal size are taken in their order.
//
// The paper sorts by |g|; |g h| is LightGBM's choice. LightGBM takes all rows for the first 1 / learning rate trees: whoever
// trains decides that.
type GOSS struct {
	Top, Other float64 // parts of all rows, rounded; together at least one row
}

// Params declares top and other.
func (w *GOSS) Params() param.Set {
	return param.Set{
		param.Float(&w.Top, "top", 0.2, 0, 1, "part of the rows, those of steepest loss, that each tree is grown on"),
		param.Float(&w.Other, "other", 0.1, 0, 1, "part of all rows that is drawn from those of less steep loss; they count for all of these", param.ExcludeMin),
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
	return &goss{top: top, other: other, size: make([]float64, rows), work: make([]float64, 0, rows), coarse: newCoarse()}, nil
}

type goss struct {
	top, other int
	size, work []float64 // |g h| of each row, and room to reorder some
	*coarse
}

func (d *goss) Draw(dst *Drawn, g, h []float64, s *rng.Stream) {
	clear(d.size)
	for from := 0; from < len(g); from += len(d.size) {
		for i := range d.size {
			d.size[i] += math.Abs(float64(g[from+i] * h[from+i]))
		}
	}
	bound, tied := math.Inf(1), 0 // rows of a larger size are in the top, and the first few of this one
	if d.top > 0 {
		bound, tied = d.largest(d.size, d.work, d.top)
	}
	rest, take := len(d.size)-d.top, d.other
	many := float64(rest) / float64(take)
	rows, factor := dst.Rows[:0], dst.Factor[:0]
	for i, x := range d.size {
		switch {
		case x > bound:
			rows, factor = append(rows, int32(i)), append(factor, 1)
			continue
		case x == bound && tied > 0:
			tied--
			rows, factor = append(rows, int32(i)), append(factor, 1)
			continue
		case s.Intn(rest) < take: // as in someOf
			rows, factor = append(rows, int32(i)), append(factor, many)
			take--
		}
		rest--
	}
	*dst = Drawn{Rows: rows, Factor: factor}
}
