package engine

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// group is the number of trees that one row goes down at once: while it waits for a node of one of
// them, it can take a step in another.
const group = 16

// Raw writes the combined value of every output for one row; len(dst) is the number of outputs. row
// holds a value for each of Columns: numbers, or category codes as numbers; NaN is missing and -1
// an unseen category.
//
// Sums begin with the bias and continue in the order of the trees. Means are sums that are divided
// once, so that the mean of whole numbers is rounded once; their bias comes last.
func (p *Program) Raw(dst, values []float64) { p.raw(dst[:p.outputs], values, nil) }

// raw is Raw, or RawUntil where e is not nil.
func (p *Program) raw(dst, values []float64, e *Early) (complete bool) {
	switch l := p.layout(); {
	case l != nil && l.alone:
		return l.rawAlone(p, dst, values, e)
	case l != nil && l.how != nil:
		l.inBlock(values, func(b *Block) { b.Raw(dst) })
		return true
	}
	r := row{values, p.place}
	p.begin(dst)
	var ends [group]int32
	for first := 0; first < len(p.plans); first += group {
		plans := p.plans[first:min(first+group, len(p.plans))]
		descend(&ends, plans, r)
		for i := range plans {
			plans[i].finish(dst, ends[i], p.scale[first+i], r)
		}
		if e != nil && e.stops(p, dst, first/group) {
			return false
		}
	}
	p.end(dst)
	return true
}

// Leaves writes the number of the leaf reached in each tree; len(dst) is NumTrees. A row that stops
// early ends at an inner node; one that divides is followed to the child of the largest fraction.
func (p *Program) Leaves(dst, values []float64) {
	switch l := p.layout(); {
	case l != nil && l.alone:
		l.leavesAlone(p, dst, values)
		return
	case l != nil && l.how != nil:
		l.inBlock(values, func(b *Block) { b.Leaves(dst) })
		return
	}
	r := row{values, p.place}
	var ends [group]int32
	for first := 0; first < len(p.plans); first += group {
		plans := p.plans[first:min(first+group, len(p.plans))]
		descend(&ends, plans, r)
		for i := range plans {
			dst[first+i] = float64(plans[i].leaf(ends[i], r))
		}
	}
}

// begin writes what sums begin with.
func (p *Program) begin(dst []float64) {
	if p.divisors != nil {
		clear(dst)
		return
	}
	for at := 0; at < len(dst); at += p.outputs {
		copy(dst[at:], p.bias)
	}
}

// end makes means of sums.
func (p *Program) end(dst []float64) {
	if p.divisors == nil {
		return
	}
	for at := 0; at < len(dst); at += p.outputs {
		for k, b := range p.bias {
			dst[at+k] = dst[at+k]/p.divisors[k] + b
		}
	}
}

// descend takes a row down some trees, a step in each in turn, and writes where it ends: at a leaf,
// or where it stops or is divided. Trees take turns so that a processor loads the nodes of some
// while it waits for others. The list of those that go on is closed up in place: left is never
// beyond the tree that is read.
func descend(ends *[group]int32, plans []plan, r row) {
	var going [group]uint8
	for i := range plans {
		ends[i], going[i] = 0, uint8(i)
	}
	for n := len(plans); n > 0; {
		left := 0
		for _, i := range going[:n] {
			p := &plans[i]
			end := &ends[i%group]
			d := &p.nodes[*end]
			next := int32(-1)
			switch kind := tree.Kind(d.Look & kindBits); kind {
			case tree.Leaf:
				continue
			case tree.Numeric:
				if x := r.x[r.place[d.Look>>featureAt]]; !math.IsNaN(x) {
					next = d.Child + one(x > d.SplitPoint)
				}
			case tree.SetFirst, tree.SetLast:
				if x := r.x[r.place[d.Look>>featureAt]]; !math.IsNaN(x) {
					s := int(d.SplitPoint)
					next = d.Child + one(contains(p.Sets[p.SetAt[s]:p.SetAt[s+1]],
						x) == (kind == tree.SetLast))
				}
			}
			if next < 0 {
				if next = p.next(*end, r); next < 0 {
					continue
				}
			}
			*end = next
			going[left] = i
			left++
		}
		n = left
	}
}

// one returns 1 for true and 0 for false, without a branch, since a processor could not predict it.
func one(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
