package sample

import "github.com/coppice-ml/coppice/internal/rng"

// newAll takes every unit once.
func newAll(p stratum) stratumSampler { return all(p.size) }

type all int

func (a all) sample(count []uint32, _ *rng.Stream) {
	for i := range count[:a] {
		count[i] = 1
	}
}
