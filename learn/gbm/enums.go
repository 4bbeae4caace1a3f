package gbm

import "github.com/coppice-ml/coppice/param"

// Growth is what a tree splits next.
type Growth = param.Enum[growthNames]

// The ways to grow.
const (
	// that of GrowthLeaf, or what the rehearsal finds; of few rows that of GrowthSymmetric
	GrowthAuto Growth = iota
	// the leaf of largest gain, as LightGBM
	GrowthLeaf
	// level by level, as XGBoost
	GrowthDepth
	// level by level with one split for all nodes of a level, as CatBoost
	GrowthSymmetric
)

type growthNames struct{}

func (growthNames) Enum() (string, []string) {
	return "growth", []string{"auto", "leaf", "depth", "symmetric"}
}

// GammaPrune is where the least gain Gamma acts.
type GammaPrune = param.Enum[gammaPruneNames]

// The places.
const (
	// a split of less gain is not made, so that growth ends there
	GammaPruneTop GammaPrune = iota
	// the tree grows, then branches of less gain are removed from the leaves up
	GammaPruneBottom
)

type gammaPruneNames struct{}

func (gammaPruneNames) Enum() (string, []string) { return "gamma_prune", []string{"top", "bottom"} }

// ColsampleBy is what half of the columns is sampled for where no fraction is given.
type ColsampleBy = param.Enum[colsampleByNames]

// What columns are sampled for.
const (
	// each tree
	ColsampleByTree ColsampleBy = iota
	// each tree where the label is a class, else each node
	ColsampleByTask
)

type colsampleByNames struct{}

func (colsampleByNames) Enum() (string, []string) {
	return "colsample_by", []string{"tree", "task"}
}

// SplitPoints is where numeric columns may be split.
type SplitPoints = param.Enum[splitPointsNames]

// The ways to propose split points.
const (
	// between bins of all rows, or of those of a sample beyond memory
	SplitPointsExact SplitPoints = iota
	// by a weighted quantile sketch of all rows (Chen and Guestrin 2016), once
	SplitPointsSketch
	// the same for each tree, by second derivatives
	SplitPointsLocal
)

type splitPointsNames struct{}

func (splitPointsNames) Enum() (string, []string) {
	return "split_points", []string{"exact", "sketch", "local"}
}

// Categories is how categorical columns are split.
type Categories = param.Enum[categoriesNames]

// The ways to split.
const (
	// target if a column has 64 categories or more, else native
	CategoriesAuto Categories = iota
	// by sets of categories
	CategoriesNative
	// by target statistics, also of combinations of columns (Prokhorenkova et al. 2018)
	CategoriesTarget
	// by both
	CategoriesBoth
	// as numbers, in the order of their texts, or of their values where all are numbers
	CategoriesOrdinal
)

type categoriesNames struct{}

func (categoriesNames) Enum() (string, []string) {
	return "categories", []string{"auto", "native", "target", "both", "ordinal"}
}

// SplitScore is what splits are compared by.
type SplitScore = param.Enum[splitScoreNames]

// The scores.
const (
	// the gain by first and second derivatives
	SplitScoreNewton SplitScore = iota
	// the gain by first derivatives and the weights of rows
	SplitScoreL2
	// CatBoost's cosine of first derivatives and leaf values, level by level
	SplitScoreCosine
)

type splitScoreNames struct{}

func (splitScoreNames) Enum() (string, []string) {
	return "split_score", []string{"newton", "l2", "cosine"}
}

// LeafMethod is the steps by which leaves get their values.
type LeafMethod = param.Enum[leafMethodNames]

// The methods.
const (
	// by second derivatives
	LeafMethodNewton LeafMethod = iota
	// by the weights of rows
	LeafMethodGradient
)

type leafMethodNames struct{}

func (leafMethodNames) Enum() (string, []string) {
	return "leaf_method", []string{"newton", "gradient"}
}

// Compat is the program whose conventions are followed where they differ.
type Compat = param.Enum[compatNames]

// The programs.
const (
	// Coppice's own
	CompatNone Compat = iota
	// XGBoost 1.7 with tree_method=hist
	CompatXGBoost
	// XGBoost 1.7 with tree_method=exact
	CompatXGBoostExact
	// LightGBM 4
	CompatLightGBM
	// CatBoost 1, as far as its documents describe it
	CompatCatBoost
)

type compatNames struct{}

func (compatNames) Enum() (string, []string) {
	return "compat", []string{"none", "xgboost", "xgboost-exact", "lightgbm", "catboost"}
}
