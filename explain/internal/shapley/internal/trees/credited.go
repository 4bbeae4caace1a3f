package trees

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// credited explains players one by one, some rows at a time down the same nodes. It costs time in
// proportion to nodes x points of the quadrature.
//
// Down an edge on player j, the factor of j replaces the one of the edge above that tests it, so
// that each leaf has the product of its players' factors. Up an edge, the sum of the leaves below
// counts for j by (o - z) / factor, less that of the edge above: what was added there for these
// leaves had other o and z. (Yu et al. 2022, Linear TreeShap, has the same sums in another basis.)
type credited struct {
	*games
	rule   rule
	only   []bool // by node: whether it is visited; nil: all are
	source Source // of games whose nodes were released
}

// largeTree is the number of nodes from which the nodes of a tree without tables are not kept: they
// take several times as much memory as the tree itself.
const largeTree = 1 << 11

// Release drops the nodes of a game that only walks need, if they are many. Each block of rows
// reads them anew. s is what the game was made of.
func (g *Game) Release(s *Source) {
	w, walks := g.first.(*credited)
	if walks && s.Cover == nil && g.most > g.index.most() && len(g.nodes) >= largeTree {
		w.source = *s
		g.nodes, g.values = nil, nil
	}
}

// loaded returns a walk that has its nodes.
func (w *credited) loaded() *credited {
	if w.nodes != nil {
		return w
	}
	g, err := newGames(&w.source)
	if err != nil {
		panic("trees: a tree that was read is not read again: " + err.Error())
	}
	return &credited{games: g, rule: w.rule}
}

// creditScratch is the memory of credited.
type creditScratch struct {
	kernel.Credits
	steps  []kernel.CreditStep
	sides  []uint8 // by node: a bit for each row that comes from its parent
	last   []lastEdge
	places []int32 // players of the tree, by place
	depth  uint32
}

// lastEdge is the last edge of a path that tests a player.
type lastEdge struct {
	level uint32 // 0: none
	place uint32 // 1 above that of the player among those of the tree; 0: it has none yet
	taken float64
}

// leastTaken stands for a fraction of 0, whose inverse no walk needs. Contributions up to leastSum
// are what is left of it, and are 0.
const leastTaken, leastSum = 1e-100, 1e-80

// add adds the contributions of the tree to the rows of a block.
func (w *credited) add(b *Block) {
	w = w.loaded()
	s := &b.credits
	w.list(s)
	points := w.rule.point
	for from := 0; from < b.Rows; from += kernel.CreditRows {
		rows := min(kernel.CreditRows, b.Rows-from)
		w.side(s.sides, b, from, rows)
		for at := 0; at < len(points); at += len(kernel.CreditVector{}) {
			end := min(at+len(kernel.CreditVector{}), len(points))
			s.Reset(w.width, len(s.places), int(s.depth), points[at:end])
			s.Walk(s.steps, s.sides, w.values, rows)
			for k := range w.width {
				for j, player := range s.places {
					cell := b.Phi[((int(w.output)+k)*b.Cells+int(player))*BlockRows+from:]
					for r := range rows {
						phi := &s.Phi[(k*len(s.places)+j)*kernel.CreditRows+r]
						sum := 0.0
						for i, weight := range w.rule.weight[at:end] {
							sum += float64(weight * phi[i])
						}
						if sum > leastSum || sum < -leastSum {
							cell[r] += sum
						}
					}
				}
			}
		}
	}
}

// list makes the steps of a walk.
func (w *credited) list(s *creditScratch) {
	s.steps, s.places, s.depth = s.steps[:0], s.places[:0], 0
	if n := len(w.nodes); len(s.sides) < n {
		s.sides = make([]uint8, n)
	}
	if n := int(w.mostPlayer()) + 1; len(s.last) < n {
		s.last = make([]lastEdge, n)
	}
	for i := range s.last {
		s.last[i] = lastEdge{taken: 1}
	}
	if w.nodes[0].kind != tree.Leaf {
		w.listBelow(s, 0, 1)
	}
}

// listBelow lists the steps below a node, whose edges have a level.
func (w *credited) listBelow(s *creditScratch, n int32, level uint32) {
	d := &w.nodes[n]
	s.depth = max(s.depth, level)
	last := &s.last[d.player]
	if last.place == 0 {
		s.places = append(s.places, d.player)
		last.place = uint32(len(s.places))
	}
	above := *last
	for c := d.child; c < d.child+d.arity; c++ {
		if w.only != nil && !w.only[c] {
			continue
		}
		below := &w.nodes[c]
		taken := max(leastTaken, float64(above.taken*below.fraction))
		step := kernel.CreditStep{Taken: taken, Inverse: 1 / taken, Kind: kernel.CreditLeaf,
			Level: level, Above: above.level, Player: above.place - 1, Edge: uint32(c),
			Value: uint32(below.value)}
		if below.kind == tree.Leaf {
			s.steps = append(s.steps, step)
			continue
		}
		step.Kind = kernel.CreditDown
		s.steps = append(s.steps, step)
		last.level, last.taken = level, taken
		w.listBelow(s, c, level+1)
		last.level, last.taken = above.level, above.taken
		step.Kind = kernel.CreditUp
		s.steps = append(s.steps, step)
	}
}

// side writes which of some rows of a block, from one on, go to each node from its parent.
func (w *credited) side(sides []uint8, b *Block, from, rows int) {
	all := uint8(1)<<rows - 1
	for n := range w.nodes {
		d := &w.nodes[n]
		if d.kind == tree.Leaf {
			continue
		}
		x := b.X[int(d.column)*BlockRows+from:][:rows]
		if d.kind != tree.Numeric {
			clear(sides[d.child : d.child+d.arity])
			for r, v := range x {
				sides[d.child+d.next(v)] |= 1 << r
			}
			continue
		}
		second := uint8(0)
		for r, v := range x {
			side := uint8(0)
			if v > d.split {
				side = 1
			}
			second |= side << r
		}
		if d.missing != 0 {
			for r, v := range x {
				if v != v {
					second |= 1 << r
				}
			}
		}
		sides[d.child], sides[d.child+1] = second^all, second
	}
}
