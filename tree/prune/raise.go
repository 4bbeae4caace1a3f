package prune

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// Training is the rows that a classification tree was grown on. Slices other than Columns are
// indexed by position in Rows.
type Training struct {
	Columns []data.Column // of the tree's own schema, with its dictionaries
	Rows    []int32       // rows of the columns
	Count   []uint32      // multiplicity of each row; nil = all 1
	Weight  []float64     // total weight of each row, its multiplicity included; nil = all 1
	Class   []uint32      // class of each row

	// Impurity writes the total impurity of each of len(dst) sets of class weights, which stats
	// holds one after another. Only a tree with statistics needs it: the nodes of raised branches
	// get new ones. Nil leaves theirs 0.
	Impurity func(dst, stats []float64)

	// goroutines, below 2 = one; the tree is the same for any number. Impurity is called by one at
	// a time
	Workers int
}

// PessimisticRaise prunes like Pessimistic and also raises subtrees (Quinlan 1993, chapter 4, in
// the order of Weka's J48). From the bottom up, three estimates of errors are compared at each
// inner node:
//
//	below   the sum over the leaves below
//	leaf    of the node as a leaf
//	branch  of the heaviest child's subtree, of equal ones the last, if it got all rows of the node
//
// If leaf exceeds neither of the others by more than 0.1, the node becomes a leaf. Else, if branch
// exceeds below by no more than 0.1, that subtree takes the node's place and is pruned again with
// the rows that now reach it. Rows that miss a value follow the rule of their node; where it
// divides them, the fractions are those of the current rows. Values, fractions and statistics of
// the nodes in a raised subtree are those of its new rows, all others stay as they were. A leaf
// that no row reaches has its parent's value.
//
// The work is that of growing on presorted rows, times the depth of the tree at worst.
func PessimisticRaise(t *tree.Tree, cf float64, rows Training) (*tree.Tree, error) {
	l, err := newLimit(cf)
	if err != nil {
		return nil, err
	}
	counts, err := classes(t)
	if err != nil {
		return nil, err
	}
	if err := rows.check(t, counts[0]); err != nil {
		return nil, err
	}
	r := &raiser{Training: rows, limit: l, tree: t,
		free: make(chan struct{}, max(0, rows.Workers-1)), gaps: rows.gaps()}
	root, all := r.branchAt(0), r.all()
	r.prune(root, all, r.passage(len(all.at)))
	return r.build(root, all)
}

// check reports rows that cannot be those of the tree.
func (rows *Training) check(t *tree.Tree, root []float64) error {
	n := len(rows.Rows)
	if len(rows.Class) != n || rows.Weight != nil && len(rows.Weight) != n || rows.Count != nil &&
		len(rows.Count) != n {
		return errors.New("training rows, classes, weights and counts of unequal length")
	}
	if err := t.Validate(len(rows.Columns)); err != nil {
		return err
	}
	seen := make([]float64, len(root))
	for i, k := range rows.Class {
		if int(k) >= len(seen) {
			return fmt.Errorf("class %d of a training row, the tree has %d classes", k, len(seen))
		}
		seen[k] += rows.weight(i)
	}
	for k, w := range seen {
		if math.Abs(w-root[k]) > alike*max(1, sum(root)) {
			return fmt.Errorf("the training rows of class %d weigh %v, the tree was grown on %v", k,
				w, root[k])
		}
	}
	return nil
}

func (rows *Training) weight(i int) float64 {
	if rows.Weight == nil {
		return 1
	}
	return rows.Weight[i]
}

// raiser prunes one tree.
type raiser struct {
	Training
	limit
	tree *tree.Tree
	free chan struct{} // holds an entry for each worker that is busy, but for the first
	gaps []bool        // by column: a row misses its value
}

// manyRows is the number of rows from which on subtrees are pruned side by side.
const manyRows = 500

// pruneKids prunes the children of a branch that so many rows reach, and adds their estimates to a
// sum, in their order.
func (r *raiser) pruneKids(
	b *branch, kids []weightedRows, rows int, sum float64, memory *passage,
) float64 {
	estimates := make([]float64, len(b.kids))
	var wait sync.WaitGroup
	for i, kid := range b.kids {
		if rows >= manyRows && i+1 < len(b.kids) {
			select {
			case r.free <- struct{}{}:
				wait.Go(func() {
					estimates[i] = r.prune(kid, kids[i], r.passage(len(kids[i].at)))
					<-r.free
				})
				continue
			default:
			}
		}
		estimates[i] = r.prune(kid, kids[i], memory)
	}
	wait.Wait()
	for _, e := range estimates {
		sum += e
	}
	return sum
}

// branch is a node of the tree while it is pruned: the present place of a node of the finished
// tree.
type branch struct {
	node   int32 // of the finished tree
	kids   []*branch
	raised bool // the node took its parent's place
}

// branchAt copies the shape of the tree from a node on.
func (r *raiser) branchAt(n int32) *branch {
	b := &branch{node: n}
	for c := r.tree.Child(n); c < r.tree.Child(n)+r.tree.Arity(n); c++ {
		b.kids = append(b.kids, r.branchAt(c))
	}
	return b
}

// prune makes the decisions for a branch that the given rows reach and returns the estimate of its
// errors.
func (r *raiser) prune(b *branch, in weightedRows, memory *passage) float64 {
	leaf := r.asLeaf(in, memory)
	for len(b.kids) > 0 {
		kids, ended := r.send(b.node, in, memory)
		below := r.pruneKids(b, kids, len(in.at), ended, memory)
		heaviest := b.kids[heaviest(kids)]
		raised := r.through(heaviest, in, max(below+leafBonus, leaf)+1, memory)
		switch {
		case leaf-(below+leafBonus) < alike && leaf-(raised+leafBonus) < alike:
			b.kids = nil
		case raised-(below+leafBonus) < alike:
			b.node, b.kids, b.raised = heaviest.node, heaviest.kids, true
		default:
			return below
		}
	}
	return leaf
}

// ended returns the estimate for the rows among those of an inner node that end there.
func (r *raiser) ended(in, rest weightedRows) float64 {
	if len(rest.at) == 0 {
		return 0
	}
	return r.estimate(r.counts(rest), largest(r.counts(in)))
}
