package gbm

import "github.com/coppice-ml/coppice/param"

// Growth is what a tree splits next.
type Growth uint8

// The ways to grow.
const (
	// the leaf of largest gain, as LightGBM
	GrowthLeaf Growth = iota
	// level by level, as XGBoost
	GrowthDepth
	// level by level with one split for all nodes of a level, as CatBoost
	GrowthSymmetric
)

var growthNames = []string{"leaf", "depth", "symmetric"}

// String returns the name of the value, as the parameter growth has it.
func (g Growth) String() string { return param.EnumName(growthNames, g) }

// MarshalText writes the value by its name.
func (g Growth) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (g *Growth) UnmarshalText(text []byte) (err error) {
	*g, err = param.ParseEnum[Growth]("growth", growthNames, text)
	return err
}

// GammaPrune is where the least gain Gamma acts.
type GammaPrune uint8

// The places.
const (
	// a split of less gain is not made, so that growth ends there
	GammaPruneTop GammaPrune = iota
	// the tree grows, then branches of less gain are removed from the leaves up
	GammaPruneBottom
)

var gammaPruneNames = []string{"top", "bottom"}

// String returns the name of the value, as the parameter gamma_prune has it.
func (g GammaPrune) String() string { return param.EnumName(gammaPruneNames, g) }

// MarshalText writes the value by its name.
func (g GammaPrune) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (g *GammaPrune) UnmarshalText(text []byte) (err error) {
	*g, err = param.ParseEnum[GammaPrune]("gamma_prune", gammaPruneNames, text)
	return err
}

// ColsampleBy is what half of the columns is sampled for where no fraction is given.
type ColsampleBy uint8

// What columns are sampled for.
const (
	// each tree
	ColsampleByTree ColsampleBy = iota
	// each tree where the label is a class, else each node
	ColsampleByTask
)

var colsampleByNames = []string{"tree", "task"}

// String returns the name of the value, as the parameter colsample_by has it.
func (c ColsampleBy) String() string { return param.EnumName(colsampleByNames, c) }

// MarshalText writes the value by its name.
func (c ColsampleBy) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (c *ColsampleBy) UnmarshalText(text []byte) (err error) {
	*c, err = param.ParseEnum[ColsampleBy]("colsample_by", colsampleByNames, text)
	return err
}

// Categories is how categorical columns are split.
type Categories uint8

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

var categoriesNames = []string{"auto", "native", "target", "both", "ordinal"}

// String returns the name of the value, as the parameter categories has it.
func (c Categories) String() string { return param.EnumName(categoriesNames, c) }

// MarshalText writes the value by its name.
func (c Categories) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (c *Categories) UnmarshalText(text []byte) (err error) {
	*c, err = param.ParseEnum[Categories]("categories", categoriesNames, text)
	return err
}

// SplitScore is what splits are compared by.
type SplitScore uint8

// The scores.
const (
	// the gain by first and second derivatives
	SplitScoreNewton SplitScore = iota
	// the gain by first derivatives and the weights of rows
	SplitScoreL2
	// CatBoost's cosine of first derivatives and leaf values, level by level
	SplitScoreCosine
)

var splitScoreNames = []string{"newton", "l2", "cosine"}

// String returns the name of the value, as the parameter split_score has it.
func (s SplitScore) String() string { return param.EnumName(splitScoreNames, s) }

// MarshalText writes the value by its name.
func (s SplitScore) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (s *SplitScore) UnmarshalText(text []byte) (err error) {
	*s, err = param.ParseEnum[SplitScore]("split_score", splitScoreNames, text)
	return err
}

// LeafMethod is the steps by which leaves get their values.
type LeafMethod uint8

// The methods.
const (
	// by second derivatives
	LeafMethodNewton LeafMethod = iota
	// by the weights of rows
	LeafMethodGradient
)

var leafMethodNames = []string{"newton", "gradient"}

// String returns the name of the value, as the parameter leaf_method has it.
func (m LeafMethod) String() string { return param.EnumName(leafMethodNames, m) }

// MarshalText writes the value by its name.
func (m LeafMethod) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (m *LeafMethod) UnmarshalText(text []byte) (err error) {
	*m, err = param.ParseEnum[LeafMethod]("leaf_method", leafMethodNames, text)
	return err
}

// Compat is the program whose conventions are followed where they differ.
type Compat uint8

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

var compatNames = []string{"none", "xgboost", "xgboost-exact", "lightgbm", "catboost"}

// String returns the name of the value, as the parameter compat has it.
func (c Compat) String() string { return param.EnumName(compatNames, c) }

// MarshalText writes the value by its name.
func (c Compat) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (c *Compat) UnmarshalText(text []byte) (err error) {
	*c, err = param.ParseEnum[Compat]("compat", compatNames, text)
	return err
}
