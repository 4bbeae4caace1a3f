package hist

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
)

// drawLevels is draw of a symmetric tree whose split points are scored by words.
func drawLevels(t *rapid.T) problem {
	p := draw(t)
	p.c.Policy, p.c.Depth, p.c.Leaves = Symmetric, rapid.IntRange(1, 4).Draw(t, "levels"), 0
	p.c.L1, p.c.MaxDeltaStep, p.c.Double = 0, 0, false
	return p
}

// TestLevelsAreTheBest: each level is split by what its leaves together gain most by, as brute
// force finds it.
func TestLevelsAreTheBest(t *testing.T) {
	kerneltest.EachPath(t, func(t *testing.T) { rapid.Check(t, checkLevels) })
}

func checkLevels(t *rapid.T) {
	p := drawLevels(t)
	p.c.Gamma, p.c.Unseen = 0, false
	grown := p.grow(t)
	rows := p.rowsOf(grown.grown)
	gain := func(level [][]int32, first func(row int32) bool) (sum float64) {
		for _, rows := range level {
			sum += p.gain(rows, first)
		}
		return sum
	}
	level := [][]int32{rows[0]}
	for coming := grown.split; len(coming) > 0; coming = coming[len(level)/2:] {
		most, next := 0.0, [][]int32{}
		p.everyWay(func(first func(int32) bool) { most = max(most, gain(level, first)) })
		s := coming[0].split
		found := gain(level, func(r int32) bool {
			return s.toFirst(&p.m.Columns[s.column], p.codes[s.column][r])
		})
		if math.Abs(found-most) > 1e-6*(1+most) {
			t.Fatalf("a level is split by a gain of %v, brute force finds %v", found, most)
		}
		for _, l := range coming[:len(level)] {
			next = append(next, rows[l.first.node], rows[l.last.node])
		}
		level = next
	}
}

// TestLevelsByWords: split points that are scored by words have the bits of those that are scored
// one by one, as with ExtraRandom, which symmetric trees have no other use for.
func TestLevelsByWords(t *testing.T) {
	kerneltest.EachPath(t, func(t *testing.T) { rapid.Check(t, checkLevelsByWords) })
}

func checkLevelsByWords(t *rapid.T) {
	p := drawLevels(t)
	p.c.Cosine = rapid.Bool().Draw(t, "cosine")
	if rapid.Bool().Draw(t, "weights of columns") {
		for range p.m.Columns {
			w := rapid.SampledFrom([]float64{0.3, 1, 2}).Draw(t, "weight of a column")
			p.c.ColumnWeight = append(p.c.ColumnWeight, w)
		}
	}
	got := p.grow(t)
	p.c.ExtraRandom = true
	want := p.grow(t)
	if len(got.split) != len(want.split) {
		t.Fatalf("%d splits, want %d", len(got.split), len(want.split))
	}
	for i := range want.split {
		a, b := &got.split[i].split, &want.split[i].split
		if a.column != b.column || a.bin != b.bin || a.missing != b.missing ||
			a.inName != b.inName || a.first != b.first ||
			math.Float64bits(a.gain) != math.Float64bits(b.gain) {
			t.Fatalf("split %d: %+v, want %+v", i, *a, *b)
		}
	}
}
