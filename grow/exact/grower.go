package exact

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// Missing is how an engine deals with missing values of a column.
type Missing uint8

// The rules for missing values.
const (
	// Learned tries each side for the rows without a value, and parts them from the others; the best split wins.
	Learned Missing = iota

	// The other rules judge splits on the rows with a value. They differ in where those without one go.

	Majority      // with the heavier child
	Fractional    // to every child, each with that part of the row which is the child's share of the known weight
	Surrogate     // where the first surrogate split that can tell sends them, else with the heavier child
	SurrogateStop // where the first surrogate split that can tell sends them, else nowhere: they stop at the node
	Stop          // nowhere: they stop at the node
)

// node is what the rule is called in trees. Learned is not one of them.
func (m Missing) node() tree.Missing {
	switch m {
	case Fractional:
		return tree.MissingFractional
	case Surrogate:
		return tree.MissingSurrogate
	case SurrogateStop, Stop:
		return tree.MissingStop
	}
	return tree.MissingMajority
}

// Config says how to grow.
type Config struct {
	Criterion     criterion.Definition
	Limits        grow.Limits
	BestFirst     bool       // split the node of largest gain next, not depth first
	Missing       Missing    // where missing values go; C45 always divides them
	Surrogates    int        // Surrogate, SurrogateStop: columns that stand in for the one of a node, at most
	C45           *C45       // split by gain ratio; nil = by Criterion
	Mtry          int        // columns looked at per node, drawn anew for each; 0 or more than there are = all
	Redraw        int        // rows above which a node draws further columns where none of its Mtry has a split; others become leaves
	Levels        int        // levels of a categorical column up to which they are parted into any sets; 0 = any number
	LevelFraction float64    // share of the levels of a column of more that a node draws to be parted, while the others stay together; 0 = none: they are cut in the order of codes, as drawn splits always do it
	Drawn         int        // splits drawn per column and node, of which the best is taken (Geurts et al. 2006); 0 = all splits are tried
	Blind         bool       // splits are drawn and none is better than another: labels are not looked at, a population needs none (Liu et al. 2008)
	Seed          uint64     // of the draws of Mtry, Drawn and Directions
	Directions    Directions // splits on several columns
	Workers       int        // 0 = one per processor; the tree is the same for any number
	Leaves        bool       // leaves alone have values, and nodes no statistics but gains: see tree.NewLeafBuilder

	plain bool // judge candidates in batches even where the criterion scans itself, for tests
	bins  bool // stumps look at bins however few rows there are, for tests
}

// grower grows one tree.
type grower struct {
	prepared   *Prepared
	pop        *grow.Population
	row        *criterion.Definition
	class8     []uint8 // classes of pop as bytes, which stay in the cache for longer; nil = there are too many classes
	family     criterion.Family
	criterion  criterion.Criterion      // nil for Values
	deviance   criterion.Deviance       // nil for Classes
	ratio      criterion.Ratio          // nil: splits are compared by their gain
	scan       criterion.Scanner        // nil: rows have weights other than their multiplicities, or the criterion has no scan
	weighed    criterion.WeighedScanner // scan for rows that have weights; nil as well
	signed     []float64                // weights by position as weighed wants them
	stumps     *stumps                  // grows trees of one split; nil = the grower does
	width      int
	shift      uint   // bits of the class in an entry's key
	missing    uint32 // rank of a missing value: all bits set
	limits     grow.Limits
	columns    []working
	store      store
	rule       Missing
	surrogates int       // columns that stand in at a node, at most
	side       []uint8   // by position: where the node at hand sends the row; nil unless the rule has surrogates or stops rows
	repeats    []repeat  // by column
	rowWeight  float64   // Fractional: weight of the lightest row, which parts of rows must have to count as a row; 0 otherwise
	c45        *c45      // nil: the criterion's gain decides
	part       []float64 // by position: the part of the row that belongs to the node at hand; nil = all of it
	mtry       int
	directions *directions      // nil: splits look at one column
	redraw     int              // see Config
	levels     int              // see Config
	levelShare float64          // see Config
	drawn      int              // splits drawn per column; 0 = all are tried
	blind      bool             // splits are not judged
	seed       uint64           // of the root
	draws      rng.Stream       // of the node at hand
	lottery    []int32          // the columns; in order between nodes
	swaps      []int32          // the draws of a node, which put the lottery in order again
	chosen     []int32          // the columns that the node looks at
	rows       []uint32         // positions, each node's segment ascending
	first      []uint64         // bit set of positions: goes to the first child
	goes       []uint8          // codesGo
	rest       []uint32         // firstAhead: rows that go last
	total      float64          // weight of all rows
	values     *values          // nil but for Values
	sample     criterion.Sample // gather
	scanners   []*scanner
	found      []split
	b          *tree.Builder
	builder    func() *tree.Builder // makes a builder of such trees
	open       []*node              // by slot
	setsAside  bool                 // small subtrees are set aside, to be grown apart
	asideRows  int                  // the rows of a small one
	aside      []*node
	subs       []*grower  // for the subtrees, one for each worker
	above      []uint32   // subtrees: by row, the row of the grower above
	free       []*node    // see newNode
	tallier    *tallier   // subtrees: grows them; nil = the grower does
	large      largeNodes // looks at large nodes first; nil = these are scanned as all others
	plain      bool       // see Config
	leaves     bool       // see Config
	counts     bool       // classes are counted: rows weigh what their multiplicities are, and stay whole
}

// node is an open node.
type node struct {
	id, depth int
	lo, hi    int       // the node's segment of rows and of every order; unused where nodes have lists of their own
	list      []uint32  // positions of its rows, ascending
	part      []float64 // the part of each row that belongs to the node; nil = all of it
	key       uint64    // seed of the node's draws, a function of the tree's seed and the way to the node
	rows      int       // with multiplicity
	weight    float64
	value     float64   // what the node predicts; unused for classes, whose prediction is stats
	origin    float64   // Moments: what the values in stats are taken about
	impurity  float64   // total
	stats     []float64 // see criterion.Family
	classes   []uint32  // of narrow; nil = there is none
	narrow    []float64 // stats of the classes that have weight, where these are few
	byValue   []uint32  // Values: list in ascending order of Y
	constant  []uint64  // bit set of columns that have one value
	pure      bool
	best      split
}

// Grow grows one tree on a population, whose rows are among the prepared ones. On a cancelled context it returns
// the tree so far, with the open nodes as leaves, and ctx.Err(); where leaves alone have values no tree.
func (p *Prepared) Grow(ctx context.Context, pop *grow.Population, cfg Config) (*tree.Tree, error) {
	return p.Series(cfg).Grow(ctx, pop, cfg.Seed)
}

// run grows what hangs from a node, but for subtrees that are set aside.
func (g *grower) run(ctx context.Context, bestFirst bool, root *node) {
	queue := grow.DepthFirst()
	if bestFirst {
		queue = grow.BestFirst()
	}
	if !g.enqueue(queue, root) {
		g.recordLeaf(root)
	}
	leaves := 1
	for ctx.Err() == nil && (g.limits.Leaves <= 0 || leaves < g.limits.Leaves) {
		next, ok := queue.Pop()
		if !ok {
			break
		}
		nd := g.open[next.Slot]
		g.open[next.Slot] = nil
		g.split(queue, nd)
		leaves++
	}
	for _, nd := range g.open {
		if nd != nil { // it stays a leaf
			g.recordLeaf(nd)
		}
	}
	g.open = g.open[:0]
}

// fits checks that rank and class of every row fit into an entry's 32 bits: beyond 100 million distinct values of a
// column with 26 classes they would not.
func (p *Prepared) fits(pop *grow.Population) error {
	if pop.Class == nil {
		return nil
	}
	room := uint64(missingRank) >> bits.Len(uint(pop.Classes-1))
	for i := range p.columns {
		n := uint64(len(p.columns[i].values))
		if p.all != nil {
			n = uint64(len(p.rows)) // ranks are places
		}
		if n >= room {
			return fmt.Errorf("column %d has %d distinct values, with %d classes the limit is %d", i, n, pop.Classes, room)
		}
	}
	return nil
}

func newGrower(p *Prepared, pop *grow.Population, cfg Config) *grower {
	row := &cfg.Criterion
	g := &grower{prepared: p, pop: pop, limits: cfg.Limits, family: row.Family, width: row.Family.Width(pop.Classes),
		deviance: row.Deviance, plain: cfg.plain, row: row}
	g.limits.MinSplit = max(g.limits.MinSplit, 2)
	g.limits.MinLeaf = max(g.limits.MinLeaf, 1)
	if cfg.Blind {
		*row = blindCriterion
		g.family, g.width = row.Family, row.Family.Width(0)
	}
	kind, values := tree.Scalar, 1
	if g.family == criterion.Classes {
		kind, values = tree.Counts, pop.Classes
		g.shift = uint(bits.Len(uint(pop.Classes - 1)))
	}
	g.missing = missingRank >> g.shift
	if row.New != nil {
		g.criterion = row.New(g.width)
		g.ratio, _ = g.criterion.(criterion.Ratio)
	}
	if pop.Weight == nil && !cfg.plain {
		g.scan, _ = g.criterion.(criterion.Scanner)
	}
	// Growers on shared columns go on with other populations, of other trees and of subtrees; signed weights are of this one.
	if pop.Weight != nil && !cfg.plain && cfg.C45 == nil && g.ratio == nil && !p.shared() {
		g.setWeighed()
	}
	g.leaves = cfg.Leaves
	g.builder = func() *tree.Builder {
		if cfg.Leaves {
			return tree.NewLeafBuilder(kind, values)
		}
		return tree.NewBuilder(kind, values, true)
	}
	g.b = g.builder()
	g.counts = g.family == criterion.Classes && pop.Weight == nil && cfg.C45 == nil && cfg.Missing != Fractional
	workers := max(1, min(parallel.Workers(cfg.Workers), len(p.columns)))
	for range workers {
		g.scanners = append(g.scanners, newScanner(g, row))
	}
	g.setRows()
	if g.family == criterion.Values && !cfg.Blind {
		g.values = newValues(pop.Y)
	}
	g.first = make([]uint64, (len(pop.Rows)+63)/64)
	g.found = make([]split, len(p.columns))
	g.setRules(&cfg)
	g.setColumns(&cfg)
	if cfg.Directions.any() {
		g.directions = newDirections(g, cfg.Directions)
	}
	return g
}

// setRules sets where missing values go and which columns a node looks at.
func (g *grower) setRules(cfg *Config) {
	n := len(g.prepared.columns)
	g.rule, g.mtry, g.seed = cfg.Missing, cfg.Mtry, cfg.Seed
	g.redraw, g.levels, g.levelShare = cfg.Redraw, cfg.Levels, cfg.LevelFraction
	if g.drawn, g.blind = cfg.Drawn, cfg.Blind; g.blind {
		g.drawn, g.mtry = 1, 1
	}
	if cfg.C45 != nil {
		g.rule = Fractional
	}
	if g.rule >= Surrogate {
		g.side = make([]uint8, len(g.pop.Rows))
		g.surrogates, g.repeats = cfg.Surrogates, make([]repeat, n)
	}
	if g.mtry >= n {
		g.mtry = 0
	}
	if g.mtry > 0 {
		g.lottery = data.AllRows(n)
	}
}

// setColumns chooses the store and copies the columns for it.
func (g *grower) setColumns(cfg *Config) {
	p, pop := g.prepared, g.pop
	if p.shared() {
		g.share(cfg)
		return
	}
	listed := g.rule == Fractional
	g.columns = make([]working, len(p.columns))
	place := p.places(pop.Rows)
	if !listed && g.setStumps(cfg, place) || !listed && g.shares(place) {
		return
	}
	classOf := classBytes(pop.Class, pop.Classes)
	counted := !listed && g.scan != nil && pop.Count == nil && pop.Class != nil && g.rule == Learned && g.limits.Chi2 == 0
	var bins []binning
	if cfg.C45 != nil && !cfg.plain && !cfg.C45.ByGain && g.limits.Chi2 == 0 && pop.Classes <= fewClasses {
		bins = p.binnings()
	}
	g.forColumns(len(p.columns), len(pop.Rows), func(_ *scanner, i int) {
		if n := len(p.columns[i].values); bins != nil && p.columns[i].kind == data.Numeric && n > 0 && n <= fewValues {
			g.columns[i].setFew(&bins[i], place, len(pop.Rows))
			return
		}
		g.columns[i] = p.working(i, pop, place, classOf, g.shift, listed, counted)
	})
	if !listed {
		g.store = &presorted{g.columns}
		return
	}
	g.store = &lists{g.columns}
	g.part = make([]float64, len(pop.Rows))
	if cfg.C45 != nil {
		g.c45 = newC45(g, cfg.C45)
		g.setApart(cfg)
	} else {
		g.rowWeight = lightest(pop)
	}
}

// splittable reports whether the limits let a node be split.
func (g *grower) splittable(nd *node) bool {
	l := &g.limits
	if g.c45 != nil && g.c45.isLeaf(nd) {
		return false
	}
	if nd.pure || nd.rows < l.MinSplit || nd.rows < 2*l.MinLeaf || l.Depth > 0 && nd.depth >= l.Depth || l.Leaves == 1 {
		return false
	}
	return nd.weight >= g.leastWeight(max(l.MinSplit, 2*l.MinLeaf))
}

// enqueue finds the best split of a node that may be split and queues it. It reports whether the node is queued.
func (g *grower) enqueue(q grow.Queue, nd *node) bool {
	if g.setsAside && len(nd.list) <= g.asideRows {
		g.aside = append(g.aside, nd)
		return true
	}
	nd.best = g.bestSplit(nd)
	if b := &nd.best; b.kind == tree.Cut && g.drawn == 0 && g.c45 == nil {
		g.setCut(b) // only now: to look values up costs as much as to scan a few rows
	}
	if g.directions != nil {
		nd.best = g.directions.best(nd, nd.best)
	}
	// The unit roundoff forgives a gain that is the limit but for rounding, as scikit-learn does. A gain below 0 is nothing
	// but rounding.
	if !nd.best.found() || max(nd.best.gain, 0)/g.total+0x1p-52 < g.limits.MinGain {
		return false
	}
	g.open = append(g.open, nd)
	q.Push(grow.Open{Node: int32(nd.id), Gain: nd.best.gain, Slot: len(g.open) - 1})
	return true
}

// bestSplit compares the columns' best splits: larger gain, then lower column. With mtry, columns are looked at in a
// random order, which decides between equal gains, until mtry have been and, where the node has more rows than redraw, one
// of all has a split.
func (g *grower) bestSplit(nd *node) split {
	if g.c45 != nil {
		return g.c45.best(nd)
	}
	if g.stumps != nil {
		return g.stumps.best(nd)
	}
	g.load(nd)
	if g.values != nil {
		g.loadValues(nd)
	}
	if g.mtry == 0 {
		g.forColumns(len(g.columns), len(nd.list), func(s *scanner, i int) {
			g.found[i] = split{feature: -1}
			if !nd.isConstant(i) {
				g.found[i] = s.scan(nd, i)
			}
		})
		g.noteConstants(nd)
		return g.bestOf(nd, g.found)
	}
	first := g.drawColumns(nd)
	if g.large == nil || !g.large.find(nd, first, g.found) {
		g.forColumns(g.mtry, len(nd.list), func(s *scanner, i int) { g.found[i] = s.scan(nd, int(first[i])) })
	}
	best := g.bestOf(nd, g.found[:g.mtry])
	for !best.found() && len(nd.list) > g.redraw && len(g.swaps) < len(g.lottery) {
		g.found[0] = g.scanners[0].scan(nd, int(g.drawColumn()))
		best = g.bestOf(nd, g.found[:1])
	}
	g.redress()
	return best
}

// bestOf returns the best of the splits that are significant.
func (g *grower) bestOf(nd *node, found []split) split {
	best := split{feature: -1}
	for i := range found {
		if f := &found[i]; f.found() && (!best.found() || f.beats(&best, float64(relativeTie*nd.impurity))) && g.significant(nd, f) {
			best = *f
		}
	}
	return best
}

// split carries out the best split of a node and queues its children.
func (g *grower) split(q grow.Queue, nd *node) {
	b := &nd.best
	if g.side != nil {
		g.send(nd)
	}
	child := g.b.Split(int32(nd.id), tree.Split{Kind: b.kind, Feature: b.feature, Arity: b.arity, Cut: b.cut, Set: b.set, Direction: b.terms, Missing: b.missing,
		Surrogates: b.surrogates, Gain: max(b.gain, 0)})
	children := g.store.divide(g, nd)
	open := false
	counted := g.counts && g.side == nil && len(children) == 2 && len(children[0].list) > 0 && len(children[1].list) > 0
	if counted {
		g.measureChildren(nd, children[0], children[1])
	}
	for i, c := range children {
		c.id, c.constant, c.key = int(child)+i, nd.constant, rng.Seed(nd.key, childDraws, uint64(i))
		if g.rule != Learned {
			g.b.SetFraction(int32(c.id), b.shares[i])
		}
		if len(c.list) == 0 {
			g.empty(nd, c)
			continue
		}
		if !counted {
			g.measure(c)
		}
		open = open || !c.pure && c.rows > 1 && (g.limits.Depth <= 0 || c.depth < g.limits.Depth)
	}
	if open {
		g.store.settle(g, nd, children[0].hi)
	}
	for _, c := range children {
		if len(c.list) > 0 {
			g.recordOpen(c)
		}
		if len(c.list) == 0 || !g.splittable(c) || !g.enqueue(q, c) {
			if len(c.list) > 0 {
				g.recordLeaf(c)
			}
			g.free = append(g.free, c)
		}
	}
	g.free = append(g.free, nd)
}

// lightest returns the least weight that a single row has.
func lightest(pop *grow.Population) float64 {
	if pop.Weight == nil {
		return 1
	}
	least := math.Inf(1)
	for i, w := range pop.Weight {
		least = min(least, w/float64(pop.Multiplicity(i)))
	}
	return least
}

// leastWeight is the weight that parts of rows must have to count as so many rows; 0 if rows stay whole.
func (g *grower) leastWeight(rows int) float64 {
	return float64(float64(rows)*g.rowWeight) * (1 - relativeTie)
}

// newNode returns a node, made anew or of the memory of one that is a leaf or split by now.
func (g *grower) newNode(depth int) *node {
	if len(g.free) == 0 {
		return &node{depth: depth}
	}
	nd := g.free[len(g.free)-1]
	g.free = g.free[:len(g.free)-1]
	*nd = node{depth: depth, stats: nd.stats[:0]}
	return nd
}

// empty records a child without rows: a leaf with its parent's value and no weight.
func (g *grower) empty(parent, c *node) {
	g.b.SetValue(int32(c.id), parent.stats)
}
