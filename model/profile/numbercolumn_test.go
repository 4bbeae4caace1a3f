package profile

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// described is what numbers come to, the sample in order.
func described(values []float64, most, together int) map[string]any {
	c, p := newNumbers(most), &powers{}
	c.whole = true
	for part := range slices.Chunk(values, together) {
		c.add(part, p)
	}
	p.take(&c.sum)
	c.end()
	slices.Sort(c.sample)
	d := map[string]any{"missing": c.missing, "infinite": c.infinite, "empty": c.empty, "finite": c.finite,
		"sample": c.sample}
	if c.finite > 0 {
		d["min"], d["max"] = c.min, c.max
		d["mean"], d["std"] = c.sum.moments(c.finite)
	}
	return d
}

// Numbers that are counted, added up at once, or counted at first, come to the same.
func TestCountedAndAddedNumbersAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 5e-324, -2e-310,
			math.MaxFloat64, -math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)}))
		values := rapid.SliceOfN(value, 0, 50).Draw(t, "values")
		counted := described(values, len(values)+1, len(values)+1)
		added := described(values, rapid.IntRange(0, len(values)).Draw(t, "most"), rapid.IntRange(1, 60).Draw(t, "together"))
		if diff := cmp.Diff(counted, added); diff != "" {
			t.Fatal(diff)
		}
	})
}

// No word overflows where very many numbers of the longest fractions are added up.
func TestSumsOfManyNumbers(t *testing.T) {
	for _, v := range []float64{math.MaxFloat64, -math.MaxFloat64, math.Nextafter(2, 0), math.Nextafter(0x1p-1022, 0)} {
		c, p := newNumbers(0), &powers{}
		same := slices.Repeat([]float64{v}, 4096)
		const times = 3 * mostTogether / 4096 / 2
		for range times {
			c.add(same, p)
		}
		p.take(&c.sum)
		if mean, std := c.sum.moments(c.finite); mean != v || std != 0 {
			t.Fatalf("%d times %v has a mean of %v and a deviation of %v", c.finite, v, mean, std)
		}
		var s sum
		s.add(v, math.MaxInt32)
		if mean, std := s.moments(math.MaxInt32); mean != v || std != 0 {
			t.Fatalf("%v has a mean of %v and a deviation of %v", v, mean, std)
		}
	}
}
