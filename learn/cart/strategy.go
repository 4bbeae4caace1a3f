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

// on grows on a table that one of the engines has prepared, by a configuration of its own.
type on[C any] struct {
	engine interface {
		Rows() []int32
		Grow(ctx context.Context, pop *grow.Population, c C) (*tree.Tree, error)
	}
	config func(o exact.Options) C
}

func (s *on[C]) Rows() []int32 { return s.engine.Rows() }

func (s *on[C]) grow(ctx context.Context, pop *grow.Population,
	o exact.Options) (*tree.Tree, error) {
	return s.engine.Grow(ctx, pop, s.config(o))
}

// prepare prepares a table for the strategy that the parameters choose: lists of rows, of which a
// child may have a fraction; ranks, for nodes that sample few columns; or presorted columns.
func (l *Learner) prepare(ctx context.Context, f *data.Frame, rows []int32,
	workers int) (strategy, error) {
	missing, directions, chi2 := l.missingRule(), l.directions(&f.Schema), l.Chi2
	if missing.fractional {
		p, err := weighted.Prepare(ctx, f, rows, workers)
		return &on[weighted.Config]{p, func(o exact.Options) weighted.Config {
			return weighted.Config{Options: o, Chi2: chi2, Directions: directions}
		}}, err
	}
	simple := missing.rule <= presorted.Majority && chi2 <= 0 && !directions.Any()
	if simple && ranked.Faster(l.Mtry, len(f.Columns)) {
		p, err := ranked.Prepare(ctx, f, rows, workers)
		return &on[ranked.Config]{p, func(o exact.Options) ranked.Config {
			return ranked.Config{Options: o, Majority: missing.rule == presorted.Majority}
		}}, err
	}
	p, err := presorted.Prepare(ctx, f, rows, workers)
	config := l.columnConfig(directions)
	return &on[presorted.Config]{p, func(o exact.Options) presorted.Config {
		own := config
		own.Options = o
		return own
	}}, err
}

// columnConfig translates the parameters for presorted columns.
func (l *Learner) columnConfig(directions exact.Directions) presorted.Config {
	return presorted.Config{Missing: l.missingRule().rule, Surrogates: l.Surrogates, Chi2: l.Chi2,
		Directions: directions}
}
