package grow_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/learn/internal/grow"
)

func TestDepthFirst(t *testing.T) {
	q := grow.DepthFirst()
	for i := range int32(4) {
		q.Push(grow.Open{Node: i})
	}
	for want := int32(3); want >= 0; want-- {
		if o, ok := q.Pop(); !ok || o.Node != want {
			t.Fatalf("node %d, want %d", o.Node, want)
		}
	}
	if _, ok := q.Pop(); ok {
		t.Fatal("the empty queue gave a node")
	}
}

// TestBestFirst: whatever is pushed and popped in between, a node that is popped has the largest
// gain of those open, of equal ones the lowest number.
func TestBestFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := grow.BestFirst()
		var open []grow.Open
		for i, pop := range rapid.SliceOf(rapid.Bool()).Draw(t, "pop") {
			if !pop {
				o := grow.Open{Node: int32(i), Gain: float64(rapid.IntRange(0, 3).Draw(t, "gain")),
					Slot: i}
				open = append(open, o)
				q.Push(o)
				continue
			}
			peeked, there := q.(interface{ Peek() (grow.Open, bool) }).Peek()
			got, ok := q.Pop()
			if peeked != got || there != ok {
				t.Fatalf("peeked at %v, %v, popped %v, %v", peeked, there, got, ok)
			}
			if ok != (len(open) > 0) {
				t.Fatalf("pop returns %v with %d open", ok, len(open))
			}
			if !ok {
				continue
			}
			best := 0
			for k, o := range open {
				if o.Gain > open[best].Gain {
					best = k
				}
			}
			if got != open[best] {
				t.Fatalf("got %v, want %v", got, open[best])
			}
			open = slices.Delete(open, best, best+1)
		}
	})
}
