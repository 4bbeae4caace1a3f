package hist

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Scores are plain without the terms that bound, shrink or smooth values, and only then.
func TestPlainTerms(t *testing.T) {
	for _, c := range []struct {
		t     terms
		plain bool
	}{{terms{}, true}, {terms{l2: 3, soft: true}, true}, {terms{l1: 1}, false}, {terms{step: 1}, false}, {terms{smooth: 1}, false}} {
		if c.t.plain() != c.plain {
			t.Errorf("%+v is plain: %v", c.t, !c.plain)
		}
	}
}

// Values and scores are the least of the loss of a leaf: no value near it has a lower one, within
// its bounds. Scores of plain terms, and those without bounds, are the same by their short cuts.
func TestTermsAreTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(most int, what string) float64 { return float64(rapid.IntRange(0, most).Draw(t, what)) }
		c := Config{Regularization: Regularization{L1: number(3, "l1"), L2: number(2, "l2"), MaxDeltaStep: number(2, "step") / 2}}
		terms := c.terms(number(1, "more l2"))
		s := pair{number(40, "g") - 20, number(9, "h")}
		l := free()
		if rapid.Bool().Draw(t, "bounded") {
			l = limits{number(4, "lower") - 4, number(4, "upper")}
		}
		loss := func(w float64) float64 {
			return 2*s.g*w + (s.h+terms.l2)*w*w + 2*terms.l1*math.Abs(w)
		}
		w := terms.value(s, l, 5, 7)
		if !(s.h+terms.l2 > 0) {
			if w != l.clamp(0) {
				t.Errorf("value %v without curvature", w)
			}
			return
		}
		for _, d := range []float64{1e-3, -1e-3, 0.5, -0.5} {
			if x := l.clamp(w + d); (terms.step == 0 || math.Abs(x) <= terms.step) && loss(x) < loss(w)-1e-9 {
				t.Errorf("%+v, %+v within %v: the loss of %v is %v, of %v %v", s, terms, l, w, loss(w), x, loss(x))
			}
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*(1+math.Abs(b)) }
		if got := terms.best(s, l, 5, 7); !near(got, -loss(w)) {
			t.Errorf("%+v, %+v within %v: the score is %v, want %v", s, terms, l, got, -loss(w))
		}
		if got := terms.plainScore(s); terms.plain() && l == free() && !near(got, -loss(w)) {
			t.Errorf("%+v, %+v: the plain score is %v, want %v", s, terms, got, -loss(w))
		}
		terms.smooth = number(3, "smooth") + 1
		k := 5 / terms.smooth
		if bounded := w; l == free() {
			if got := terms.value(s, l, 5, 7); !near(got, bounded*k/(k+1)+7/(k+1)) {
				t.Errorf("smoothed by %v: %v, want %v of %v and 7", terms.smooth, got, bounded*k/(k+1)+7/(k+1), bounded)
			}
		}
	})
}
