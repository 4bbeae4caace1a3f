package exact

// Trees of C4.5 have lists of rows and no frames, so that workers can grow subtrees of one tree without moving anything. All rows of a
// large tree are looked at some ten times, nearly always in nodes too small for workers to share columns.

const (
	apartFrom  = 1 << 11 // rows from which a tree's subtrees are grown apart
	apartParts = 1 << 4  // the part of a tree's rows that a subtree has at most
)

// setApart sets subtrees aside, whatever the number of workers: the nodes' numbers follow from it.
func (g *grower) setApart(cfg *Config) {
	if n := len(g.pop.Rows); n >= apartFrom && !cfg.BestFirst && g.limits.Leaves <= 0 && !cfg.C45.ByGain && !cfg.Directions.any() {
		g.setsAside, g.asideRows = true, n/apartParts
	}
}

// beside returns a grower for subtrees on the same rows, with memory of its own.
func (g *grower) beside() *grower {
	sub, own := new(grower), new(c45)
	*sub, *own = *g, *g.c45
	own.g, own.loaded = sub, loaded{}
	sub.c45, sub.part, sub.found = own, make([]float64, len(g.part)), make([]split, len(g.found))
	sub.setsAside, sub.aside, sub.subs, sub.open, sub.free, sub.rest = false, nil, nil, nil, nil, nil
	sub.scanners = []*scanner{newScanner(sub, g.row)}
	return sub
}
