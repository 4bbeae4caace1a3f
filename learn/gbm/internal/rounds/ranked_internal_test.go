package rounds

import (
	"slices"
	"testing"
)

// searchOf returns a search for a ranking, of which early stopping waits for 4 rounds: a round is
// averaged with one before and one behind it.
func searchOf(higher bool) *Search {
	return &Search{Higher: higher, Ranking: true, Patience: 4}
}

// The rounds from 4 to 8 are alike, within two standard errors, for one fold prefers the first of
// them and one the last. Round 3 and round 9 are worse in both. One fold has split nothing since
// its tenth round.
func TestMiddleOfRoundsThatAreAlike(t *testing.T) {
	first := []float64{1, 2, 5, 9, 9, 8.8, 8.6, 8.4, 5, 2}
	last := []float64{1, 2, 5, 8.4, 8.6, 8.8, 9, 9, 5, 2, 2, 2}
	for _, higher := range []bool{true, false} {
		curves := [][]float64{slices.Clone(first), slices.Clone(last)}
		if !higher {
			for _, c := range curves {
				for i := range c {
					c[i] = -c[i]
				}
			}
		}
		r := searchOf(higher)
		for i := range last {
			r.Enter((curves[0][min(i, len(first)-1)] + curves[1][i]) / 2)
		}
		r.settleRanked(curves)
		if r.Best != 6 {
			t.Errorf("higher is better: %t: round %d, want 6", higher, r.Best)
		}
	}
}

// Early in a search the best round is that of the first metric, until its neighbours are there.
func TestRankedRoundsWaitForTheirNeighbours(t *testing.T) {
	r := searchOf(true)
	var best []int
	for _, mean := range []float64{3, 1, 5, 5, 2} { // averages 2, 3, 3.7, 4
		r.Enter(mean)
		best = append(best, r.Best)
	}
	if want := []int{1, 1, 2, 3, 4}; !slices.Equal(best, want) {
		t.Errorf("best rounds so far %v, want %v", best, want)
	}
}
