package scan

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
)

// orderGroups sorts the categories by score, equal scores by their rows: see SortByRows.
func (k *Categories) orderGroups(nd *growth.Node, c *Codes) {
	n := len(k.Present)
	k.score = slices.Grow(k.score[:0], n)[:n]
	k.order = slices.Grow(k.order[:0], n)[:n]
	switch {
	case k.Task.Pop.Class == nil:
		for i := range k.score {
			stats, _ := k.Group(i)
			k.score[i] = stats[1] / stats[0]
		}
	case k.Task.Width <= 2:
		for i := range k.score {
			stats, _ := k.Group(i)
			k.score[i] = stats[len(stats)-1] / k.Task.WeightOf(stats)
		}
	default:
		k.principalScores()
	}
	for i := range k.order {
		k.order[i] = i
	}
	slices.SortFunc(k.order, func(a, b int) int { return cmp.Compare(k.score[a], k.score[b]) })
	for i := 1; i < n; i++ {
		if k.score[k.order[i]] == k.score[k.order[i-1]] {
			k.orderTies(nd, c, func(a, b int) int { return cmp.Compare(k.score[a], k.score[b]) })
			return
		}
	}
}

// orderTies sorts the categories again, those that compare as equal as SortByRows does.
func (k *Categories) orderTies(nd *growth.Node, c *Codes, compare func(a, b int) int) {
	k.findFirstRows(nd, c)
	slices.SortFunc(k.order, func(a, b int) int {
		p, q := k.Present[a], k.Present[b]
		return cmp.Or(compare(a, b), cmp.Compare(k.rows[p], k.rows[q]),
			cmp.Compare(k.appeared[p], k.appeared[q]))
	})
	k.clearFirstRows()
}

// orderByCode leaves the categories in the order of their codes.
func (k *Categories) orderByCode() {
	if l := k.lineup; k.Task.Values != nil && len(l.start) < len(k.rows) {
		n := len(k.rows)
		l.start, l.below, l.median, l.mean = make([]int, n), make([]float64, n), make([]float64, n),
			make([]float64, n)
	}
	k.order = k.order[:0]
	for i := range k.Present {
		k.order = append(k.order, i)
	}
}

// powerSteps is the number of steps of the power iteration; a fixed number keeps the result
// reproducible, and an order needs no more than a few digits.
const powerSteps = 30

// principalScores projects the class probabilities p_c of each category on the first eigenvector v
// of sum_c n_c (p_c - p)(p_c - p)', found by power iteration without forming the matrix.
func (k *Categories) principalScores() {
	w := k.Task.Width
	mean := make([]float64, w)
	total := 0.0
	probabilities := make([]float64, len(k.Present)*w)
	weight := make([]float64, len(k.Present))
	for i := range k.Present {
		stats, _ := k.Group(i)
		weight[i] = k.Task.WeightOf(stats)
		total += weight[i]
		for j, v := range stats {
			probabilities[i*w+j] = v / weight[i]
			mean[j] += v
		}
	}
	for i := range probabilities {
		probabilities[i] -= mean[i%w] / total
	}
	v := farthest(probabilities, weight, w)
	next := make([]float64, w)
	for range powerSteps {
		clear(next)
		for i := range k.Present {
			row := probabilities[i*w : (i+1)*w]
			t := float64(weight[i] * dot(row, v))
			for j := range next {
				next[j] += float64(t * row[j])
			}
		}
		length := math.Sqrt(dot(next, next))
		if length == 0 {
			break
		}
		for j := range v {
			v[j] = next[j] / length
		}
	}
	for i := range k.Present {
		k.score[i] = dot(probabilities[i*w:(i+1)*w], v)
	}
}

// farthest returns a copy of the row that lies farthest from zero by weight: a start that is not
// orthogonal to the first principal component.
func farthest(rows, weight []float64, w int) []float64 {
	best, at := -1.0, 0
	for i := range weight {
		row := rows[i*w : (i+1)*w]
		if d := weight[i] * dot(row, row); d > best {
			best, at = d, i
		}
	}
	return slices.Clone(rows[at*w : (at+1)*w])
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}
