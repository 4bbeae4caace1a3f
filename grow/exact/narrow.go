package exact

// Nodes deep in a tree of many classes hold few of them. Where the criterion scans columns itself,
// statistics are kept of those alone. That changes no result: a class without weight adds nothing
// to any impurity.
//
//	nd.stats   | 0 3 0 0 1 0 |
//	nd.classes | 1 4 |
//	nd.narrow  | 3 1 |

// setNarrow makes the narrow statistics of a node, if they are much shorter, and reports whether
// the node has one class.
func (l *labels) setNarrow(nd *node) (pure bool) {
	present := 0
	for _, w := range nd.stats {
		if w > 0 {
			present++
		}
	}
	if l.scan == nil || l.width == 2 || 2*present > l.width || present < 2 {
		return present < 2
	}
	nd.classes, nd.narrow = make([]uint32, 0, present), make([]float64, 0, present)
	for class, w := range nd.stats {
		if w > 0 {
			nd.classes, nd.narrow = append(nd.classes, uint32(class)), append(nd.narrow, w)
		}
	}
	return false
}

// keep makes the scanner keep statistics of a node's own classes, keepAll those of all. What is
// kept of missing values is forgotten first.
func (s *scanner) keep(nd *node) {
	s.forget()
	s.classes = nd.classes
	s.resize(len(nd.classes))
}

func (s *scanner) keepAll() {
	s.forget()
	s.classes = nil
	s.resize(s.t.width)
}

func (s *scanner) resize(w int) {
	s.own, s.zero, s.prefix, s.missing, s.both = s.own[:w], s.zero[:w], s.prefix[:w], s.missing[:w], s.both[:w]
}

// sum adds rows to statistics that the scanner keeps and returns their number with multiplicity.
func (s *scanner) sum(stats []float64, order []entry, origin float64) int {
	if s.classes == nil {
		return s.t.sum(stats, order, origin)
	}
	rows := 0
	for _, e := range order {
		k := s.t.multiplicity(e.Pos) // which is the weight where the criterion scans columns itself
		s.byClass[s.t.pop.Class[e.Pos]] += float64(k)
		rows += k
	}
	for i, class := range s.classes {
		stats[i] += s.byClass[class]
		s.byClass[class] = 0
	}
	return rows
}

// kept returns the statistics of a node that the scanner keeps.
func (s *scanner) kept(nd *node) []float64 {
	if s.classes == nil {
		return nd.stats
	}
	return nd.narrow
}
