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
// Its files lie on floors. A file uses what its own floor and those below declare, which a test
// holds. Stages of a tree are types, each with its own state beside the inputs that all read:
//
//	face         Grower and Grown, Outputs and Lister over the engine of a tree
//	tree         grown: splits that are finished, rows that reach each leaf, values not seen before
//	growth       splitter: the children of a leaf. growth: the order of splits, by growOpen with
//	             workers of their own, growBatches in walks or messages, growLevels level by level
//	splits       searcher: the best split of a leaf; scanner for one output, vectorScanner for several
//	histograms   builder: histograms of leaves, in memory, by a walk, or of few rows
//	rows         rowOrder: the rows of each leaf and their partition; walker; rowCounter
//	leaves       open, split, branches: the nodes of a tree; featureSampler; inputs
//	matrix       tables and layout: what the tree reads of the matrix; histogram and pool
//	derivatives  sums: words or pairs of float64; exchange: what several ranks do together
//	numbers      Config, pair, terms, team
//
// Storage shows in three places only. A stored matrix is walked where rows are partitioned, added
// up or counted (walker). Several ranks add up words, counts and best splits (exchange); each has
// the histograms of some columns (owners), or all of a leaf of few rows (moves). The ways to search
// for a split do not know of either.
//
// The ways to search for a split are written once, on the interface side. A column is searched
// through it bin by bin; only plain scores of words have a loop of their own (scanWords).
//
// A tree is a function of the matrix, the gradients, the Config and a seed: sums are exact or in a
// fixed order, and what is sampled at random is sampled from streams named by places in the tree.
package hist
