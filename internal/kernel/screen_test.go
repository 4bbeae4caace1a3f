package kernel

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzScreen: where a screen reports that no split point scores above a limit, none does.
func FuzzScreen(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(5*seed), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, bins, sizes uint8) {
		s := rng.New(seed)
		n := 1 + int(bins)%60
		words := make([]int64, (n+3)&^3)
		var total int64
		for b := range n {
			g, h := int64(s.Intn(1<<(sizes%22)+1))-1<<(sizes%22)/2, int64(s.Intn(1<<(sizes%22)+1))
			words[b] = g<<32 + h
			total += words[b]
		}
		usual := s.Intn(n)
		start := int64(0)
		if seed%3 == 0 {
			start = int64(s.Intn(9))
			total += start
		}
		l2, lowest := float64(s.Intn(3)), float64(1+s.Intn(5))
		p := NewSplitPoints(total, l2, lowest)
		p.Words, p.Start = slices.Clone(words[:n]), start
		best := p.tail(p.start())
		screen := NewScreen(total, l2, lowest)
		words[usual] = 0
		// start counts among the bins too where it is that of missing values, the last
		at := words
		if start != 0 {
			at = make([]int64, (n+4)&^3)
			copy(at, words[:n])
			at[n] = start
		}
		for _, limit := range []float64{0, best.Score * 0.5, best.Score * 0.999999999, best.Score,
			best.Score * 1.5} {
			screen.Above(limit)
			may := screen.May(at, usual, start)
			if p.Above = limit; !may && p.tail(p.start()).Bin >= 0 {
				t.Fatalf("a score of %v is not seen above %v, words %v", best.Score, limit, words)
			}
		}
	})
}

// TestScreenPassesOver: columns that score far below the limit are not tried.
func TestScreenPassesOver(t *testing.T) {
	s := rng.New(5)
	words := make([]int64, 40)
	var total int64
	for b := range words[:37] {
		words[b] = int64(s.Intn(1<<24)-1<<23)<<32 + int64(s.Intn(1<<24))
		total += words[b]
	}
	p := NewSplitPoints(total, 0, 1)
	p.Words = slices.Clone(words[:37])
	best := p.tail(p.start())
	words[9] = 0
	screen := NewScreen(total, 0, 1)
	if screen.Above(1.01 * best.Score); screen.May(words, 9, 0) == screens() {
		t.Errorf("whether a column of lower scores is tried: %v", !screens())
	}
	if screen.Above(0.99 * best.Score); !screen.May(words, 9, 0) {
		t.Error("a column of higher scores is not tried")
	}
}
