package kernel

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSplitPointGains(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkSplitPointGains) })
}

func FuzzSplitPointGains(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkSplitPointGains(t) }) }))
}

// checkSplitPointGains holds SplitPointGains.AddTo against sums of numbers, bin by bin.
func checkSplitPointGains(t *rapid.T) {
	words := randomWords(t, rapid.IntRange(0, 300).Draw(t, "bins"))
	for i := rapid.IntRange(0, len(words)).Draw(t, "empty"); i > 0; i-- { // small leaves have many
		words[rapid.IntRange(0, len(words)-1).Draw(t, "bin")] = 0
	}
	spare := randomWords(t, 2)
	c := SplitPointGains{Words: words, Start: spare[0] + 1, Total: spare[0] + spare[1] + 2,
		L2: rapid.Float64Range(0, 1e6).Draw(t, "l2"), Base: rapid.Float64Range(0, 1e9).Draw(t, "base"),
		Scale:  rapid.Float64Range(1e-9, 1).Draw(t, "scale"),
		Weight: rapid.SampledFrom([]float64{1, 0.3}).Draw(t, "weight")}
	for _, w := range words {
		c.Total += w
	}
	got := make([]float64, len(words)+1)
	for i := range got {
		got[i] = rapid.Float64Range(-1e9, 1e9).Draw(t, "before")
	}
	want := slices.Clone(got)
	g1, h1 := float64(c.Start>>32), float64(uint32(c.Start))
	g, h := float64(c.Total>>32), float64(uint32(c.Total))
	for b, w := range words {
		g1 += float64(w >> 32)
		h1 += float64(uint32(w))
		g2, h2 := g-g1, h-h1
		score := float64(g1*g1)/(h1+c.L2) + float64(g2*g2)/(h2+c.L2)
		want[b] += float64((score - c.Base) * c.Scale * c.Weight)
	}
	c.AddTo(got)
	for b := range want {
		if math.Float64bits(got[b]) != math.Float64bits(want[b]) {
			t.Fatalf("bin %d of %d: got %v, want %v", b, len(words), got[b], want[b])
		}
	}
}

// BenchmarkSplitPointGains adds the gains of a leaf with rows in every bin, and of one with few.
func BenchmarkSplitPointGains(b *testing.B) {
	for name, step := range map[string]int{"full": 1, "few": 16} {
		words, total := make([]int64, 254), int64(0)
		for i := 0; i < len(words); i += step {
			words[i] = (int64(uint32(i)*2654435761>>24)-128)<<32 + 100
			total += words[i]
		}
		c, sums := SplitPointGains{Words: words, Total: total, L2: 1, Scale: 1, Weight: 1}, make([]float64, 254)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c.AddTo(sums)
			}
		})
	}
}
