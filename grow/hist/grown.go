package hist

import "github.com/coppice-ml/coppice/tree"

// Leaf is one leaf of a grown tree.
type Leaf struct {
	Node  int32   // its number in the tree
	Rows  []int32 // the rows of the matrix that it was grown on, ascending; valid until the grower's next tree
	G, H  float64 // sums of their gradients and hessians
	Value float64 // the Newton step -G/(H+L2), with the penalties and limits of the Config. May be changed before Tree and Add
}

// Grown is a tree that has just been grown, whose leaves may still be given other values.
type Grown struct {
	Leaves []Leaf // in the order of their nodes
	grower *Grower
}

// Tree returns the tree with all values of leaves times shrink, the learning rate.
func (t *Grown) Tree(shrink float64) (*tree.Tree, error) { return nil, nil }

// Add adds to raw, one score per row of the matrix, the value of each row's leaf times shrink: also of the rows that the
// tree was not grown on.
func (t *Grown) Add(raw []float64, shrink float64) {}
