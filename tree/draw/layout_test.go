package draw

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var unit = spacing{sibling: 2, cousin: 4, level: 10}

func boxesOf(n, w, h int) []box {
	boxes := make([]box, n)
	for i := range boxes {
		boxes[i] = box{w: w, h: h}
	}
	return boxes
}

func TestTidyByHand(t *testing.T) {
	// root(a(c, d), b): b stands beside a, beyond no one of the deepest level.
	s := shape{parent: []int{-1, 0, 1, 1, 0}, level: []int{0, 1, 2, 2, 1}}
	boxes := boxesOf(5, 10, 6)
	w, h := tidy(boxes, s, unit, false)
	want := []box{{12, 0, 10, 6}, {6, 16, 10, 6}, {0, 32, 10, 6}, {12, 32, 10, 6}, {18, 16, 10, 6}}
	if diff := cmp.Diff(want, boxes, cmp.AllowUnexported(box{})); diff != "" || w != 28 || h != 38 {
		t.Errorf("size %d x %d, want 28 x 38; -want +got\n%s", w, h, diff)
	}
	boxes = boxesOf(5, 6, 10)
	w, h = tidy(boxes, s, unit, true)
	for i, b := range want {
		want[i] = box{b.y, b.x, b.h, b.w}
	}
	if diff := cmp.Diff(want, boxes, cmp.AllowUnexported(box{})); diff != "" || w != 38 || h != 28 {
		t.Errorf("sideways: size %d x %d, want 38 x 28; -want +got\n%s", w, h, diff)
	}
}

// A chain of 100,000 levels is the worst case for a layout that copies outlines.
func TestTidyDeepChain(t *testing.T) {
	const depth = 100_000
	s := shape{parent: []int{-1}, level: []int{0}}
	for d := range depth {
		at := len(s.parent) - 1
		s.parent, s.level = append(s.parent, at, at), append(s.level, d+1, d+1)
	}
	boxes := boxesOf(len(s.parent), 10, 6)
	w, h := tidy(boxes, s, unit, false)
	if w != 6*depth+10+6 || h != 16*depth+6 {
		t.Errorf("size %d x %d, want %d x %d", w, h, 6*depth+16, 16*depth+6)
	}
}

// randomShape returns a random tree in preorder in which a node has up to five children.
func randomShape(t *rapid.T) shape {
	s := shape{}
	type open struct{ parent, level int }
	stack := []open{{-1, 0}}
	budget := rapid.IntRange(0, 60).Draw(t, "splits")
	for len(stack) > 0 {
		o := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		i := len(s.parent)
		s.parent, s.level = append(s.parent, o.parent), append(s.level, o.level)
		if budget > 0 && rapid.IntRange(0, 9).Draw(t, "split") < 7 {
			budget--
			for range rapid.IntRange(1, 5).Draw(t, "children") {
				stack = append(stack, open{i, o.level + 1})
			}
		}
	}
	return s
}

func TestTidyNeverOverlaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomShape(t)
		sideways := rapid.Bool().Draw(t, "sideways")
		boxes := make([]box, len(s.parent))
		for i := range boxes {
			boxes[i] = box{w: rapid.IntRange(1, 30).Draw(t, "w"), h: rapid.IntRange(1, 30).Draw(t, "h")}
		}
		w, h := tidy(boxes, s, unit, sideways)
		for i, a := range boxes {
			if a.x < 0 || a.y < 0 || a.x+a.w > w || a.y+a.h > h {
				t.Fatalf("box %v leaves the %d x %d picture", a, w, h)
			}
			for _, b := range boxes[:i] {
				if a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
					t.Fatalf("boxes %v and %v overlap", a, b)
				}
			}
		}
		checkMiddles(t, boxes, s, sideways)
	})
}

// checkMiddles checks that parents stand in the middle of their first and last children, up to
// halves of pixels.
func checkMiddles(t *rapid.T, boxes []box, s shape, sideways bool) {
	middle := func(i int) int {
		if sideways {
			return 2*boxes[i].y + boxes[i].h
		}
		return 2*boxes[i].x + boxes[i].w
	}
	first, last := make([]int, len(boxes)), make([]int, len(boxes))
	for i := 1; i < len(boxes); i++ {
		if p := s.parent[i]; first[p] == 0 {
			first[p], last[p] = i, i
		} else {
			last[p] = i
		}
	}
	for i := range boxes {
		if off := middle(first[i]) + middle(last[i]) - 2*middle(i); first[i] != 0 && (off < -8 || off > 8) {
			t.Fatalf("box %d is %d/4 pixels off the middle of its children", i, off)
		}
	}
}
