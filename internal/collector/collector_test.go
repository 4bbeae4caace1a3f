package collector

import "testing"

func TestLargeMemoryGrowsByAShareSmallMemoryByAnAmount(t *testing.T) {
	for live, want := range map[uint64]int{0: 1200, 1 << 20: 1200, 48 << 20: 100, 480 << 20: 10, 8 << 30: 10} {
		if got := percent(live); got != want {
			t.Errorf("%d bytes: %d %%, want %d %%", live, got, want)
		}
	}
}
