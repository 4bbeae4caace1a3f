package trees

import "sync"

// Background is a table whose rows stand for unknown values: what a set of columns is worth is the
// mean of a tree's values over its rows, each with the known values in place of its own
// (interventional Shapley values: Janzing, Minorics & Blöbaum 2020).
type Background struct {
	Blocks []*Block // full ones, except for the last
	once   sync.Once
	rows   [][]float64
}

// Rows returns the number of rows.
func (b *Background) Rows() int {
	n := 0
	for _, block := range b.Blocks {
		n += block.Rows
	}
	return n
}

// lines returns the values row by row.
func (b *Background) lines() [][]float64 {
	b.once.Do(func() {
		for _, block := range b.Blocks {
			for r := range block.Rows {
				line := make([]float64, block.Columns)
				block.line(line, r)
				b.rows = append(b.rows, line)
			}
		}
	})
	return b.rows
}

// line writes the values of a row.
func (b *Block) line(dst []float64, row int) {
	for c := range dst {
		dst[c] = b.X[c*b.Stride+row]
	}
}

// A row x and a row b of the background make a game of each leaf. Of its players some are satisfied
// by x alone, a of them, some by b alone, others by both. If a player is satisfied by neither, all
// sets are worth nothing. Else a set is worth the leaf's value if it has the first and none of the
// second. The weights of sets add up to setWeight.

// setWeight returns s! t! / (s+t+1)!, the integral of p^s (1-p)^t from 0 to 1.
func setWeight(s, t int) float64 {
	if most := len(setWeights); s < most && t < most {
		return setWeights[s][t]
	}
	w := 1 / float64(t+1)
	for i := 1; i <= s; i++ {
		w *= float64(i) / float64(i+t+1)
	}
	return w
}

// setWeights are those of few players.
var setWeights = func() (w [32][32]float64) {
	for s := range w {
		for t := range w[s] {
			w[s][t] = 1 / float64(t+1)
			if s > 0 {
				w[s][t] = w[s-1][t] * (float64(s) / float64(s+t+1))
			}
		}
	}
	return w
}()

// weights are the cells of a leaf of value 1, by how the players are satisfied.
type weights struct{ a, b, aa, ab, bb float64 }

// weightsOf returns the weights for a players that x alone satisfies and b that the background's
// row alone does.
func (x Index) weightsOf(a, b int) weights {
	var w weights
	if x == Singles {
		if a > 0 {
			w.a = setWeight(a-1, b)
		}
		if b > 0 {
			w.b = -setWeight(a, b-1)
		}
		return w
	}
	if a > 1 {
		w.aa = setWeight(a-2, b) / 2
	}
	if a > 0 && b > 0 {
		w.ab = -setWeight(a-1, b-1) / 2
	}
	if b > 1 {
		w.bb = setWeight(a, b-2) / 2
	}
	return w
}
