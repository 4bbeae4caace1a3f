package reproductions

import (
	"math"
	"testing"
)

func TestSpambase(t *testing.T) {
	r := spambaseOf(t.Context(), &Env{}, spambaseSize{splits: 1, ensembles: 1, trees: 10, leaves: []int{2, 17}})
	row := spambase
	whole(t, &row, r)
	sum := 0.0
	for _, c := range r.Claims[1:5] {
		sum += c.Ours
	}
	if math.Abs(sum-100) > 1e-9 ||
		math.Abs(r.Claims[0].Ours-r.Claims[1].Ours-r.Claims[2].Ours) > 1e-9 {
		t.Errorf("the four kinds of mail are %g %% of all; the error is %g %%", sum,
			r.Claims[0].Ours)
	}
	if c := r.Claims[0]; c.Ours < 6 || c.Ours > 13 {
		t.Errorf("error %g %%", c.Ours)
	}
	for _, c := range r.Claims[len(r.Claims)-len(spambaseEnsembles):] {
		if c.Ours >= r.Claims[0].Ours {
			t.Errorf("%s is %g, and %g that of one tree", c.What, c.Ours, r.Claims[0].Ours)
		}
	}
}
