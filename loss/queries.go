package loss

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// queries are rows by group, wherever they stand. A ranking loss learns the order of the rows of
// each group. Rows of weight 0 are in no group; the others of a group have one weight.
//
//	at        0 3 4 | 1 2 6 | 5 7       positions, ascending in a query; queries by first row
//	from      0       3       6     8
//	weights   1       2       1
type queries struct {
	cases
	at      []int32
	from    []int32
	weights []float64
	y       []float64 // labels by position
}

// bindQueries reads groups and labels of a domain.
func bindQueries(l Loss, t *data.Target, rows []int32, d domain) (*queries, error) {
	c, err := gather(l, t, rows)
	if err != nil {
		return nil, err
	}
	y, err := c.oneNumber(t, d)
	if err != nil {
		return nil, err
	}
	if t.Group == nil {
		return nil, &LabelError{-1, fmt.Sprintf("loss=%s needs groups: which rows are "+
			"ranked together", d.loss)}
	}
	q := &queries{cases: c, y: y}
	number := map[int64]int32{}
	of := make([]int32, len(rows)) // query of each position, -1 = none
	for i, r := range rows {
		w := c.weightAt(i)
		if of[i] = -1; w == 0 {
			continue
		}
		k, ok := number[t.Group[r]]
		if !ok {
			k = int32(len(number))
			number[t.Group[r]] = k
			q.weights = append(q.weights, w)
			q.from = append(q.from, 0)
		}
		if q.weights[k] != w {
			return nil, &LabelError{int(r), fmt.Sprintf("loss=%s needs rows of a group to weigh "+
				"alike, or 0: this one weighs %g, the first of its group %g", d.loss, w,
				q.weights[k])}
		}
		q.from[k]++
		of[i] = k
	}
	q.place(of)
	return q, nil
}

// place makes ends of the counts that from holds, and puts the positions in their places.
func (q *queries) place(of []int32) {
	sum := int32(0)
	for k, n := range q.from {
		q.from[k] = sum
		sum += n
	}
	q.at = make([]int32, sum)
	next := append([]int32(nil), q.from...)
	for i, k := range of {
		if k >= 0 {
			q.at[next[k]] = int32(i)
			next[k]++
		}
	}
	q.from = append(q.from, sum)
}

// oneNumber copies labels as numbers does, and refuses several.
func (c *cases) oneNumber(t *data.Target, d domain) ([]float64, error) {
	y, err := c.numbers(t, d)
	if err != nil {
		return nil, err
	}
	if len(y) > 1 {
		return nil,
			&LabelError{-1, fmt.Sprintf("loss=%s needs one label, there are %d", d.loss, len(y))}
	}
	return y[0], nil
}

// largest returns the number of rows of the largest query.
func (q *queries) largest() int {
	most := int32(0)
	for k := range q.weights {
		most = max(most, q.from[k+1]-q.from[k])
	}
	return int(most)
}

func (q *queries) Outputs() int    { return 1 }
func (q *queries) Link() link.Link { return link.Identity() }
func (q *queries) Weight() float64 { return q.total }

// Init starts at 0: what all rows are given changes no order.
func (q *queries) Init(start []float64) { start[0] = 0 }

// queriesAtOnce is the number of queries that a worker takes at a time.
const queriesAtOnce = 16

// each calls work for every query, on some workers; with memory of the worker's own.
func (q *queries) each(workers int, work func(k int, at []int32, m *ranking)) {
	forBlocks(len(q.weights), queriesAtOnce, workers, func(_, from, to int) {
		m := rankings.Get().(*ranking)
		defer rankings.Put(m)
		for k := from; k < to; k++ {
			work(k, q.at[q.from[k]:q.from[k+1]], m)
		}
	})
}

// perQuery returns the sum of the values of each query, times its weight, divided by the weight of
// all rows.
func (q *queries) perQuery(
	workers int, evaluate func(k int, at []int32, m *ranking) float64,
) float64 {
	values := make([]float64, len(q.weights))
	q.each(workers, func(k int, at []int32, m *ranking) { values[k] = evaluate(k, at, m) })
	sum := 0.0
	for k, v := range values {
		sum += float64(q.weights[k] * v)
	}
	return sum / q.total
}
