package criterion

import "github.com/coppice-ml/coppice/internal/kernel"

// gainRatio is the decrease of entropy divided by the split information, which is the entropy of the sizes of the
// children (Quinlan 1993, section 2.2).
type gainRatio struct{ entropy }

func newGainRatio(classes int) Criterion { return gainRatio{entropy{classes}} }

// SplitInfo is in bits per unit of weight: 1 for halves.
func (gainRatio) SplitInfo(first []float64, total float64) {
	for i, a := range first {
		first[i] = 0
		if b := total - a; a > 0 && b > 0 {
			first[i] = (float64(a*kernel.Log2(total/a)) + float64(b*kernel.Log2(total/b))) / total
		}
	}
}

// Scan maximises the ratio in the terms of the entropy's Scan: with f(n) = n log2 n and n, m rows on the sides,
//
//	gain   = f(N) - f(n) - f(m) - sum_k f(N_k) + sum_k f(n_k) + sum_k f(m_k)
//	N info = f(N) - f(n) - f(m)
func (gainRatio) Scan(c *Column, b *Best) {
	s := newEntropyScan(c, b)
	from, to := c.window()
	best := newSearcher()
	known, f := c.Known, s.logs.value
	whole := f[c.Node]
	loss := whole
	for _, n := range c.Total {
		loss -= f[int(n)]
	}
	tie := float64(c.Tie * s.logs.scale)
	rows := float64(c.Node)
	mask := uint32(1)<<c.Shift - 1
	for i := 0; i < to; i++ {
		key := known[i].Key
		s.move(key & mask)
		if key>>c.Shift == known[i+1].Key>>c.Shift || i+1 < from {
			continue
		}
		n := c.Rows + i + 1
		info := whole - f[n] - f[c.Node-n]
		gain := float64(info - (whole - loss) + s.sum)
		// The gain must be larger by the tie than what would make the ratios equal.
		if num, den := gain-tie, float64(info)/rows; best.better(num, den) {
			best.take(i+1, gain, den, 0)
		}
	}
	b.At = best.at
	b.count(c)
}
