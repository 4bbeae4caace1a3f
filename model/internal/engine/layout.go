package engine

import (
	"sync"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// layout is a program whose trees are compiled for kernel.Scan: the values of rows become codes of
// one byte, and every node is one comparison of these, for many rows at once.
//
// Trees that are not fit for it are walked in place, when it is their turn: so sums keep the order
// of the trees.
//
// A byte distinguishes 255 split points of a column. So the trees are divided into segments, each
// as long as its columns have no more; every segment has codes of its own. A tree of 256 leaves
// fits into a segment alone. Where there are many segments, tiles may have codes of two bytes.
type layout struct {
	on       kernel.Machine // what the choice among forms goes by
	segments []segment
	slots    int       // the largest number of codes of a row in a segment, with those of sets
	small    bool      // as in kernel.Scan; false where it has vectors
	sums     bool      // leaves are numbers, which segments hold
	alone    bool      // all segments have a form for one row, which is worth its codes
	levels   bool      // all compiled trees are oblivious, and segments hold levels
	walks    bool      // some trees are walked in place
	scratch  sync.Pool // of *rowScratch
	how      *strategy // nil: the engine chooses
	single   sync.Pool // of *Block of one row, where how has no form for one

	// of ensembles that are divided because of their split points: from how many rows on codes of
	// two bytes are faster, 0 if they are not, the trees that are compiled, and all of them with
	// such codes, which are made when they are first used
	wideFrom int
	fit      []bool
	widening sync.Once
	wide     []segment
}

// segment is consecutive trees of a program, in turns: the first kernel.LaneTrees trees of each
// output, then the next ones of each. So each output is summed in the order of the trees, many
// trees of one output are together, and a row that may stop early knows as much of all outputs.
type segment struct {
	columns []codedColumn
	// codes of a row: one for each column, then the copies
	slots int
	// the sets of nodes, each of which has codes in turn, behind the others: the side of a row. The
	// codes are those of one tree at a time, of at most sideSlots sets.
	sets      []codedSet
	setAt     []int32 // by tree here: its first set; one more at the end
	sideSlots int

	trees []int32
	nodes []kernel.ScanNode
	at    []int32 // by tree here: its first node; one more at the end

	// by tree here and leaf: where rows end, as in plan.accumulateAll, and the number of the node;
	// nil for trees that are walked in place
	ends, numbers [][]int32
	inPlace       []plan // copies of the trees that are walked in place

	value   []float64          // of leaves that are numbers, times the tree's scale
	valueAt []uint32           // by tree here
	tables  *kernel.LeafTables // the same values, by tree here; nil: value is faster
	output  []int32            // by tree here: which output it feeds, 0 for all

	row   rowForm          // nil: one row uses the trees in place
	adds  *lanes           // row, if all trees feed one output with numbers; else nil
	coder *kernel.RowCoder // of the columns' own codes, for row
	cuts  *cuts            // nil: many rows go through nodes one by one too
	wide  *wide            // codes have two bytes, and the other forms are nil; else nil
}

// codedColumn is a column of a segment.
type codedColumn struct {
	position int // in Program.columns
	coder    kernel.Coder
	// last is the rule of the column's codes: missing values go to the last child. Where nodes of
	// both rules test the column, missing values go last here, and copy is where its codes are once
	// more for the nodes that send them first; else -1.
	last bool
	copy int
	// of categories: the codes up to the greatest that a set holds, then one for all others and one
	// for missing values; -1 for numbers
	levels int
}

// mostLevels is the number of levels up to which categories have codes of one byte.
const mostLevels = 254

// codedSet is the set of some nodes of a tree.
type codedSet struct {
	column int // of the segment
	table  kernel.SideTable
}

// worthCodes returns the number of columns for each tree up to which codes take less time than they
// save, also those of eight rows.
func worthCodes(on kernel.Machine) int {
	if on.Vectors {
		return 16
	}
	return 4 // without vectors a code takes four times as long
}

// suitable is which trees of a program are compiled, and within which limits.
type suitable struct {
	fit            []bool // by tree
	compiled       int    // of them
	leaves, points int    // the most of a tree, and of a column in a segment
}

// newLayout returns a layout without segments, and the trees that these may have.
func newLayout(p *Program) (*layout, suitable) {
	var c suitable
	c.leaves, c.points = p.machine.ScanLimits()
	l := &layout{on: p.machine, scratch: sync.Pool{New: func() any { return new(rowScratch) }}, small: true}
	if p.larger(c.leaves) || p.machine.Vectors {
		c.leaves, c.points = kernel.MaxScanLeaves, kernel.MaxCodedPoints
		l.small = false
	}
	c.fit, c.compiled = l.survey(p, c.leaves)
	l.walks = c.compiled < len(p.plans)
	return l, c
}

// layoutOf compiles the trees of a program, nil if most of them are not fit for it.
func layoutOf(p *Program) *layout {
	l, c := newLayout(p)
	if c.compiled < 2 || 2*c.compiled < len(p.plans) ||
		len(p.columns) > min(maxPlaces, worthCodes(p.machine)*c.compiled) {
		return nil
	}
	l.alone = true
	cost, _ := l.compile(p, &c)
	if !l.levels && len(l.segments) > 1 {
		l.widen(p, c.fit)
	}
	l.alone = l.alone && cost <= p.costInPlace(c.fit)
	if !l.alone && !l.small && !l.levels && !p.machine.Vectors {
		return nil // Scan is slow for such trees
	}
	return l
}

// compile makes the segments, and returns the cost of one row. The error is that of a segment which
// cannot have the form that l.how needs. A segment takes trees for as long as its columns have
// codes of one byte for all split points. Without l.how the forms are those that pay on this
// machine, and one that fails is left out; with it a caller asks for one form, and gets the error
// if that fails.
func (l *layout) compile(p *Program, of *suitable) (cost int, err error) {
	if l.how != nil && l.how.wide {
		l.segments, err = p.wideSegments(l, of.fit)
		return 0, err
	}
	for from := 0; from < len(p.plans); {
		c := compiler{p: p, fit: of.fit, points: make([][]float64, len(p.columns)),
			rules: make([]uint8, len(p.columns))}
		to := c.take(from, of.points)
		s := c.segment(from, to, l)
		if l.how != nil {
			s.row, err = l.how.rowForm(p, &s, l.levels)
		} else {
			s.row = rowFormOf(p, &s, l.levels)
		}
		if err != nil {
			return 0, err
		}
		if s.row != nil {
			cost += s.row.cost() + 5*len(s.columns)
		}
		if in, ok := s.row.(*lanes); ok && l.sums && s.alike(0, len(s.trees)) == len(s.trees) {
			s.adds = in
		}
		if l.how != nil && l.how.cuts {
			if s.cuts, err = cutsOf(&s, p.machine); err != nil {
				return 0, err
			}
		} else if l.how == nil && !l.levels {
			s.cuts, _ = cutsOf(&s, p.machine)
		}
		if l.sums && p.machine.Permutes {
			s.tables = tablesOf(&s)
		}
		l.alone = l.alone && s.row != nil
		l.slots = max(l.slots, s.slots+s.sideSlots)
		l.segments = append(l.segments, s)
		from = to
	}
	return cost, nil
}

// tablesOf returns the values of a segment in tables, nil if a tree has too many leaves.
func tablesOf(s *segment) *kernel.LeafTables {
	most := 0
	for _, numbers := range s.numbers {
		most = max(most, len(numbers))
	}
	if most > kernel.TableLeaves {
		return nil
	}
	tables := kernel.NewLeafTables(len(s.trees), most)
	for t, numbers := range s.numbers {
		tables.Set(t, s.value[s.valueAt[t]:][:len(numbers)])
	}
	return tables
}
