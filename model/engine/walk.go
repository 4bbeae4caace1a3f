package engine

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// Raw writes the combined value of every output for one row; len(dst) is the number of outputs. row holds a value
// for each of Columns: numbers, or category codes as numbers; NaN is missing and -1 an unseen category.
//
// Sums begin with the bias and go on in the order of the trees. Means are sums that are divided once, so that the mean of
// whole numbers is rounded once; their bias comes last.
func (p *Program) Raw(dst, row []float64) {
	clear(dst)
	if p.divisor == 0 {
		copy(dst, p.bias)
	}
	for t, root := range p.roots {
		if p.divides {
			p.spread(dst, t, root, p.scale[t], row)
			continue
		}
		n, stop := p.walk(root, row)
		value := p.nodes[n].child
		if stop {
			value = p.rare[n].value
		}
		p.pour(dst, t, value, p.scale[t])
	}
	if p.divisor == 0 {
		return
	}
	for k := range dst {
		dst[k] /= p.divisor
	}
	for k, b := range p.bias {
		dst[k] += b
	}
}

// pour adds the values at an offset, times scale, to the outputs of a tree.
func (p *Program) pour(dst []float64, t int, value int32, scale float64) {
	if o := p.outputs[t]; o >= 0 {
		dst[o] += float64(scale * p.values[value])
		return
	}
	v := p.values[value : value+p.width[t]]
	for i := range v {
		dst[i] += float64(scale * v[i])
	}
}

// spread is pour of all leaves that parts of a row reach, where a missing value divides it.
func (p *Program) spread(dst []float64, t int, n int32, part float64, row []float64) {
	n, stop := p.walk(n, row)
	d := &p.nodes[n]
	if stop {
		p.pour(dst, t, p.rare[n].value, part)
		return
	}
	if d.kind == tree.Leaf {
		p.pour(dst, t, d.child, part)
		return
	}
	for i, s := range p.rare[n].shares {
		if s > 0 {
			p.spread(dst, t, d.child+int32(i), float64(part*s), row)
		}
	}
}

// Leaves writes the number of the leaf reached in each tree; len(dst) is NumTrees. A row that stops early ends at an
// inner node; one that divides is followed to the child of the largest share.
func (p *Program) Leaves(dst, row []float64) {
	for t, root := range p.roots {
		n := root
		for {
			var stop bool
			if n, stop = p.walk(n, row); stop || p.nodes[n].kind == tree.Leaf {
				dst[t] = float64(n - root)
				break
			}
			n = p.rare[n].majority
		}
	}
}

// walk follows a row from node n to a leaf, to a node that divides it, or to an inner node at which it stops.
func (p *Program) walk(n int32, row []float64) (end int32, stop bool) {
	for {
		d := &p.nodes[n]
		var last bool
		switch d.kind {
		case tree.Leaf:
			return n, false
		case tree.Cut:
			x := row[d.column]
			if math.IsNaN(x) {
				goto missing
			}
			last = x > d.cut
		case tree.SetFirst, tree.SetLast:
			x := row[d.column]
			if math.IsNaN(x) {
				goto missing
			}
			last = p.inSet(d, x) != (d.kind == tree.SetFirst)
		case tree.ByCode:
			x := row[d.column]
			if !(x >= 0 && x < float64(d.words)) {
				goto missing
			}
			n = d.child + int32(x)
			continue
		default:
			x := p.project(d, row)
			if math.IsNaN(x) {
				goto missing
			}
			last = x > d.cut
		}
		n = d.child
		if last {
			n++
		}
		continue
	missing:
		switch d.missing {
		case missingStop:
			return n, true
		case missingFractional:
			return n, false
		case missingSurrogate:
			next := p.surrogate(n, row)
			if next == missingStop {
				return n, true
			}
			n = next
		default:
			n = d.missing
		}
	}
}

func (p *Program) inSet(d *node, code float64) bool {
	return code >= 0 && code < float64(d.words)*64 && tree.InSet(p.sets[d.set:d.set+d.words], uint32(code))
}

// project returns what an Oblique or Sphere node compares with its cut.
func (p *Program) project(d *node, row []float64) float64 {
	sum := 0.0
	for _, t := range p.terms[d.set : d.set+d.words] {
		x := row[t.column]
		if d.kind == tree.Sphere {
			x -= t.coef
			sum += float64(x * x)
		} else {
			sum += float64(x * t.coef)
		}
	}
	return sum
}

// surrogate returns the child that the first surrogate that can tell names, else what the node has for all others.
func (p *Program) surrogate(n int32, row []float64) int32 {
	r := p.rare[n]
	for i := range r.surrogates {
		u := &r.surrogates[i]
		x := row[u.column]
		if math.IsNaN(x) || u.kind != tree.Cut && !p.inSet(&u.node, x) {
			continue
		}
		if u.kind == tree.SetLast || u.kind == tree.Cut && x > u.cut {
			return u.last
		}
		return u.first
	}
	return r.otherwise
}
