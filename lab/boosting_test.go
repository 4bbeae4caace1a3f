package lab

import (
	"slices"
	"testing"
)

// TestEdge: on few rows both statements hold, and the bound is no more than one learner of that edge gives.
func TestEdge(t *testing.T) {
	r := edgeOf(60, []float64{0.3, 0.5}, 3)
	if !r.Kept() {
		t.Errorf("%+v", r.Findings)
	}
	wrong, bound := boostDrawn(60, 40, 0.4, 7)
	if wrong[0] < 0.25 || wrong[0] > 0.3 || bound[0] > 0.93 || len(wrong) != 40 {
		t.Errorf("first round: error %g, bound %g", wrong[0], bound[0])
	}
}

// TestLettersSmall: a few rounds on some of the letters tell what the long run tells.
func TestLettersSmall(t *testing.T) {
	r, err := lettersOf(t.Context(), &Room{}, lettersSize{train: 600, rounds: []int{1, 3, 5}, stumps: 4})
	if err != nil {
		t.Fatal(err)
	}
	row := letters()
	whole(t, &row, r)
	if last := r.Claims[len(r.Claims)-3]; len(r.Tables) != 2 || len(r.Tables[0].Rows) != 3 || !(last.Ours < 10) {
		t.Errorf("%+v", r)
	}
}

// TestUpTo: the curve of the test error ends with the last round.
func TestUpTo(t *testing.T) {
	for last, want := range map[int][]int{1: {1}, 5: {1, 2, 3, 4, 5}, 10: {1, 2, 3, 4, 6, 9, 10}} {
		if got := upTo(last); !slices.Equal(got, want) {
			t.Errorf("up to %d: %v, want %v", last, got, want)
		}
	}
}
