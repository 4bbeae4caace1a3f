package table

import (
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
)

// Config is how the columns of a table are prepared, and how trees are grown on them.
type Config struct {
	Columns
	// Engine is the engine's configuration, without what only a matrix decides: MinLeaf and
	// ColumnsByTree are 0 where they follow from it, see Growth.
	Engine hist.Config
	// LeafRows is the least number of rows of a leaf that the loss asks for; 0 = none. MinLeaf
	// overrules it, and a small table lowers it.
	LeafRows int
}

// Columns is how columns become bins.
type Columns struct {
	Bins, MinBin int     // most bins of a column, and the least rows of one
	Sketch       float64 // in place of both: of split points by a sketch; 0 = exact
	LocalPoints  bool    // that are proposed for each tree, by second derivatives
	Categories   Encoding
	Statistics   encode.Options // but for the columns that are combined
	Limits       *Limits
}

// Encoding is how categorical columns are split.
type Encoding uint8

// The ways to split, in the order of the parameter's values.
const (
	AutoEncoding    Encoding = iota // by target statistics if a column has many categories
	NativeEncoding                  // by sets of categories
	TargetEncoding                  // by target statistics
	BothEncodings                   // by both
	OrdinalEncoding                 // as numbers
)

// String returns the value of the parameter categories.
func (e Encoding) String() string {
	return [...]string{"auto", "native", "target", "both", "ordinal"}[e]
}

// Own reports whether the conventions are those of no other program.
func (c *Config) Own() bool { return c.Engine.Conventions == hist.Own }

// CatBoost reports whether they are those of CatBoost.
func (c *Config) CatBoost() bool { return c.Follows(hist.CatBoost) }

// Follows reports whether they are those of a program.
func (c *Config) Follows(as hist.Conventions) bool { return c.Engine.Conventions == as }
