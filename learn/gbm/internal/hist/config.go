package hist

import "github.com/coppice-ml/coppice/ranks"

// Policy is the order in which open leaves are split.
type Policy uint8

// The policies.
const (
	LeafWise  Policy = iota // the leaf of largest gain first (LightGBM)
	DepthWise               // level by level (XGBoost's default)
	// level by level, one split for all nodes of a level (CatBoost's oblivious trees); see levels
	Symmetric
)

// SymmetricDepth is the depth of symmetric trees whose Shape has none, CatBoost's default.
const SymmetricDepth = 6

// Conventions name the program whose way of looking for splits a Grower follows where programs
// differ. Symmetric trees and trees of several outputs have no such differences.
type Conventions uint8

// The conventions.
const (
	Own Conventions = iota
	// XGBoost are those of XGBoost 1.7; see xgboost.go.
	XGBoost
	// LightGBM are those of LightGBM 4; see lightgbm.go.
	LightGBM
	// XGBoostExact are those of XGBoost 1.7 with tree_method=exact; see xgboostexact.go. They
	// require Values.
	XGBoostExact
	// CatBoost are those of CatBoost for symmetric trees: all leaves have their own Newton steps,
	// those without rows the value 0.
	CatBoost
)

// Config is how trees are grown. The zero value grows leaf-wise without limits or penalties.
type Config struct {
	Shape
	Regularization
	Categories
	Columns
	Compatibility

	// Unseen sends values that a node had not, and missing values where it had none, to a child by
	// grow.UnseenLast. Without it other categories go to the last child, and missing values as the
	// Conventions have it. The weights are those of the rows of the tree.
	Unseen bool
	Weight []float64 // for Unseen: of the rows that bins.Matrix.Rows names; nil: all weigh the same

	// Outputs is how many outputs get trees by turns, 0 = 1. The derivatives of an output are about
	// as large as in its last tree, which saves a pass over them. Trees do not depend on it.
	Outputs int

	// sum gradients as float64, not as fixed-point numbers: for gradients of very different sizes
	Double  bool
	Workers int // 0 = one per processor; trees have the same bytes for any number
	// Ranks is the processes that grow the tree together, each of which has all derivatives and the
	// codes of all rows, and reads those of some; nil: there is one. Trees have the same bytes.
	// On a stored matrix each of them grows the tree.
	Ranks ranks.Group
	// OwnRows leaves a grown tree of several ranks without the rows of the others: leaves list, and
	// Grown.Add adds to, those of Grower.OwnRows only, and GrowDerived derives no others. Trees
	// then have all rows of the matrix.
	OwnRows bool
}

// Shape is the order of splits, and the limits of a tree's size.
type Shape struct {
	Policy Policy
	Leaves int // greatest number of leaves; 0 = no limit
	// greatest depth of a leaf, the root having 0; 0 = no limit, of symmetric trees SymmetricDepth
	Depth int
	// Cosine scores a level of a symmetric tree of one output by CatBoost's cosine; see
	// cosineScore. Otherwise it is scored by the sum of the gains of its leaves.
	Cosine bool
}

// Regularization is the penalties of leaves, and what a split must gain and leave on each side.
type Regularization struct {
	L1, L2 float64 // penalties of the sum of |leaf values| and of half their squares
	Gamma  float64 // least gain of a split
	// GammaBottom lets trees grow by any gain, and then removes the branches that gain less than
	// Gamma, from the leaves up: a split of two leaves becomes a leaf. Without it a split of less
	// gain is not made. Symmetric trees are grown without it.
	GammaBottom    bool
	MinChildWeight float64 // least sum of hessians of a child
	MinLeaf        int     // least number of rows of a child, below 1 means 1
	MaxDeltaStep   float64 // greatest |leaf value|; 0 = no limit
	// rows at which a leaf's value is the mean of its own and of its parent's; 0 = off
	PathSmooth float64
}

// Categories is how nominal columns are split. The names in parentheses are those of LightGBM.
type Categories struct {
	// columns of at most so many categories are split one category against the rest
	// (max_cat_to_onehot)
	OneHot int
	// of others, the most categories on the smaller side of a split; 0 = no limit
	// (max_cat_threshold)
	MaxCategories int
	// added to the hessians of a category when categories are ordered by gradient over hessian
	// (cat_smooth)
	CatSmooth float64
	CatL2     float64 // added to L2 where several categories are sent to one side (cat_l2)
	// categories of a smaller sum of hessians take no part in a split of many against many
	MinCategory float64
	// there, the rows that the set gains from one try to the next, and that stay outside; 0 = no
	// limit (min_data_per_group)
	MinGroup int

	// Order has bins of each nominal column in an order. Split points between them are tried, as
	// between numbers; those that no row is in may be left out. nil = sets of categories are
	// searched for.
	Order [][]int32
}

// Columns is which columns may split which leaves, and how. Slices are by column of the matrix.
type Columns struct {
	Monotone []int8 // 1 rising, -1 falling, 0 free; nil = all free
	// sets of columns; the columns of a path all lie in one of them; nil = no limits
	Interactions [][]int32
	ColumnWeight []float64 // factor of the gains of each column; nil = 1

	// fractions of the columns that are looked at, sampled each time; 0 = 1
	ColumnsByTree, ColumnsByLevel, ColumnsByNode float64
	// one random threshold per column and node (Geurts et al. 2006)
	ExtraRandom bool
}

// Compatibility is whose conventions a Grower follows, and what they need to be given.
type Compatibility struct {
	Conventions Conventions
	// Values are those of the bins of each column of the matrix, nil of categories, for
	// XGBoostExact: each distinct value has a bin of its own.
	Values [][]float64
	// of LightGBM: the least number of each column of the matrix, which decides where its bin of
	// zeros is; nil = all negative
	Least []float64
}

// leastExact is the gain that XGBoost requires of a split of its exact method (kRtEps).
const leastExact = 1e-6

// leastGain returns the gain below which no split is made while a tree grows.
func (c *Config) leastGain() (least float64) {
	if c.Conventions == XGBoostExact {
		least = leastExact
	}
	if c.GammaBottom && c.Policy != Symmetric {
		return least
	}
	return max(least, c.Gamma)
}

// levels returns the depth of a symmetric tree.
func (c *Config) levels() int {
	if c.Depth == 0 {
		return SymmetricDepth
	}
	return c.Depth
}

// mostLeaves returns how many leaves with rows a tree of some rows can have.
func (c *Config) mostLeaves(rows int) int {
	if c.Leaves > 0 {
		rows = min(rows, c.Leaves)
	}
	if c.Depth > 0 && c.Depth < 31 {
		rows = min(rows, 1<<c.Depth)
	}
	return rows
}

// sign returns the monotone constraint of a column.
func (c *Config) sign(column int) int8 {
	if c.Monotone == nil {
		return 0
	}
	return c.Monotone[column]
}

// leastAway returns the number of rows away from its most frequent bin that a column needs to split
// a leaf. LightGBM does not count rows.
func (c *Config) leastAway() int32 {
	if c.Conventions == LightGBM {
		return 1
	}
	return int32(max(1, c.MinLeaf))
}
