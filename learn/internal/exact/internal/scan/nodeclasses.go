package scan

import (
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// keep makes the sums keep statistics of a node's own classes, keepAll those of all. What is kept
// of missing values is cleared first.
func (s *Judge) keep(nd *growth.Node) {
	s.ClearMissing()
	s.classes = nd.Few.Classes
	s.resize(len(nd.Few.Classes))
}

func (s *Judge) keepAll() {
	s.ClearMissing()
	s.classes = nil
	s.resize(s.Task.Width)
}

func (s *Judge) resize(w int) {
	s.Own, s.zero, s.Prefix, s.Missing, s.Both = s.Own[:w], s.zero[:w], s.Prefix[:w],
		s.Missing[:w], s.Both[:w]
}

// sum adds rows to statistics that is kept and returns their number with multiplicity.
func (s *Judge) sum(stats []float64, order []sorting.Entry, origin float64) int {
	if s.classes == nil {
		return s.Task.Sum(stats, order, origin)
	}
	rows := 0
	for _, e := range order {
		// which is the weight where the criterion scans columns itself
		k := s.Task.Multiplicity(e.Pos)
		s.byClass[s.Task.Pop.Class[e.Pos]] += float64(k)
		rows += k
	}
	for i, class := range s.classes {
		stats[i] += s.byClass[class]
		s.byClass[class] = 0
	}
	return rows
}

// kept returns the statistics of a node that is kept.
func (s *Judge) kept(nd *growth.Node) []float64 {
	if s.classes == nil {
		return nd.Stats
	}
	return nd.Few.Stats
}
