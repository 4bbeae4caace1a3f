package gbm

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
)

// draw returns the matrix rows that a round is grown on, ascending; nil = all.
func (b *boost) draw(round int) []int32 {
	share := b.learner.Subsample
	n := len(b.train.rows)
	if share == 1 {
		return b.at
	}
	take := min(n, max(1, int(math.Round(share*float64(n)))))
	stream := rng.New(b.Seed, purposeRows, uint64(round))
	rows := make([]int32, 0, take)
	for i := range n { // selection sampling (Knuth, The Art of Computer Programming 2, algorithm 3.4.2S)
		if stream.Intn(n-i) < take-len(rows) {
			rows = append(rows, b.matrixRow(i))
		}
	}
	return slices.Clip(rows)
}
