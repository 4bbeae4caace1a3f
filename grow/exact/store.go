package exact

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// store keeps the rows of open nodes.
type store interface {
	// order returns the entries of a node for a numeric column by ascending key, missing values last. The result is
	// valid until the scanner's next call.
	order(s *scanner, nd *node, column int) []entry
	// divide carries out the node's best split and returns its children with their rows, in order.
	divide(g *grower, nd *node) []*node
	// settle follows divide where a child may be split again: the rows marked first are the node's segment up to mid.
	settle(g *grower, nd *node, mid int)
}

// working is a column while a tree grows.
type working struct {
	order []entry  // presorted: Pos counts positions in the population
	key   []uint32 // lists: by position
	code  []uint32 // categorical: by position
	few   []uint8  // frames, few values or categories: rank or code by position
	cell  []uint16 // where all rows weigh 1: place of code, or rank, and class in the table that the scanner counts in
	from  int      // numeric: rows from which a node is counted in that table; 0 = none is, there is no cell
}

// presorted keeps every column in order, node by node:
//
//	rows       | 0 2 5 | 1 3 4 |
//	column 0   | 5 0 2 | 4 1 3 |      the same segments in all columns
//	column 1   | 2 5 0 | 1 4 3 |
type presorted struct{ columns []working }

func (p *presorted) order(_ *scanner, nd *node, column int) []entry {
	return p.columns[column].order[nd.lo:nd.hi]
}

func (p *presorted) divide(g *grower, nd *node) []*node { return g.halve(nd) }

func (p *presorted) settle(g *grower, nd *node, mid int) {
	g.forColumns(len(p.columns), len(nd.list), func(s *scanner, i int) {
		c := &p.columns[i]
		if nd.isConstant(i) {
			return
		}
		if !c.tabled(len(nd.list)) {
			g.partitionOrder(s, i, nd.lo, nd.hi)
			return
		}
		for _, child := range [][2]int{{nd.lo, mid}, {mid, nd.hi}} {
			if list := g.rows[child[0]:child[1]]; !c.tabled(len(list)) {
				g.sortSegment(s, i, list, child[0])
			}
		}
	})
}

// halve partitions the segment of a node in place.
func (g *grower) halve(nd *node) []*node { return g.parts(nd, g.partitionRows(nd)) }

// parts returns the children of a node of whose segment the first n rows go first.
func (g *grower) parts(nd *node, n int) []*node {
	first, last := g.newNode(nd.depth+1), g.newNode(nd.depth+1)
	first.lo, first.hi, first.list = nd.lo, nd.lo+n, nd.list[:n]
	last.lo, last.hi, last.list = nd.lo+n, nd.hi, nd.list[n:]
	return []*node{first, last}
}

// places maps prepared positions to positions in rows, -1 for rows that are left out; nil if all are there.
func (p *Prepared) places(rows []int32) []int32 {
	if len(rows) == len(p.rows) {
		return nil
	}
	place := make([]int32, len(p.rows))
	k := 0
	for i, r := range p.rows {
		place[i] = -1
		if k < len(rows) && rows[k] == r {
			place[i] = int32(k)
			k++
		}
	}
	return place
}

// classBytes returns classes as bytes, nil if there are too many: in the order of a column's values they are looked up all over
// the table, and what is a quarter of the size stays in the cache for longer.
func classBytes(class []uint32, classes int) []uint8 {
	if class == nil || classes > 1<<8 {
		return nil
	}
	short := make([]uint8, len(class))
	for i, c := range class {
		short[i] = uint8(c)
	}
	return short
}

// working copies a column for one tree, keeping only the rows that it is grown on.
func (p *Prepared) working(i int, pop *grow.Population, place []int32, classOf []uint8, shift uint, listed, counted bool) working {
	c := &p.columns[i]
	if c.kind == data.Categorical {
		w := working{code: c.code}
		if !c.tidy || len(pop.Rows) < len(c.code) {
			w.code = compactCodes(c.code, pop.Rows, c.levels)
		}
		if pop.Class != nil && pop.Weight == nil && pop.Count == nil && (c.levels+1)*pop.Classes <= math.MaxUint16 {
			w.cell = cells(w.code, pop, c.levels)
		}
		return w
	}
	var w working
	if counted && w.tabulate(c, pop, place, shift) {
		return w
	}
	if listed {
		w.key = make([]uint32, len(pop.Rows))
	} else {
		w.order = make([]entry, 0, len(pop.Rows))
	}
	for _, e := range c.sorted {
		pos := e.Pos
		if place != nil {
			at := place[pos]
			if at < 0 {
				continue
			}
			pos = uint32(at)
		}
		key := e.Key << shift // missingRank keeps all its bits but the class's
		switch {
		case classOf != nil:
			key |= uint32(classOf[pos])
		case shift > 0:
			key |= pop.Class[pos]
		}
		if listed {
			w.key[pos] = key
		} else {
			w.order = append(w.order, entry{Key: key, Pos: pos})
		}
	}
	return w
}

// fanOut is the number of row-column pairs from which a node's columns are shared among workers; handing out work
// costs about as much as scanning a few hundred rows.
const fanOut = 1 << 14

// forColumns calls f for 0 ... n-1, on several workers if the node is large. Each call owns its column, so the result
// does not depend on the number of workers.
func (g *grower) forColumns(n, rows int, f func(s *scanner, i int)) {
	if len(g.scanners) == 1 || rows*n < fanOut {
		for i := range n {
			f(g.scanners[0], i)
		}
		return
	}
	parallel.Each(len(g.scanners), n, func(w, i int) { f(g.scanners[w], i) })
}

// The sizes at which the sort of a node's keys changes its method.
const (
	insertionUpTo = 32
	countingRange = 2 // a table of counts is used up to this many keys per row
	leastDigit    = 5 // bits of a radix digit
	mostDigit     = 11
)

// room returns memory for entries.
func (s *scanner) room(n int) []entry {
	if cap(s.entries) < n {
		s.entries = make([]entry, n, n+n/bagsDiffer)
	}
	return s.entries[:n]
}

// second returns more of it.
func (s *scanner) second(n int) []entry {
	if cap(s.spare) < n {
		s.spare = make([]entry, n)
	}
	return s.spare[:n]
}

// bagsDiffer is the part of its rows by which the root of a tree may be larger than those before it, so that memory for one
// does for all.
const bagsDiffer = 64

// sortKeys returns the entries of the given rows by ascending key, equal keys by position. Rows are ascending.
func (s *scanner) sortKeys(key []uint32, rows []uint32) []entry {
	n := len(rows)
	out := s.room(n)
	if n <= insertionUpTo {
		for i, pos := range rows {
			k, j := key[pos], i
			for j > 0 && out[j-1].Key > k {
				out[j] = out[j-1]
				j--
			}
			out[j] = entry{Key: k, Pos: pos}
		}
		return out
	}
	least, most := uint32(missingRank), uint32(0)
	for i, pos := range rows {
		k := key[pos]
		out[i] = entry{Key: k, Pos: pos}
		least = min(least, k)
		if k>>s.g.shift != s.g.missing {
			most = max(most, k)
		}
	}
	if most < least { // every value is missing
		return out
	}
	if width := uint64(most-least) + 1; width <= countingRange*uint64(n) {
		return s.countingSort(out, least, uint32(width))
	}
	return s.radixSort(out, least, most)
}

// countingSort sorts by a table of the keys from least to least + width - 1; greater keys are missing values, and
// keep the order of their positions behind the others.
func (s *scanner) countingSort(in []entry, least, width uint32) []entry {
	if uint(cap(s.counts)) < uint(width)+1 {
		s.counts = make([]uint32, max(int(width)+1, 2*cap(s.counts)))
	}
	counts := s.counts[:width+1]
	clear(counts)
	for _, e := range in {
		counts[min(e.Key-least, width)]++
	}
	at := uint32(0)
	for i, c := range counts {
		counts[i] = at
		at += c
	}
	out := s.second(len(in))
	for _, e := range in {
		c := &counts[min(e.Key-least, width)]
		out[*c] = e
		*c++
	}
	return out
}

// radixSort sorts by digits from the lowest, as wide as the number of rows makes worth their table of counts. Missing
// values are set aside first.
func (s *scanner) radixSort(in []entry, least, most uint32) []entry {
	known, to := in[:0], s.second(len(in))
	missing := to[:0]
	for _, e := range in {
		if e.Key > most {
			missing = append(missing, e)
		} else {
			known = append(known, e)
		}
	}
	copy(in[len(known):], missing)
	from := known
	to = to[:len(known)]
	width := min(max(bits.Len(uint(len(known)))-1, leastDigit), mostDigit)
	digits := (bits.Len32(most-least) + width - 1) / width
	if digits == 0 {
		return in
	}
	width = (bits.Len32(most-least) + digits - 1) / digits
	mask := uint32(1)<<width - 1
	counts := s.digits[:mask+1]
	for shift := 0; digits > 0; digits, shift = digits-1, shift+width {
		clear(counts)
		for _, e := range from {
			counts[(e.Key-least)>>shift&mask]++
		}
		at := uint32(0)
		for i, c := range counts {
			counts[i] = at
			at += c
		}
		for _, e := range from {
			c := &counts[(e.Key-least)>>shift&mask]
			to[*c] = e
			*c++
		}
		from, to = to, from
	}
	if &from[0] != &in[0] {
		copy(in, from)
	}
	return in
}
