package loss

import (
	"fmt"
	"math"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// cases are the rows of an objective.
type cases struct {
	rows   []int32   // frame rows by position
	weight []float64 // by position; nil = all 1
	total  float64
}

// gather checks a loss's parameters and reads the weights of rows.
func gather(l Loss, t *data.Target, rows []int32) (cases, error) {
	c := cases{rows: rows}
	if err := l.Params().Validate(); err != nil {
		return c, err
	}
	if t.Weight == nil {
		c.total = float64(len(rows))
	} else {
		c.weight = make([]float64, len(rows))
		for i, r := range rows {
			c.weight[i] = t.Weight[r]
			c.total += c.weight[i]
		}
	}
	if !(c.total > 0) {
		return c, ErrNoWeight
	}
	return c, nil
}

func (c *cases) weightAt(i int) float64 {
	if c.weight == nil {
		return 1
	}
	return c.weight[i]
}

// domain states which labels a loss takes.
type domain struct {
	loss string
	want string // in words: "of 0 or more"
	has  func(y float64) bool
}

// numbers copies the labels of each output by position. A label that is not finite or outside the
// domain is an error.
func (c *cases) numbers(t *data.Target, d domain) ([][]float64, error) {
	if len(t.Y) == 0 {
		return nil, &LabelError{-1, fmt.Sprintf("loss=%s needs labels that are numbers", d.loss)}
	}
	all := make([][]float64, len(t.Y))
	for k := range all {
		y := make([]float64, len(c.rows))
		for i, r := range c.rows {
			y[i] = t.Y[k][r]
			if math.IsNaN(y[i]-y[i]) || d.has != nil && !d.has(y[i]) {
				return nil,
					&LabelError{int(r), fmt.Sprintf("loss=%s needs labels %s, this is %g", d.loss,
						d.want, y[i])}
			}
		}
		all[k] = y
	}
	return all, nil
}

// indicators returns 1 for the rows of one class and 0 for the others.
func (c *cases) indicators(t *data.Target, class uint32) []float64 {
	y := make([]float64, len(c.rows))
	for i, r := range c.rows {
		if t.Class[r] == class {
			y[i] = 1
		}
	}
	return y
}

// twoClasses returns the indicators of the second class. A label of more than two classes is an
// error.
func (c *cases) twoClasses(t *data.Target, loss string) ([][]float64, error) {
	if t.Class == nil || len(t.Classes) > 2 {
		return nil, &LabelError{-1, fmt.Sprintf("loss=%s needs labels of two classes", loss)}
	}
	return [][]float64{c.indicators(t, 1)}, nil
}

// mean returns the mean of values by weight, bounded by the least and the greatest of them.
func (c *cases) mean(y []float64) float64 {
	sum, low, high := 0.0, math.Inf(1), math.Inf(-1)
	for i, v := range y {
		w := c.weightAt(i)
		if w == 0 {
			continue
		}
		low, high = min(low, v), max(high, v)
		sum += float64(w / c.total * v)
	}
	return min(max(sum, low), high)
}

// SumRows is the number of rows that are summed before sums are added up. Sums depend on it: it
// never changes.
const SumRows = 2048

// inBlocks calls work for each block of n rows, on some workers.
func inBlocks(n, workers int, work func(block, from, to int)) {
	forBlocks(n, SumRows, workers, work)
}

// forBlocks calls work for each block of n things, size by size, on some workers.
func forBlocks(n, size, workers int, work func(block, from, to int)) {
	parallel.Each(workers, (n+size-1)/size, func(_, b int) { work(b, b*size, min(n, (b+1)*size)) })
}

// blockValues is memory for the values of a block, which each round of boosting needs.
var blockValues = sync.Pool{New: func() any { return new([SumRows]float64) }}

// sums returns, for each block of the rows at positions from ... to-1, the weighted sum of the
// values that evaluate writes for its rows.
func (c *cases) sums(from, to, workers int, evaluate func(dst []float64, from, to int)) []float64 {
	sums := make([]float64, (to-from+SumRows-1)/SumRows)
	inBlocks(to-from, workers, func(b, first, end int) {
		scratch := blockValues.Get().(*[SumRows]float64)
		defer blockValues.Put(scratch)
		v := scratch[:end-first]
		evaluate(v, from+first, from+end)
		sum := 0.0
		for i := range v {
			if w := c.weightAt(from + first + i); w != 0 {
				sum += float64(w * v[i])
			}
		}
		sums[b] = sum
	})
	return sums
}

// Mean implements Summed, of the sums of one output.
func (c *cases) Mean(sums []float64) float64 {
	return kernel.Sum(sums) / c.total
}

// weigh multiplies the derivatives of a block by the weights of its rows.
func (c *cases) weigh(g, h []float64, from int) {
	if c.weight == nil {
		return
	}
	for i, w := range c.weight[from : from+len(g)] {
		if w == 0 {
			g[i], h[i] = 0, 0 // whatever they were
			continue
		}
		g[i] *= w
		h[i] *= w
	}
}
