package exact

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// Config says how to grow.
type Config struct {
	Criterion criterion.Definition
	Limits    grow.Limits
	BestFirst bool    // split the node of largest gain next, not depth first
	Missing   Missing // where missing values go; C45 always divides them
	// Surrogate, SurrogateStop: columns that stand in for the one of a node, at most
	Surrogates int
	C45        *C45 // split by gain ratio; nil = by Criterion
	// columns looked at per node, drawn anew for each; 0 or more than there are = all
	Mtry int
	// rows above which a node draws further columns where none of its Mtry has a split; others
	// become leaves
	Redraw int
	// levels of a categorical column up to which they are parted into any sets; 0 = any number
	Levels int
	// fraction of the levels of a column of more that a node draws to be parted, while the others
	// stay together; 0 = none: they are cut in the order of codes, as random thresholds always do
	// it
	LevelFraction float64
	// random thresholds per column and node, of which the best is taken (Geurts et al. 2006); 0 =
	// all splits are tried
	Drawn int
	// thresholds are random and none is better than another: labels are not looked at, a population
	// needs none (Liu et al. 2008)
	Blind      bool
	Seed       uint64     // of the draws of Mtry, Drawn and Directions
	Directions Directions // splits on several columns
	Workers    int        // 0 = one per processor; the tree is the same for any number
	// leaves alone have values, and nodes no statistics but gains: see tree.NewLeafBuilder
	Leaves bool

	plain bool // judge candidates in batches even where the criterion scans itself, for tests
	bins  bool // stumps look at bins however few rows there are, for tests
}

// Series grows trees one after the other, in the same memory where it can: small trees cost more to
// make room for than one would think. It is not safe for concurrent use.
type Series struct {
	p    *Prepared
	cfg  Config
	g    sharedGrowth // of tables that trees share
	rows []uint32
}

// sharedGrowth grows trees on a table that all trees share.
type sharedGrowth interface {
	grow(ctx context.Context, rows []uint32, seed uint64) (*tree.Tree, error)
	again(pop *grow.Population) bool
}

// Series starts a series of trees, which differ in their populations and seeds.
func (p *Prepared) Series(cfg Config) *Series { return &Series{p: p, cfg: cfg} }

// Grow grows one tree on a population, whose rows are among the prepared ones. On a cancelled
// context it returns the tree so far, with the open nodes as leaves, and ctx.Err(); where leaves
// alone have values no tree.
func (p *Prepared) Grow(ctx context.Context, pop *grow.Population, cfg Config) (*tree.Tree, error) {
	return p.Series(cfg).Grow(ctx, pop, cfg.Seed)
}

// Grow grows a tree as Prepared.Grow does, with a seed in place of that of the Config. The tree may
// be used until the next call.
func (s *Series) Grow(ctx context.Context, pop *grow.Population, seed uint64) (*tree.Tree, error) {
	p, cfg := s.p, s.cfg
	if err := p.fits(pop); err != nil {
		return nil, err
	}
	if err := p.serves(&cfg); err != nil {
		return nil, err
	}
	if !p.shared() {
		pop = pop.Present()
		if s.rows = rowsOf(pop, s.rows); len(s.rows) == 0 {
			return nil, errNoRows
		}
		return p.single(pop, &cfg).grow(ctx, s.rows, seed)
	}
	pop = p.spread(pop)
	if s.rows = rowsOf(pop, s.rows); len(s.rows) == 0 {
		return nil, errNoRows
	}
	if s.g == nil || !s.g.again(pop) {
		if p.numbers != nil {
			s.g = newRandom(p, pop, &cfg)
		} else {
			s.g = newRanked(p, pop, &cfg)
		}
	}
	return s.g.grow(ctx, s.rows, seed)
}

// single returns what grows a tree on columns that are copied for it.
func (p *Prepared) single(pop *grow.Population, cfg *Config) *growth {
	switch {
	case cfg.C45 != nil:
		return newC45(p, pop, cfg)
	case cfg.Missing == Fractional:
		return newDivided(p, pop, cfg)
	}
	if g := newStump(p, pop, cfg); g != nil {
		return g
	}
	return newPresorted(p, pop, cfg)
}

// fits checks that rank and class of every row fit into an entry's 32 bits: beyond 100 million
// distinct values of a column with 26 classes they would not.
func (p *Prepared) fits(pop *grow.Population) error {
	if pop.Class == nil {
		return nil
	}
	room := uint64(sorting.MissingRank) >> bits.Len(uint(pop.Classes-1))
	for i := range p.columns {
		n := uint64(len(p.columns[i].values))
		if p.all != nil {
			n = uint64(len(p.rows)) // ranks are places
		}
		if n >= room {
			return fmt.Errorf("column %d has %d distinct values, with %d classes the limit is %d", i, n, pop.Classes, room)
		}
	}
	return nil
}

// serves checks that a table can be grown on as asked.
func (p *Prepared) serves(cfg *Config) error {
	if drawn := cfg.Drawn > 0 || cfg.Blind; drawn != (p.numbers != nil) {
		return ErrDrawn
	}
	if p.all == nil && p.numbers == nil {
		return nil
	}
	if cfg.C45 != nil || cfg.Missing > Majority || cfg.Directions.any() || cfg.Limits.Chi2 > 0 {
		return ErrFramed
	}
	return nil
}

// framesUpTo is the share of columns looked at per node up to which frames are faster than
// presorted columns: measured in docs/adr/0011-grow-forests-on-one-shared-rank-store.md.
const framesUpTo = 0.25

// Framed reports whether PrepareFramed serves a way to grow trees of so many columns better than
// Prepare.
func (c *Config) Framed(columns int) bool {
	few := c.Mtry > 0 && float64(c.Mtry) <= framesUpTo*float64(columns)
	return few && (&Prepared{all: &rankStore{}}).serves(c) == nil
}

// ErrFramed is returned by Grow for a way to grow that needs Prepare, not PrepareFramed.
var ErrFramed = errors.New("a table prepared in frames serves neither C4.5, nor directions, nor the chi-squared limit, nor this rule for missing values")

// ErrDrawn is returned by Grow for drawn splits of a table that PrepareDrawn did not make ready,
// and for all others of one that it did.
var ErrDrawn = errors.New("drawn splits need a table prepared for them, which serves no others")
