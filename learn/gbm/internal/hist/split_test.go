package hist

import "testing"

// Of two splits the one of more gain is taken, of equal ones that of the lower column, and any
// rather than none. A split is not better than itself.
func TestBetterSplits(t *testing.T) {
	low, high, more, nothing := split{column: 1, gain: 5}, split{column: 4, gain: 5}, split{column: 9, gain: 6}, none()
	for _, c := range []struct {
		a, b *split
		want bool
	}{
		{&low, &high, true}, {&high, &low, false}, {&low, &low, false}, {&more, &low, true}, {&low, &more, false},
		{&low, &nothing, true}, {&nothing, &low, false}, {&nothing, &nothing, false},
	} {
		if got := c.a.better(c.b); got != c.want {
			t.Errorf("column %d, gain %v against %d, %v: %v", c.a.column, c.a.gain, c.b.column, c.b.gain, got)
		}
	}
}
