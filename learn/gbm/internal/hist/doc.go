// Package hist owns the engine that grows trees on histograms of gradients: on columns in bins, by
// the second-order gain of Chen and Guestrin (2016), equation 7. Leaves hold one value or one for
// each of several outputs.
//
//	gradients -> fixed-point words ----+
//	                                   v
//	rows of a leaf ---------> histogram of its rows -> best split by each column -> best split
//	      ^                            |                                                |
//	      |             sibling = parent - the smaller child                            |
//	      +--- rows of two children, in place <------------- sides of codes <-----------+
//
// A tree passes through stages, each a type with a file of its own:
//
//	sums            derivatives as words or pairs
//	tables          what the tree reads of the matrix
//	featureSampler  the columns that may split a leaf
//	rowOrder        the rows of each leaf, and their partition
//	builder, pool   histograms of rows, and their memory; smallleaf.go has those of
//	                leaves of few rows, without most listed columns
//	finder          the splits of a leaf: scanner for one output, vectorScanner for several
//	leafWorkers     the order of splits: open leaves on workers of their own
//	levels          the same level by level
//	grown           the finished splits, and the rows that reach each leaf
//	unseen          the child of values that a node had not, once a tree is grown
//	owners, moves   of several ranks: which one has which columns of a leaf, or all of a small one
//
// Outputs are the words of several outputs at the same scores, and the histograms of their roots,
// which one pass each makes for all of them.
//
// The ways to search for a split are written once, on the interface side. A column is searched
// through it bin by bin; only plain scores of words have a loop of their own (scanWords).
//
// A tree is a function of the matrix, the gradients, the Config and a seed: sums are exact or in a
// fixed order, and what is sampled at random is sampled from streams named by places in the tree.
package hist
