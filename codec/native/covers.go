package native

import (
	"unsafe"

	"github.com/coppice-ml/coppice/tree"
)

// covers is the section of the training covers of an ensemble's trees. Explanations need them and
// predictions do not, so the section is optional. With a tree of two leaves of 3 and 300 rows, one
// without covers, and one of two leaves whose weights are not whole,
//
//	counts    3         0    0             bytes of each tree in count
//	weights   0         0    2             numbers of each tree in weight
//	count     03 ac 02
//	weight                   0.5 1.25
type covers struct {
	f       *forest // nothing but the trees, and which have covers
	counts  []uint32
	weights []uint32
}

// newCovers finds the sizes of the covers of trees.
func newCovers(trees []*tree.Tree) *covers {
	const covered = 1
	c := &covers{f: &forest{trees: trees, has: make([]uint32, len(trees))}}
	for i, t := range trees {
		if t.Cover != nil {
			c.f.has[i] = covered
		}
	}
	c.counts = c.f.sizes(covered, func(t *tree.Tree) int { return len(t.Cover.Counts) })
	c.weights = c.f.sizes(covered, func(t *tree.Tree) int { return len(t.Cover.Weights) })
	return c
}

// none reports whether no tree has a cover.
func (c *covers) none() bool { return c.counts == nil && c.weights == nil }

// section returns the section, which readers may skip.
func (c *covers) section() section {
	s := arraySection("covers", append(c.perTree(), c.perNode()...))
	s.flags = 0
	return s
}

// perTree lists the arrays with one element per tree. Either is absent if it is 0 for all.
func (c *covers) perTree() []array {
	return []array{
		whole("counts", required, &c.counts),
		whole("weights", required, &c.weights),
	}
}

// perNode lists the arrays that hold a part for every tree.
func (c *covers) perNode() []array {
	counts := func(_ *forest, i int) uint64 { return optional(c.counts, i) }
	weights := func(_ *forest, i int) uint64 { return optional(c.weights, i) }
	return []array{
		parts(c.f, "count", required, counts,
			func(t *tree.Tree) *[]byte { return &t.Cover.Counts }),
		parts(c.f, "weight", required, weights,
			func(t *tree.Tree) *[]float64 { return &t.Cover.Weights }),
	}
}

// parseCovers gives trees their covers. The validation of the trees checks what they hold.
func parseCovers(p *payload, trees []*tree.Tree, b *budget) {
	t := parseTable(p)
	c := &covers{f: &forest{trees: trees}}
	t.load(c.perTree())
	n := len(trees)
	for _, s := range [][]uint32{c.counts, c.weights} {
		if s != nil && len(s) != n {
			p.corrupt(0, "sizes of the covers of %d trees, the file has %d", len(s), n)
		}
	}
	b.take(int64(n) * int64(unsafe.Sizeof(tree.Cover{})))
	all := make([]tree.Cover, n)
	for i := range trees {
		if optional(c.counts, i)+optional(c.weights, i) > 0 {
			trees[i].Cover = &all[i]
		}
	}
	t.load(c.perNode())
	t.rest()
}
