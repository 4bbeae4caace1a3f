package c45

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// TestChosenSubsets: no rule can be added to a chosen subset, or taken from it, so that the message
// becomes shorter; and the message is not longer than without any rule.
func TestChosenSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds, l := problem(t, true), learner(t)
		pop, err := grow.Gather(&ds.Target, data.AllRows(ds.Rows()))
		if err != nil {
			t.Fatal(err)
		}
		s := newSample(ds.Frame, pop)
		found, err := l.ofLeaves(t.Context(), s, ownTree(t, ds, l), nil)
		if err != nil {
			t.Fatal(err)
		}
		d := newDescription(s, l)
		for i := range found {
			found[i].bits = d.rule(found[i].conditions)
		}
		for class := range s.classes {
			own := slices.DeleteFunc(slices.Clone(found),
				func(c candidate) bool { return c.class != class })
			in, err := d.choose(t.Context(), own, class)
			if err != nil {
				t.Fatal(err)
			}
			length := func(in []bool) float64 {
				theory, number, covered := 0.0, 0, s.newSet()
				for i, c := range own {
					if in[i] {
						theory += c.bits
						number++
						for w := range covered {
							covered[w] |= c.cover[w]
						}
					}
				}
				return d.cost(theory, number, s.outcome(class, nil, covered, s.all, false),
					s.whole(class))
			}
			shortest := length(in)
			if none := length(make([]bool, len(own))); none < shortest-1e-6 {
				t.Fatalf("class %d: %g bits, without rules %g", class, shortest, none)
			}
			for i := range own {
				in[i] = !in[i]
				if other := length(in); other < shortest-2e-6 {
					t.Fatalf("class %d: %g bits, with rule %d changed %g", class, shortest, i,
						other)
				}
				in[i] = !in[i]
			}
		}
	})
}

// TestFactorials: log2(n!) and log2 C(n, k) against the gamma function.
func TestFactorials(t *testing.T) {
	ds := weather(t, "weather.nominal.csv")
	pop, err := grow.Gather(&ds.Target, data.AllRows(14))
	if err != nil {
		t.Fatal(err)
	}
	d := newDescription(newSample(ds.Frame, pop), NewRules())
	for n := range 15 {
		want, _ := math.Lgamma(float64(n) + 1)
		if got := d.factorial(float64(n)); math.Abs(got-want/math.Ln2) > 1e-12 {
			t.Errorf("log2 %d! = %g, want %g", n, got, want/math.Ln2)
		}
	}
	if got, want := d.ways(14, 5), math.Log2(2002); math.Abs(got-want) > 1e-12 {
		t.Errorf("log2 C(14, 5) = %g, want %g", got, want)
	}
	if got, want := d.factorial(3.25),
		0.75*math.Log2(6)+0.25*math.Log2(24); math.Abs(got-want) > 1e-12 {
		t.Errorf("log2 3.25! = %g, want %g", got, want)
	}
}
