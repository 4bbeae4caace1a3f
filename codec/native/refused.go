package native

import (
	"unsafe"

	"github.com/coppice-ml/coppice/model"
)

// refused is the section of the leaves without a prediction. Programs that do not refuse the rows
// that reach one would predict a number for them, so the section is required. With leaves 2 of tree
// 0 and 1 and 4 of tree 3 it has
//
//	tree   0 3 3
//	leaf   2 1 4
type refused struct{ trees, leaves []int32 }

// newRefused lists the leaves of an ensemble without a prediction.
func newRefused(e *model.Ensemble) *refused {
	r := &refused{}
	for _, one := range e.Refused {
		r.trees, r.leaves = append(r.trees, one.Tree), append(r.leaves, one.Leaf)
	}
	return r
}

func (r *refused) arrays() []array {
	return []array{whole("tree", required, &r.trees), whole("leaf", required, &r.leaves)}
}

// section returns the section.
func (r *refused) section() section {
	s := arraySection("refused", r.arrays())
	s.since = version1_1
	return s
}

// parseRefused gives an ensemble its leaves without a prediction. Validation checks them.
func parseRefused(p *payload, e *model.Ensemble, b *budget) {
	r := &refused{}
	p.loadAll(r.arrays())
	if len(r.trees) != len(r.leaves) {
		p.corrupt(0, "%d leaves without a prediction of %d trees", len(r.leaves), len(r.trees))
	}
	b.take(int64(len(r.trees)) * int64(unsafe.Sizeof(model.Refused{})))
	for i, tree := range r.trees {
		e.Refused = append(e.Refused, model.Refused{Tree: tree, Leaf: r.leaves[i]})
	}
}
