package weighted

import (
	"math"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// divided is the strategy that splits by a criterion and sends rows without a value to both
// children by fractions.
type divided struct {
	scan.Chooser
	lists
	leastWeight float64 // of a node that may be split
	chi2        float64 // greatest p-value of a split; 0 = no test
	directions  *scan.Directions
}

// newDivided returns what grows a tree by a criterion on lists of rows.
func newDivided(p *sorting.Table, pop *grow.Population, cfg *Config) (*growth.Growth, error) {
	if err := growth.CheckTableKeys(p, pop); err != nil {
		return nil, err
	}
	l := growth.NewLabels(pop, &cfg.Criterion, true, cfg.plain)
	l.Fraction = make([]float64, len(pop.Rows))
	t := scan.NewTask(l, growth.Fractional, cfg.Limits.MinLeaf)
	t.Subsets, t.RowWeight = scan.Subsets{UpTo: cfg.Levels, Fraction: cfg.LevelFraction},
		lightest(pop)
	t.SetWeighed()
	n := len(p.Columns)
	s := &divided{chi2: cfg.Chi2,
		leastWeight: t.LeastWeight(max(cfg.Limits.MinSplit, 2, 2*t.MinLeaf))}
	s.Chooser = scan.Chooser{Team: scan.NewTeam(t, cfg.Workers, n), Task: t, Scan: s.scanColumn,
		Sampler: scan.NewSampler(cfg.Mtry, n), Redraw: cfg.Redraw, Found: make([]growth.Split, n)}
	s.lists = newLists(p, t, s.Team, false)
	if s.chi2 > 0 {
		s.Accept = func(nd *growth.Node,
			b *growth.Split) bool {
			return s.significant(nd, b, s.chi2)
		}
	}
	s.directions = scan.NewDirections(cfg.Directions, &s.Chooser, s.raw, len(pop.Rows))
	g := growth.New(t.Labels, t.Rule, s, cfg.Limits, growth.OutputOf(l, false))
	g.BestFirst = cfg.BestFirst
	return g, nil
}

// lightest returns the least weight that a single row has.
func lightest(pop *grow.Population) float64 {
	if pop.Weight == nil {
		return 1
	}
	least := math.Inf(1)
	for i, w := range pop.Weight {
		least = min(least, w/float64(pop.Multiplicity(i)))
	}
	return least
}

func (s *divided) Splittable(nd *growth.Node) bool { return nd.Weight >= s.leastWeight }

func (s *divided) Best(nd *growth.Node) growth.Split {
	s.Chooser.Task.Load(nd)
	b := s.Chooser.Best(nd)
	if b.Kind == tree.Numeric {
		b.SetSplitPoint(s.columns[b.Feature].values)
	}
	if s.directions != nil {
		return s.directions.Best(nd, b)
	}
	return b
}

// scanColumn returns the best split of a node by one column.
func (s *divided) scanColumn(sc *scan.Scanner, nd *growth.Node, column int) growth.Split {
	if c := s.columns[column].codes; c != nil {
		return sc.Categories.Scan(nd, c)
	}
	b := sc.ScanOrder(nd, s.order(sc, nd, column))
	b.Feature = int32(column)
	return b
}

func (s *divided) splitPoints() []scan.SortedColumn {
	all := make([]scan.SortedColumn, len(s.columns))
	for i := range s.columns {
		if c := &s.columns[i]; c.codes == nil {
			all[i] = func(sc *scan.Scanner, nd *growth.Node) ([]sorting.Entry, []float64) {
				return s.order(sc, nd, i), c.values
			}
		}
	}
	return all
}
