package boost

import "testing"

func TestSchedule(t *testing.T) {
	s := Schedule{LearningRate: 0.5, Decay: 0.5,
		Starts: []RateFrom{{Round: 2, Rate: 0.25}, {Round: 3, Rate: 1}}}
	for round, want := range []float64{0.5, 0.25, 0.0625, 0.125} {
		if got := s.rate(round); got != want {
			t.Errorf("round %d has the rate %v, want %v", round, got, want)
		}
	}
}
