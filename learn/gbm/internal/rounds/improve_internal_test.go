package rounds

import (
	"maps"
	"strings"
	"testing"
)

// TestWinnersOfMuchAreImproved: where a winner gains 15 % or more, choices that lose beside the
// default are tried beside the winner, one after the other, within once more the budget.
func TestWinnersOfMuchAreImproved(t *testing.T) {
	base := stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.4, 0.002, 1),
		"colsample=1": flat(0.51, 0.002, 1), "colsample=1 leaves=8": flat(0.3, 0.002, 1),
		"categories=native colsample=1 leaves=8": flat(0.2, 0.002, 1.5)}
	with := func(settings string, s stub) stubs {
		of := maps.Clone(base)
		of[settings] = s
		return of
	}
	failed := flat(0.2, 0.002, 1.5)
	failed.failed = true
	for _, c := range []struct {
		name   string
		of     stubs
		budget float64
		want   string
	}{
		{"two steps", base, 100, "categories=native colsample=1 leaves=8"},
		{"what waits for others", with("growth=symmetric", flat(0.1, 0.002, 1.5)), 100,
			"growth=symmetric"},
		{"a small gain", with("leaves=8", flat(0.44, 0.002, 1)), 100, "leaves=8"},
		{"within the noise", with("colsample=1 leaves=8", flat(0.399, 0.2, 1)), 100, "leaves=8"},
		{"a trial that fails", with("categories=native colsample=1 leaves=8", failed), 100,
			"colsample=1 leaves=8"},
		{"little work", base, 10, "categories=native colsample=1 leaves=8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, usual := stubbed(t, 3, 1, c.budget, c.of, nil)
			r.Challengers[2] = append(r.Challengers[2], &Candidate{Factor: "leaves",
				Settings: []string{"growth=symmetric"}, Weight: 2, Upon: "columns"})
			if got := strings.Join(winnerOf(t, r, usual).Settings, " "); got != c.want {
				t.Errorf("%q won, want %q", got, c.want)
			}
			if r.spent > 2*c.budget {
				t.Errorf("%v spent of twice %v", r.spent, c.budget)
			}
		})
	}
}
