package engine

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// row is where the plain walk finds the values of a row: that of a feature is x[place[feature]].
// Categories are codes as numbers; NaN is missing and -1 an unseen category.
type row struct {
	x     []float64
	place []int32
}

func (r row) of(feature int32) float64 { return r.x[r.place[feature]] }

// walk follows a row from node n to its end: a leaf, or an inner node at which it stops
// (tree.MissingStop) or is divided (tree.MissingFractional). This is the plain walk, which supports
// every kind of node and every rule.
func (p *plan) walk(n int32, r row) int32 {
	for p.Kind(n) != tree.Leaf {
		next := p.next(n, r)
		if next < 0 {
			break
		}
		n = next
	}
	return n
}

// next returns the child of an inner node that a row goes to, -1 if the row stops there or is
// divided.
func (p *plan) next(n int32, r row) int32 {
	d := &p.Nodes[n]
	last := false
	switch d.Kind() {
	case tree.Numeric:
		x := r.of(d.Feature())
		if math.IsNaN(x) {
			return p.nextMissing(n, r)
		}
		last = x > d.SplitPoint()
	case tree.SetFirst, tree.SetLast:
		x := r.of(d.Feature())
		if math.IsNaN(x) {
			return p.nextMissing(n, r)
		}
		last = contains(p.Set(n), x) == (d.Kind() == tree.SetLast)
	case tree.ByCode:
		x := r.of(d.Feature())
		if !(x >= 0 && x < float64(d.Arity())) {
			return p.nextMissing(n, r)
		}
		return d.Child() + int32(x)
	default:
		x := p.project(n, r)
		if math.IsNaN(x) {
			return p.nextMissing(n, r)
		}
		last = x > d.SplitPoint()
	}
	if last {
		return d.Child() + 1
	}
	return d.Child()
}

func contains(set []uint64, code float64) bool {
	return code >= 0 && code < float64(len(set)*64) && tree.InSet(set, uint32(code))
}

// project returns what an Oblique or Sphere node compares with its split point.
func (p *plan) project(n int32, r row) float64 {
	sum := 0.0
	for i := p.Dirs.At[n]; i < p.Dirs.At[n+1]; i++ {
		x, c := r.of(p.Dirs.Feature[i]), p.Dirs.Coef[i]
		if p.Kind(n) == tree.Sphere {
			x -= c
			sum += float64(x * x)
		} else {
			sum += float64(x * c)
		}
	}
	return sum
}

// nextMissing is next for a row whose value is missing.
func (p *plan) nextMissing(n int32, r row) int32 {
	if m := p.Missing(n); p.Surrogates != nil &&
		(m == tree.MissingSurrogate || m == tree.MissingStop) {
		if c := p.nextSurrogate(n, r); c >= 0 {
			return c
		}
	}
	return p.NextMissing(n)
}

// nextSurrogate returns the child that the first surrogate that applies names, -1 if there is none.
func (p *plan) nextSurrogate(n int32, r row) int32 {
	s := p.Surrogates
	for i := s.At[n]; i < s.At[n+1]; i++ {
		x := r.of(s.Feature[i])
		last := s.Kind[i] == tree.SetLast
		if s.Kind[i] == tree.Numeric {
			if math.IsNaN(x) {
				continue
			}
			last = (x > s.SplitPoint[i]) == (s.Flip[i] == 0)
		} else if !contains(s.Set(i), x) {
			continue
		}
		if last {
			return p.Child(n) + 1
		}
		return p.Child(n)
	}
	return -1
}

// add adds what a tree predicts of one row to its outputs, in the plain walk.
func (p *plan) add(dst []float64, scale float64, r row) { p.finish(dst, 0, scale, r) }

// finish is add for a row that has come to node n.
func (p *plan) finish(dst []float64, n int32, scale float64, r row) {
	n = p.walk(n, r)
	if p.Kind(n) == tree.Leaf || p.Missing(n) == tree.MissingStop {
		if slot := p.Slot(n); p.Leaf.Linear == nil {
			p.accumulate(dst, slot, scale)
		} else {
			dst[max(0, p.output)] += float64(scale * p.estimate(slot, r))
		}
		return
	}
	for c := p.Child(n); c < p.Child(n)+p.Arity(n); c++ {
		if fraction := p.Fraction[c]; fraction > 0 {
			p.finish(dst, c, float64(scale*fraction), r)
		}
	}
}

// leaf returns the node at which a row that has come to node n ends; where it is divided it follows
// the largest fraction.
func (p *plan) leaf(n int32, r row) int32 {
	for n = p.walk(n, r); p.Kind(n) != tree.Leaf &&
		p.Missing(n) != tree.MissingStop; n = p.walk(n, r) {
		n = p.Majority(n)
	}
	return n
}
