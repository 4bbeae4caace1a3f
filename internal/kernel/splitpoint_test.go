package kernel

import (
	"testing"

	"pgregory.net/rapid"
)

// words returns random sums of bins that do not overflow a word's halves.
func randomWords(t *rapid.T, n int) []int64 {
	words := make([]int64, n)
	for i := range words {
		g := rapid.Int64Range(-1<<22, 1<<22).Draw(t, "g")
		words[i] = g<<32 + rapid.Int64Range(0, 1<<23).Draw(t, "h")
	}
	return words
}

func TestBestSplitPointIsThatOfTheLoop(t *testing.T) { EachPath(t, testBestSplitPointIsThatOfTheLoop) }

func testBestSplitPointIsThatOfTheLoop(t *testing.T) {
	rapid.Check(t, checkBestSplitPoint)
}

func FuzzBestSplitPoint(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkBestSplitPoint(t) }) }))
}

// checkBestSplitPoint holds SplitPoints.Best against a division for every bin.
func checkBestSplitPoint(t *rapid.T) {
	words := randomWords(t, rapid.IntRange(0, 300).Draw(t, "bins"))
	spare := randomWords(t, 2)
	total := spare[0] + spare[1]
	for _, w := range words {
		total += w
	}
	c := NewSplitPoints(total, rapid.Float64Range(0, 1e6).Draw(t, "l2"),
		rapid.Float64Range(1, 1e9).Draw(t, "lowest"))
	c.Words, c.Start = words, spare[0]
	want := bestOfAll(&c)
	if got := c.Best(); got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
	// Any score of a split point may be what others must exceed.
	if want.Bin < 0 {
		return
	}
	c.Above = want.Score * rapid.SampledFrom([]float64{0, 0.5, 0.9, 1 - 0x1p-52, 1}).Draw(t, "above")
	if got, want := c.Best(), bestOfAll(&c); got != want {
		t.Fatalf("above %v: got %v, want %v", c.Above, got, want)
	}
}

// bestOfAll is SplitPoints.Best with a division for every bin.
func bestOfAll(c *SplitPoints) SplitPoint {
	best, sum := SplitPoint{Score: c.Above, Bin: -1}, c.Start
	for b, w := range c.Words {
		sum += w
		rest := c.total - sum
		g1, h1 := float64(sum>>32), float64(uint32(sum))
		g2, h2 := float64(rest>>32), float64(uint32(rest))
		if h1 < c.lowest || h2 < c.lowest {
			continue
		}
		d1, d2 := h1+c.l2, h2+c.l2
		if score := (float64(float64(g1*g1)*d2) + float64(float64(g2*g2)*d1)) / float64(d1*d2); score > best.Score {
			best = SplitPoint{score, b, sum}
		}
	}
	return best
}

// BenchmarkBestSplitPoint scans a column that is worse than one before it, as most are.
func BenchmarkBestSplitPoint(b *testing.B) {
	words, total := make([]int64, 254), int64(0)
	for i := range words {
		words[i] = (int64(uint32(i)*2654435761>>24)-128)<<32 + 100
		total += words[i]
	}
	c := NewSplitPoints(total, 1, 1)
	c.Words = words
	c.Above = 1.1 * c.Best().Score
	for b.Loop() {
		c.Best()
	}
}
