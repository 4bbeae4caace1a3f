package encode

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/input"
)

// Training rows that are alone with their keys show what new keys are like, where there are enough
// of them: this fraction of the rows, by weight, and as many as a leaf needs to be of use.
const (
	aloneFraction = 0.01
	aloneRows     = 20
)

// fewAlone reports whether few training rows are alone with their keys, given the weight that each
// one's key has without it. Then trees have hardly met the count 0, and every split would send new
// keys to the side of the rarest ones; nor have they met the prior often, which only the first row
// of each key has.
func (p *problem) fewAlone(remaining []float64) bool {
	all, alone, rows := 0.0, 0.0, 0
	for i, r := range p.rows {
		w := p.weightAt(i)
		if all += w; remaining[r] == 0 {
			alone += w
			rows++
		}
	}
	return rows < aloneRows || alone < aloneFraction*all
}

// middle returns the number of the key that the middle one of the rows has, in the order of a
// column's numbers. With it, a new key is on the heavier side of every split of the column.
func middle(c *input.Column, t *input.Table) float64 {
	type key struct{ value, count float64 }
	keys, all := make([]key, len(t.Key)), 0.0
	for k, n := range t.Count {
		sum := 0.0
		if c.Kind == input.Target {
			sum = t.Sum[int(c.Output)*len(t.Key)+k]
		}
		keys[k] = key{c.Value(n, sum), n}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.count, b.count))
	})
	for _, k := range keys {
		all += k.count
	}
	sum := 0.0
	for _, k := range keys {
		if sum += k.count; 2*sum >= all {
			return k.value
		}
	}
	return c.Unseen()
}
