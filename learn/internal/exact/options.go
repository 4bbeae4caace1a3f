package exact

import (
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// Options are those of all strategies that grow by a criterion.
type Options struct {
	Criterion criterion.Definition
	Limits    grow.Limits
	BestFirst bool // split the node of largest gain next, not depth first
	// columns scanned per node, sampled for each node; 0 or more than there are = all
	Mtry int
	// rows above which a node samples further columns where none of its Mtry has a split; others
	// become leaves
	Redraw int
	// levels of a categorical column up to which they are split into any sets; 0 = any number
	Levels int
	// fraction of the levels of a column of more that a node samples to be split, while the others
	// stay together; 0 = none: they are split in the order of codes, as random thresholds always
	// are
	LevelFraction float64
	Seed          uint64 // of all random choices; what they are depends on it and on the node alone
	Workers       int    // 0 = one per processor; the tree is the same for any number
}

// Directions are the splits on several numeric columns at once that are tried in each node, beside
// those on one. The zero value tries none.
type Directions struct {
	Random int // sparse random projections per node (Breiman 2001, Forest-RC; Tomita et al. 2020)
	// one linear combination by greedy search, coefficient after coefficient (Murthy, Kasif &
	// Salzberg 1994)
	Linear bool
	Sphere int // distances to a random row of the node, in random columns
	Terms  int // columns of a random projection or distance; below 2 means 2
}

// Any reports whether there are any directions to try.
func (d *Directions) Any() bool { return d.Random > 0 || d.Linear || d.Sphere > 0 }
