package hist

// Policy is the order in which open leaves are split.
type Policy uint8

// The policies.
const (
	LeafWise  Policy = iota // the leaf of largest gain first (LightGBM)
	DepthWise               // level by level (XGBoost's default)
	// level by level, one split for all nodes of a level (CatBoost's oblivious trees)
	Symmetric
)

// Conventions are whose way of looking for splits is followed where programs differ, by Grower and
// unless levels are Symmetric.
type Conventions uint8

// The conventions.
const (
	Own Conventions = iota
	// XGBoost are those of XGBoost 1.7: where one category is split from the rest missing values go
	// to either side; many are ordered by the values of the leaves that they would be, without
	// CatSmooth and MinCategory, and one fewer than MaxCategories makes a side.
	XGBoost
	// LightGBM are those of LightGBM 4; see lightgbm.go.
	LightGBM
	// XGBoostExact are those of XGBoost 1.7 with tree_method=exact: XGBoost's, and the thresholds
	// and the order of split points in exact.go. They require Values.
	XGBoostExact
)

// Config is how trees are grown. The zero value grows leaf-wise without limits or penalties.
type Config struct {
	Policy Policy
	Leaves int // greatest number of leaves; 0 = no limit
	Depth  int // greatest depth of a leaf, the root having 0; 0 = no limit

	L1, L2 float64 // penalties of the sum of |leaf values| and of half their squares
	Gamma  float64 // least gain of a split
	// GammaBottom lets trees grow by any gain, and then removes the branches that gain less than
	// Gamma, from the leaves up: a split of two leaves becomes a leaf. Without it a split of less
	// gain is not made. Symmetric trees are grown without it.
	GammaBottom    bool
	MinChildWeight float64 // least sum of hessians of a child
	MinLeaf        int     // least number of rows of a child, below 1 means 1
	MaxDeltaStep   float64 // greatest |leaf value|; 0 = no limit
	// rows at which a leaf's value is sampled half way to its parent's; 0 = off
	PathSmooth float64

	// nominal columns of at most so many categories are split one category against the rest
	OneHot int
	// of others, the most categories on the lesser side of a split; 0 = no limit
	MaxCategories int
	// added to the hessians of a category when categories are ordered by gradient over hessian
	CatSmooth float64
	CatL2     float64 // added to L2 where several categories are sent to one side
	// categories of a smaller sum of hessians take no part in a split of many against many
	MinCategory float64
	// there, rows that the set takes from one try to the next, and that stay outside; 0 = no limit
	MinGroup int

	// Order has the bins of each nominal column in an order: between them split points are tried,
	// as between numbers. nil = sets of categories are searched for.
	Order [][]int32

	Conventions Conventions
	// Values are those of the bins of each column of the matrix, nil of categories, for
	// XGBoostExact: each distinct value has a bin of its own.
	Values [][]float64
	// of LightGBM: the least number of each column of the matrix, which states where its bin of
	// zeros is; nil = all negative
	Least []float64

	Monotone []int8 // per column of the matrix: 1 rising, -1 falling, 0 free; nil = all free
	// sets of columns of the matrix; a path's columns all lie in one of them; nil = no limits
	Interactions [][]int32
	ColumnWeight []float64 // factor of the gains of each column of the matrix; nil = 1

	// fractions of the columns that are looked at, sampled each time; 0 = 1
	ColumnsByTree, ColumnsByLevel, ColumnsByNode float64
	// one random threshold per column and node (Geurts et al. 2006)
	ExtraRandom bool

	// Outputs is how many outputs get trees by turns, 0 = 1: derivatives of one are about as large
	// as in its last tree, which spares a pass over them. Trees do not depend on it.
	Outputs int

	// sum gradients as float64, not as fixed-point numbers: for gradients of very different sizes
	Double  bool
	Workers int // 0 = one per processor; trees have the same bytes for any number
}
