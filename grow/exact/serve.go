package exact

import (
	"errors"
	"math/bits"
)

// shared is a store that all trees of a table share: small subtrees get one of their own, which is filled anew for each.
type shared interface {
	store
	below() store         // a store for subtrees
	gather(rows []uint32) // fills it with rows of the store above
}

// share makes what all trees share the store.
func (g *grower) share(cfg *Config) {
	if g.prepared.numbers != nil {
		g.store = g.prepared.numbers
	} else {
		g.store = &framed{frame: *g.prepared.all}
	}
	if bits.Len(uint(len(g.pop.Rows)))+int(g.shift) <= 32 {
		g.class8 = classBytes(g.pop.Class, g.pop.Classes)
	}
	g.setsAside, g.asideRows = !cfg.BestFirst && g.limits.Leaves <= 0, frameRows
	g.columns = make([]working, len(g.prepared.columns))
	for i := range g.columns {
		c, w := &g.prepared.columns[i], &g.columns[i]
		if w.code, w.few = c.code, c.few; w.few != nil && w.code == nil && g.counts && g.scan != nil && g.rule == Learned {
			w.setTable(len(c.values), g.shift)
		}
	}
	g.setBucketing()
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

// framesUpTo is the share of columns looked at per node up to which frames are faster than presorted columns: measured in
// docs/adr/0011-grow-forests-on-one-shared-rank-store.md.
const framesUpTo = 0.25

// Framed reports whether PrepareFramed serves a way to grow trees of so many columns better than Prepare.
func (c *Config) Framed(columns int) bool {
	few := c.Mtry > 0 && float64(c.Mtry) <= framesUpTo*float64(columns)
	return few && (&Prepared{all: &frame{}}).serves(c) == nil
}

// ErrFramed is returned by Grow for a way to grow that needs Prepare, not PrepareFramed.
var ErrFramed = errors.New("a table prepared in frames serves neither C4.5, nor directions, nor the chi-squared limit, nor this rule for missing values")

// ErrDrawn is returned by Grow for drawn splits of a table that PrepareDrawn did not make ready, and for all others of one that
// it did.
var ErrDrawn = errors.New("drawn splits need a table prepared for them, which serves no others")
