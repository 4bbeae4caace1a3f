package native

import (
	"unsafe"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// origin is the section of what an ensemble keeps of the tool that it comes from. Predictions of
// values do not need it, so the section is optional. It has a number for each leaf, in the order of
// the nodes, tree after tree, and the gains of columns: of a tree of two leaves and one of three,
// on two columns,
//
//	leaf.number   0 1   2 0 1
//	gain          17.5  0
//
// Of a certificate it has some rows, with a value for each of two columns, and what is expected.
//
//	probe         0.5 NaN   0.7 3
//	expected      12        -1
type origin struct {
	numbers  []int32
	gain     []float64
	probes   []float64
	expected []float64
}

// newOrigin lists what an ensemble keeps of its tool.
func newOrigin(e *model.Ensemble) *origin {
	o := &origin{}
	if e.Origin == nil {
		return o
	}
	o.gain = e.Origin.Gain
	if c := e.Origin.Certificate; c != nil {
		o.probes, o.expected = c.Probes, c.Expected
	}
	if e.Origin.Leaf == nil {
		return o
	}
	for i, t := range e.Trees {
		for n, number := range e.Origin.Leaf[i] {
			if t.Kind(int32(n)) == tree.Leaf {
				o.numbers = append(o.numbers, number)
			}
		}
	}
	return o
}

// none reports whether there is nothing to store.
func (o *origin) none() bool {
	return len(o.numbers) == 0 && len(o.gain) == 0 && len(o.probes) == 0 && len(o.expected) == 0
}

func (o *origin) arrays() []array {
	return []array{
		whole("leaf.number", required, &o.numbers),
		whole("gain", required, &o.gain),
		whole("probe", required, &o.probes),
		whole("expected", required, &o.expected),
	}
}

// section returns the section, which readers may skip.
func (o *origin) section() section {
	s := arraySection("origin", o.arrays())
	s.flags = 0
	return s
}

// parseOrigin gives an ensemble what it keeps of its tool. Validation checks it.
func parseOrigin(p *payload, e *model.Ensemble, b *budget) {
	o := &origin{}
	p.loadAll(o.arrays())
	if e.Origin == nil {
		p.corrupt(0, "the leaf numbers or gains of a tool in a model of none")
	}
	e.Origin.Gain = o.gain
	if c := e.Origin.Certificate; c != nil {
		c.Probes, c.Expected = o.probes, o.expected
	} else if len(o.probes)+len(o.expected) > 0 {
		p.corrupt(0, "rows of a certificate, and the header has none")
	}
	if len(o.numbers) == 0 {
		return
	}
	o.leaves(p, e, b)
}

// leaves gives the leaves their numbers.
func (o *origin) leaves(p *payload, e *model.Ensemble, b *budget) {
	nodes, leaves := 0, 0
	for _, t := range e.Trees {
		nodes += t.Len()
		leaves += t.NumLeaves()
	}
	if len(o.numbers) != leaves {
		p.corrupt(0, "%d leaf numbers of %d leaves", len(o.numbers), leaves)
	}
	const header = int64(unsafe.Sizeof([]int32(nil)))
	b.take(4*int64(nodes) + header*int64(len(e.Trees)))
	e.Origin.Leaf = make([][]int32, len(e.Trees))
	for i, t := range e.Trees {
		own := make([]int32, t.Len())
		for n := range own {
			own[n] = -1
			if t.Kind(int32(n)) == tree.Leaf {
				own[n], o.numbers = o.numbers[0], o.numbers[1:]
			}
		}
		e.Origin.Leaf[i] = own
	}
}
