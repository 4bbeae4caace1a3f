package hist

import "testing"

// A set of categories is tried if it has rows enough for a leaf, and the others and those that came
// since the last one that was tried are a group. Without a least group every set is.
func TestSetsOfFewRowsAreNotTried(t *testing.T) {
	c := Config{Regularization: Regularization{MinLeaf: 12}, Categories: Categories{MinGroup: 10}}
	before := int32(0)
	for _, try := range []struct {
		rows, before int32
		want         bool
	}{
		{11, 0, false}, {12, 12, true}, {21, 12, false}, {22, 22, true}, {91, 22, false}, {90, 90, true},
	} {
		if got := c.tryGroup(try.rows, &before, 100); got != try.want || before != try.before {
			t.Errorf("%d rows of 100: %v, the last set has %d, want %v, %d", try.rows, got, before,
				try.want, try.before)
		}
	}
	for _, least := range []int{0, 1} {
		if c.MinGroup = least; !c.tryGroup(0, &before, 100) || before != 90 {
			t.Errorf("a least group of %d: a set is not tried, or is noted with %d rows", least, before)
		}
	}
	if c.MinGroup = 2; c.tryGroup(99, &before, 100) {
		t.Error("one row is a group of two")
	}
}
