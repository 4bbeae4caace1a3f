package memory

import "testing"

func TestLargeMemoryGrowsByAFractionSmallMemoryByAnAmount(t *testing.T) {
	for live, want := range map[uint64]int{0: 500, 1 << 20: 500, 20 << 20: 100, 200 << 20: 10,
		400 << 20: 5, 8 << 30: 3} {
		if got := garbagePercent(live); got != want {
			t.Errorf("%d bytes: %d %%, want %d %%", live, got, want)
		}
	}
}
