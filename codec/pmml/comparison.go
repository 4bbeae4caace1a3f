package pmml

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// swapped returns the outcomes of the opposite test.
func (o outcomes) swapped() outcomes {
	o.yes, o.no = o.no, o.yes
	switch o.side {
	case asTrue:
		o.side = asFalse
	case asFalse:
		o.side = asTrue
	}
	return o
}

// upTo returns the split point c for which the comparison is x <= c, or if swap its opposite.
func (p *predicate) upTo() (c float64, swap bool) {
	if p.via != nil {
		return p.shifted()
	}
	c, swap = p.value, p.operator == greater || p.operator == greaterOrEqual
	below := p.operator == less || p.operator == greaterOrEqual
	t := float32(c)
	switch {
	case p.single && below: // t is the least number of single precision from c on
		if float64(t) < c {
			t = math.Nextafter32(t, float32(math.Inf(1)))
		}
		c, _ = tree.Below32(t)
	case p.single: // t is the greatest up to c
		if float64(t) > c {
			t = math.Nextafter32(t, float32(math.Inf(-1)))
		}
		c, _ = tree.UpTo32(t)
	case below:
		c = math.Nextafter(c, math.Inf(-1))
	}
	return c, swap
}
