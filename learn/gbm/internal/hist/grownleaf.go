package hist

import "github.com/coppice-ml/coppice/tree"

// Leaf is one leaf of a grown tree. Slices by output have one element where there is one output.
type Leaf struct {
	Node int32 // its number in the tree
	// the rows of the matrix that it was grown on, ascending; valid until the grower's next tree.
	// With Config.OwnRows they count from the first one of Grower.OwnRows
	Rows []int32
	// Basis is the rows that Value is computed of, as Rows in any order: these, or in a symmetric
	// tree those of a node above that was split in name
	Basis []int32
	G, H  []float64 // by output: sums of the gradients and hessians of Rows
	// by output: the Newton step -G/(H+L2), with the penalties and limits of the Config. May be
	// changed before Tree and Add
	Value []float64

	// Lower and Upper are limits of Value that keep Columns.Monotone; infinite where there are
	// none.
	Lower, Upper float64

	// Constant and Terms are the equation that Grown.FitLinear gives to rows without missing
	// values. No terms: the leaf has a Value only.
	Constant float64
	Terms    []tree.Term
}
