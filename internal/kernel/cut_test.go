package kernel

import (
	"testing"

	"pgregory.net/rapid"
)

// words draws sums of bins that do not overflow a word's halves.
func drawWords(t *rapid.T, n int) []int64 {
	words := make([]int64, n)
	for i := range words {
		g := rapid.Int64Range(-1<<22, 1<<22).Draw(t, "g")
		words[i] = g<<32 + rapid.Int64Range(0, 1<<23).Draw(t, "h")
	}
	return words
}

func TestBestCutIsThatOfTheLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := drawWords(t, rapid.IntRange(0, 300).Draw(t, "bins"))
		spare := drawWords(t, 2)
		c := Cuts{Words: words, Start: spare[0], L2: rapid.Float64Range(0, 1e6).Draw(t, "l2"), Lowest: rapid.Float64Range(1, 1e9).Draw(t, "lowest")}
		c.Total = c.Start + spare[1]
		for _, w := range words {
			c.Total += w
		}
		score, bin := c.Best()
		wantScore, want := c.tail(c.start())
		if score != wantScore || bin != want {
			t.Fatalf("bin %d scores %v, want %d with %v", bin, score, want, wantScore)
		}
	})
}

func BenchmarkBestCut(b *testing.B) {
	c := Cuts{Words: make([]int64, 256), L2: 1, Lowest: 1}
	for i := range c.Words {
		c.Words[i] = int64(i%17-8)<<32 + 100
		c.Total += c.Words[i]
	}
	for b.Loop() {
		c.Best()
	}
}
