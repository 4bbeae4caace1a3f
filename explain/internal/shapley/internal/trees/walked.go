package trees

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// walked explains players, or pairs of them, by the tree as it is, some rows at a time down the
// same nodes. It costs time in proportion to nodes x points of the quadrature, and of pairs times
// the players of a path.
//
// Down an edge on player j, the factor of j replaces the one of the edge above that tests it, so
// that each leaf has the product of its players' factors. Up an edge, the sum of the leaves below
// counts for j by (o - z) / factor, less that of the edge above: what was added there for these
// leaves had other o and z. (Yu et al. 2022, Linear TreeShap, has the same sums in another basis.)
//
// The pairs of player i are what the others contribute to leaves of the value times (o - z) / 2 of
// i, where no edge has the factor of i. So a walk for each i visits the nodes below its tests.
type walked struct {
	*Source
	counts []float64 // by node: rows of Cover; nil: the tree has its training weights
	kept   *listing  // of single players; nil: each block of rows lists them anew
}

// covers returns the training weight by node.
func (w *walked) covers() []float64 {
	if w.counts != nil {
		return w.counts
	}
	return w.Tree.Covers()
}

// listing is the steps of a walk.
type listing struct {
	steps   []kernel.CreditStep
	tests   []test
	places  []int32 // players of the tree, by place
	depth   uint32
	most    int       // players of a path
	classes []float64 // fractions of classes by leaf, where leaves keep counts
}

// walkScratch is the memory of walked.
type walkScratch struct {
	kernel.Credits
	*walked
	listing
	tree    *tree.Tree // and the next ones of it are those of walked, which are looked up often
	place   []int32
	player  []int32
	nodes   []tree.Node
	covers  []float64
	mean    []float64 // of leaves' values by training weight
	sides   []uint8   // by node: a bit for each row that takes the edge to it, as that of the root
	last    []lastEdge
	path    int // players of the path so far
	touched *tree.Tree
	read    float64 // kept, so that what touch reads is read
	// of pairs, for the player i whose pairs are sought
	fixed int32    // its place, -1 = none
	below []uint64 // by node: a bit for each place that is tested there or below, modulo 64
	given []given  // edges of i, after one that all rows take
	under int      // the last of them on the path
	leaf  []credit
	value []float64 // by leaf and row: values times (o - z) / 2 of i
}

// test is an inner node that is visited.
type test struct {
	split  float64
	column int32
	node   int32
	first  int32 // child
	kind   tree.Kind
	last   bool // whether missing values go to the last child
}

// lastEdge is the last edge of a path that tests a player.
type lastEdge struct {
	level uint32 // 0: none
	place uint32 // 1 above that of the player among those of the tree; 0: it has none yet
	taken float64
}

// given is an edge of the player whose pairs are sought, and credit a leaf below it.
type (
	given struct {
		effect [2]float64 // (o - z) / 2 for o of 0 and of 1
		node   int32
		above  int   // that on the same path, among the given
		met    uint8 // a bit for each row that takes both
	}
	credit struct{ value, under int }
)

// leastTaken stands for a fraction of 0, whose inverse no walk needs. Contributions up to leastSum
// are what is left of it, and are 0.
const leastTaken, leastSum = 1e-100, 1e-80

// add adds the cells of the tree to the rows of a block.
func (w *walked) add(b *Block) {
	s := &b.walk
	if s.walked = w; w.kept != nil {
		own := s.listing
		s.listing, s.fixed, s.Stride = *w.kept, -1, 0
		s.explain(b, ruleFor(s.most-1))
		s.listing = own
		return
	}
	s.tree, s.nodes, s.covers = w.Tree, w.Tree.Nodes, w.covers()
	s.place, s.player = w.Place, w.Player
	s.last = slices.Grow(s.last[:0], w.players())[:w.players()]
	for i := range s.last {
		s.last[i] = lastEdge{taken: 1}
	}
	s.places, s.most = s.places[:0], 0
	s.mean = slices.Grow(s.mean[:0], w.Tree.Leaf.Width)[:w.Tree.Leaf.Width]
	clear(s.mean)
	s.tests = slices.Grow(s.tests[:0], len(s.nodes))
	for part := 0; s.touched != w.Tree && part < len(s.nodes); part++ {
		s.touch(w.Tree, part)
	}
	s.touched = w.Next
	s.list(-1)
	if b.Mean != nil {
		for k, v := range s.mean {
			b.Mean[int(max(0, w.Output))+k] += float64(s.scale(k) * v)
		}
	}
	switch {
	case b.Rows == 0 || len(s.steps) == 0:
		return
	case w.Index == Singles:
		s.explain(b, ruleFor(s.most-1))
		return
	}
	s.findBelow()
	for fixed := int32(1); fixed < int32(len(s.places)); fixed++ { // with those before it
		s.list(fixed)
		s.explain(b, ruleFor(s.most-2))
	}
}

// explain adds what the steps have to the rows of a block.
func (s *walkScratch) explain(b *Block, r rule) {
	output, values, cells := int(max(0, s.Output)), s.leafValues(), s.cells()
	s.sides = slices.Grow(s.sides[:0], s.Tree.Len())[:s.Tree.Len()]
	for from := 0; from < b.Rows; from += kernel.CreditRows {
		rows := min(kernel.CreditRows, b.Rows-from)
		s.side(b, from, rows)
		of := values
		if s.fixed >= 0 {
			s.weigh(values)
			of = s.value
		}
		for at := 0; at < len(r.point); at += len(kernel.CreditVector{}) {
			end := min(at+len(kernel.CreditVector{}), len(r.point))
			s.Reset(s.Tree.Leaf.Width, len(s.places), int(s.depth), r.point[at:end])
			s.Walk(s.steps, s.sides, of, rows)
			for k := range s.Width {
				scale := s.scale(k)
				for j, cell := range cells {
					phi := b.Phi[((output+k)*b.Cells+int(cell))*b.Stride+from:]
					for row := range rows {
						integrand := &s.Phi[(k*len(s.places)+j)*kernel.CreditRows+row]
						sum := 0.0
						for i, weight := range r.weight[at:end] {
							sum += float64(weight * integrand[i])
						}
						if sum > leastSum || sum < -leastSum {
							phi[row] += float64(scale * sum)
						}
					}
				}
			}
		}
	}
}

// leafValues returns the values of leaves before weights.
func (s *walkScratch) leafValues() []float64 {
	if s.Tree.Leaf.Kind == tree.Counts {
		return s.classes
	}
	return s.Tree.Leaf.Value
}

// scale returns what the values of a score of the tree count for.
func (s *walkScratch) scale(k int) float64 {
	if s.Divisors != nil {
		return s.Weight / s.Divisors[int(max(0, s.Output))+k]
	}
	return s.Weight
}

// cells returns by place the cells that a walk adds to: those of players, or of the pairs of one
// with those before it.
func (s *walkScratch) cells() []int32 {
	if s.fixed < 0 {
		return s.places
	}
	pairs := make([]int32, s.fixed)
	for i := range pairs {
		pairs[i] = Pair(s.places[i], s.places[s.fixed])
	}
	return pairs
}

// list makes the steps of a walk: for all players, or for the pairs of the one at a place.
func (s *walkScratch) list(fixed int32) {
	s.steps = slices.Grow(s.steps[:0], 2*len(s.nodes)) // an inner node has two, and a leaf one
	s.tests, s.given, s.leaf = s.tests[:0], s.given[:0], s.leaf[:0]
	s.classes, s.depth, s.path = s.classes[:0], 0, 0
	s.fixed, s.under, s.Stride = fixed, 0, 0
	if fixed >= 0 {
		s.given = append(s.given, given{})
		s.Stride = s.Tree.Leaf.Width
	}
	if s.nodes[0].Kind() == tree.Leaf {
		s.countLeaf(0, 1)
		return
	}
	s.listBelow(0, 1, 1)
}

// touch reads a part of a tree, of as many as it has inner nodes, so that caches have it once it is
// walked: a walk down the edges has another order than memory.
func (s *walkScratch) touch(t *tree.Tree, part int) {
	n := 2 * part
	if t == nil || n >= len(t.Nodes) {
		return
	}
	read := t.Nodes[n].SplitPoint()
	if t.Stats != nil && n < len(t.Stats.Weight) {
		read += t.Stats.Weight[n]
	}
	if n *= t.Leaf.Width; n < len(t.Leaf.Value) {
		read += t.Leaf.Value[n]
	}
	s.read += read
}

// listBelow lists the steps below a node, whose edges have a level. reach is the fraction of the
// training weight that gets there.
func (s *walkScratch) listBelow(n int32, level uint32, reach float64) {
	s.depth = max(s.depth, level)
	d := &s.nodes[n]
	column := s.place[d.Feature()]
	player := s.player[column]
	first, arity, missing := d.Child(), d.Arity(), d.Missing()
	at := len(s.tests)
	s.tests = s.tests[:at+1]
	if at&1 == 0 {
		s.touch(s.touched, at)
	}
	of := &s.tests[at]
	of.split, of.column, of.node, of.first, of.kind = d.SplitPoint(), column, n, first, d.Kind()
	of.last = missing == tree.MissingLast ||
		missing > tree.MissingLast && s.Tree.NextMissing(n) != first
	last := &s.last[player]
	if last.place == 0 {
		s.places = append(s.places, player)
		last.place = uint32(len(s.places))
	}
	above, place, all := last.level, last.place-1, last.taken
	path := s.path
	s.path += 1 - min(int(above), 1)
	weight, sought := s.covers[n], s.sought()
	for c := first; c < first+arity; c++ {
		part := fraction(weight, s.covers[c], arity)
		taken := float64(all * part)
		if !(taken > leastTaken) {
			taken = leastTaken
		}
		leaf := s.nodes[c].Kind() == tree.Leaf
		switch {
		case int32(place) == s.fixed:
			s.listGiven(c, level, taken)
		case leaf && sought:
			value := s.countLeaf(c, float64(reach*part))
			step := s.push(kernel.CreditLeaf, level, above, place)
			step.Taken, step.Edge, step.Value = taken, uint32(c), value
		case !leaf && (sought || s.below[c]>>(s.fixed%64)&1 != 0):
			step := s.push(kernel.CreditDown, level, above, place)
			step.Taken, step.Inverse, step.Edge = taken, 1/taken, uint32(c)
			last.level, last.taken = level, taken
			s.listBelow(c, level+1, float64(reach*part))
			s.push(kernel.CreditUp, level, above, place)
		}
	}
	last.level, last.taken = above, all
	s.path = path
}

// sought reports whether a leaf here counts: for pairs, those below an edge of the player.
func (s *walkScratch) sought() bool { return s.fixed < 0 || s.under > 0 }

// push appends a step of an edge. Steps and tests are filled in place, field by field: a copy of
// one that was just made waits until its fields are stored.
func (s *walkScratch) push(kind, level, above, player uint32) *kernel.CreditStep {
	n := len(s.steps)
	s.steps = s.steps[:n+1]
	step := &s.steps[n]
	step.Kind, step.Level, step.Above, step.Player = kind, level, above, player
	return step
}

// countLeaf returns where the kernel finds the values of a leaf.
func (s *walkScratch) countLeaf(n int32, reach float64) uint32 {
	s.most = max(s.most, s.path)
	leaf := &s.tree.Leaf
	if s.fixed < 0 && leaf.Width == 1 && leaf.Kind != tree.Counts { // most trees
		at := s.tree.Slot(n)
		s.mean[0] += float64(reach * leaf.Value[at])
		return uint32(at)
	}
	width := leaf.Width
	at := int(s.tree.Slot(n)) * width
	if leaf.Kind == tree.Counts {
		at = len(s.classes)
		s.classes = slices.Grow(s.classes, width)[:at+width]
		tree.Probabilities(s.classes[at:], s.Tree.Value(n))
	}
	if s.fixed >= 0 {
		s.leaf = append(s.leaf, credit{at, s.under})
		return uint32((len(s.leaf) - 1) * kernel.CreditRows * width)
	}
	for k, v := range s.leafValues()[at:][:width] {
		s.mean[k] += float64(reach * v)
	}
	return uint32(at)
}

// listGiven lists what is below an edge of the player whose pairs are sought. The edge has no
// factor, and a leaf is as below one that all rows take.
func (s *walkScratch) listGiven(n int32, level uint32, taken float64) {
	last, above := &s.last[s.places[s.fixed]], s.under
	saved := *last
	last.level, last.taken = level, taken
	s.under = len(s.given)
	s.given = append(s.given, given{effect: [2]float64{-taken / 2, (1 - taken) / 2}, node: n,
		above: above})
	if s.Tree.Kind(n) == tree.Leaf {
		step := s.push(kernel.CreditLeaf, level, 0, uint32(s.fixed))
		step.Taken, step.Edge, step.Value = 1, 0, s.countLeaf(n, 0)
	} else {
		s.listBelow(n, level, 0)
	}
	s.under, *last = above, saved
}

// findBelow finds the players that are tested below each node.
func (s *walkScratch) findBelow() {
	s.below = make([]uint64, s.Tree.Len())
	for n := len(s.below) - 1; n >= 0; n-- {
		d := &s.Tree.Nodes[n]
		if d.Kind() == tree.Leaf {
			continue
		}
		s.below[n] = 1 << ((s.last[s.Player[s.Place[d.Feature()]]].place - 1) % 64)
		for c := d.Child(); c < d.Child()+d.Arity(); c++ {
			s.below[n] |= s.below[c]
		}
	}
}

// weigh finds the values of leaves for rows whose sides are known: times (o - z) / 2 of the player
// whose pairs are sought.
func (s *walkScratch) weigh(values []float64) {
	s.given[0].met = 1<<kernel.CreditRows - 1
	for i := 1; i < len(s.given); i++ {
		g := &s.given[i]
		g.met = s.sides[g.node] & s.given[g.above].met
	}
	width := s.Tree.Leaf.Width
	s.value = slices.Grow(s.value[:0], len(s.leaf)*kernel.CreditRows*width)
	for _, leaf := range s.leaf {
		g := &s.given[leaf.under]
		for row := range kernel.CreditRows {
			for _, v := range values[leaf.value:][:width] {
				s.value = append(s.value, float64(v*g.effect[g.met>>row&1]))
			}
		}
	}
}

// side finds which of some rows of a block, from one on, take each edge.
func (s *walkScratch) side(b *Block, from, rows int) {
	all := uint8(1)<<rows - 1
	s.sides[0] = all
	for i := range s.tests {
		d := &s.tests[i]
		x := b.X[int(d.column)*b.Stride+from:][:rows]
		second := uint8(0)
		switch d.kind {
		case tree.ByCode:
			clear(s.sides[d.first:][:s.Tree.Arity(d.node)])
			for r, v := range x {
				s.sides[s.next(d.node, v)] |= 1 << r
			}
			continue
		case tree.Numeric:
			for r, v := range x {
				side := uint8(0)
				if v > d.split {
					side = 1
				}
				second |= side << (r & 7)
			}
		default:
			set := s.Tree.Set(d.node)
			for r, v := range x {
				in := v >= 0 && tree.InSet(set, uint32(v))
				if in != (d.kind == tree.SetFirst) && v == v {
					second |= 1 << r
				}
			}
		}
		if !b.Full && d.last {
			for r, v := range x {
				if v != v {
					second |= 1 << r
				}
			}
		}
		s.sides[d.first], s.sides[d.first+1] = second^all, second
	}
}
