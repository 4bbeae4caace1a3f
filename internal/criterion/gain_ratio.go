package criterion

import "github.com/coppice-ml/coppice/internal/kernel"

// gainRatio is the decrease of entropy divided by the split information, which is the entropy of
// the sizes of the children (Quinlan 1993, section 2.2).
type gainRatio struct{ entropy }

func newGainRatio(int) Criterion { return gainRatio{} }

// SplitInfo is in bits per unit of weight: 1 for halves.
func (gainRatio) SplitInfo(first []float64, total float64) {
	for i, a := range first {
		first[i] = 0
		if b := total - a; a > 0 && b > 0 {
			first[i] = (float64(a*kernel.Log2(total/a)) + float64(b*kernel.Log2(total/b))) / total
		}
	}
}

// Scan maximises the ratio in the terms of the entropy's Scan: with f(n) = n log2 n and n, m rows
// on the sides,
//
//	gain   = f(N) - f(n) - f(m) - sum_k f(N_k) + sum_k f(n_k) + sum_k f(m_k)
//	N info = f(N) - f(n) - f(m)
func (gainRatio) Scan(c *Column, b *Best) {
	from, to := c.window()
	if b.At = 0; to < from {
		return
	}
	best, logs := newSearcher(), logsUpTo(c.Node)
	f := logs.value
	all, classes := f[c.Node], int64(0)
	for _, n := range c.Total {
		classes += f[int(n)]
	}
	tie, rows := float64(c.Tie*logs.scale), float64(c.Node)
	logs.scan(c, b.begin(c), from, to, func(at, n int, sum int64) {
		info := all - f[n] - f[c.Node-n]
		gain := float64(info - classes + sum)
		// The gain must be larger by the tie than what would make the ratios equal.
		if num, den := gain-tie, float64(info)/rows; best.better(num, den) {
			best.take(at, gain, den, 0)
		}
	})
	b.end(c, best.at)
}
