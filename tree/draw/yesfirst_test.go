package draw

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
)

// TestYesIsFirst: the card of yes is to the left of that of no, or above it.
func TestYesIsFirst(t *testing.T) {
	turned := 0
	rapid.Check(t, func(t *rapid.T) {
		s := randomSample(t)
		v, err := newView(s.tree, s.names, s.o)
		if err != nil {
			t.Skipf("the random names do not fit the random tree, which SVG refuses: %v", err)
		}
		p := newPicture(v, &Options{})
		at := map[int32]card{}
		for _, c := range p.cards {
			at[c.node] = c
		}
		for _, c := range p.cards {
			if p.ends(c.node) || s.tree.Arity(c.node) != 2 || s.tree.Kind(c.node) == tree.ByCode {
				continue
			}
			q := p.question(c.node, briefWording(p.digits))
			yes, no := at[q.yes], at[q.no]
			if first := yes.x < no.x; !p.right && !first || p.right && yes.y >= no.y {
				t.Fatalf("node %d: yes at %d, %d, no at %d, %d", c.node, yes.x, yes.y, no.x, no.y)
			}
			if q.yes > q.no {
				turned++
			}
		}
	})
	if turned == 0 {
		t.Error("no node stores its branch of no first")
	}
}
