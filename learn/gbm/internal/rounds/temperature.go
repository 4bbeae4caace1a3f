package rounds

import "math"

// Scores are multiplied by at least one half and by two at most.
const leastScale, mostScale = 0.5, 2.0

// Temperature returns what scores are divided by, so that a convex loss of them is least, in
// thousandths; 0: it does not lower their metric on blocks of rows by more than one standard error.
// loss and blocks get a temperature.
func Temperature(loss func(t float64) float64, blocks func(t float64) []float64,
	higher bool) float64 {
	const golden = 0.618
	low, high := leastScale, mostScale
	at := func(part float64) float64 { return low + float64(part*(high-low)) }
	for high-low > 1e-3 {
		if a, b := at(1-golden), at(golden); loss(1/a) < loss(1/b) {
			high = b
		} else {
			low = a
		}
	}
	t := math.Round(1e3*2/(low+high)) / 1e3
	m := Metric{Higher: higher}
	gains := m.blockGains(&Trial{Blocks: blocks(t)}, &Trial{Blocks: blocks(1)})
	if mean, deviation := meanOf(gains); !(mean > deviation) {
		return 0
	}
	return t
}
