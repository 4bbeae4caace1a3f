package grow

import "testing"

// The rule by its definition, on sides that differ in one thing at a time.
func TestUnseenLast(t *testing.T) {
	for _, c := range []struct {
		name        string
		first, last Side
		want        bool
	}{
		{"heavier last", Side{Weight: 1}, Side{Weight: 2}, true},
		{"heavier first", Side{Weight: 2}, Side{Weight: 1}, false},
		{"weight before distance", Side{Weight: 2, Distance: 9}, Side{Weight: 1}, false},
		{"nearer last", Side{1, 3, 7}, Side{1, 2, 1}, true},
		{"nearer first", Side{1, 2, 1}, Side{1, 3, 7}, false},
		{"weights of another order of rows", Side{1 + 1e-12, 3, 7}, Side{1, 2, 1}, true},
	} {
		if got := UnseenLast(c.first, c.last, 1, 2, 3); got != c.want {
			t.Errorf("%s: last %v, not %v", c.name, got, c.want)
		}
	}
}

// Where weight and distance are equal, the choice is of means, not of places: exchanged sides give
// the other answer. Over nodes, trees and seeds both sides are chosen about as often.
func TestUnseenLastOfEqualSides(t *testing.T) {
	low, high := Side{Weight: 5, Distance: 1, Mean: -1}, Side{Weight: 5, Distance: 1, Mean: 1}
	count := 0
	for i := range 1000 {
		seed, tree, node := uint64(i%10), i/10%10, i/100
		last := UnseenLast(low, high, seed, tree, node)
		if UnseenLast(high, low, seed, tree, node) == last {
			t.Fatalf("seed %d, tree %d, node %d: the place of a side decides", seed, tree, node)
		}
		if last {
			count++
		}
	}
	if count < 400 || count > 600 {
		t.Errorf("the higher side was chosen %d times of 1000", count)
	}
}
