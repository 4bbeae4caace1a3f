package cart

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/presorted"
	"github.com/coppice-ml/coppice/learn/internal/exact/ranked"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// strategy grows trees on a prepared table in one way, which the parameters choose.
type strategy interface {
	// Rows returns the prepared frame rows, ascending.
	Rows() []int32
	// grow grows one tree.
	grow(ctx context.Context, pop *grow.Population, o exact.Options) (*tree.Tree, error)
}

// onColumns grows on presorted columns.
type onColumns struct {
	*presorted.Prepared
	config presorted.Config
}

func (s *onColumns) grow(ctx context.Context, pop *grow.Population,
	o exact.Options) (*tree.Tree, error) {
	cfg := s.config
	cfg.Options = o
	return s.Grow(ctx, pop, cfg)
}

// onParts grows on lists of rows, of which a child may have a fraction.
type onParts struct {
	*weighted.Prepared
	config weighted.Config
}

func (s *onParts) grow(ctx context.Context, pop *grow.Population,
	o exact.Options) (*tree.Tree, error) {
	cfg := s.config
	cfg.Options = o
	return s.Grow(ctx, pop, cfg)
}

// onRanks grows on ranks, for nodes that sample few columns.
type onRanks struct {
	*ranked.Prepared
	config ranked.Config
}

func (s *onRanks) grow(ctx context.Context, pop *grow.Population,
	o exact.Options) (*tree.Tree, error) {
	cfg := s.config
	cfg.Options = o
	return s.Grow(ctx, pop, cfg)
}

// prepare prepares a table for the strategy that the parameters choose.
func (l *Learner) prepare(ctx context.Context, f *data.Frame, rows []int32,
	workers int) (strategy, error) {
	missing, directions := l.missingRule(), l.directions(&f.Schema)
	if missing.fractional {
		p, err := weighted.Prepare(ctx, f, rows, workers)
		return &onParts{p, weighted.Config{Chi2: l.Chi2, Directions: directions}}, err
	}
	simple := missing.rule <= presorted.Majority && l.Chi2 <= 0 && !directions.Any()
	if simple && ranked.Faster(l.Mtry, len(f.Columns)) {
		p, err := ranked.Prepare(ctx, f, rows, workers)
		return &onRanks{p, ranked.Config{Majority: missing.rule == presorted.Majority}}, err
	}
	p, err := presorted.Prepare(ctx, f, rows, workers)
	return &onColumns{p, l.columnConfig(directions)}, err
}

// columnConfig translates the parameters for presorted columns.
func (l *Learner) columnConfig(directions exact.Directions) presorted.Config {
	return presorted.Config{Missing: l.missingRule().rule, Surrogates: l.Surrogates, Chi2: l.Chi2,
		Directions: directions}
}
