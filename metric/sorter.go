package metric

import "slices"

// sorter sorts records, equal ones in the order of add. What the memory of the store does not hold
// is in runs.
type sorter[T any] struct {
	*store
	layout[T]
	now    []T
	most   int      // of now
	runs   *runs[T] // nil: all are in memory
	sorted bool     // now is
}

// newSorter has memory for as many of the records as the store allows.
func newSorter[T any](t *store, l layout[T], records, bytes int) *sorter[T] {
	return &sorter[T]{store: t, layout: l, most: t.limit(runParts, bytes, max(1, records))}
}

func (s *sorter[T]) add(record T) {
	if len(s.now) == s.most {
		s.spill()
	}
	s.now, s.sorted = append(s.now, record), false
}

func (s *sorter[T]) sort() {
	if s.sorted {
		return
	}
	s.sorted = true
	order := func(a, b T) int { return s.compare(&a, &b) }
	if !slices.IsSortedFunc(s.now, order) {
		slices.SortStableFunc(s.now, order)
	}
}

// spill moves the records in memory to a run.
func (s *sorter[T]) spill() {
	if len(s.now) == 0 {
		return
	}
	if s.runs == nil {
		s.runs = newRuns(s.store, s.layout)
	}
	s.sort()
	w := s.runs.begin(0, 0)
	for i := range s.now {
		w.add(&s.now[i])
	}
	s.runs.add(w.end())
	s.now = s.now[:0]
}

// each calls a function for all records in their order. It may be called again.
func (s *sorter[T]) each(f func(record *T)) {
	if s.runs != nil {
		s.spill()
		s.now = nil
		s.runs.mergeAll(f)
		return
	}
	s.sort()
	for i := range s.now {
		f(&s.now[i])
	}
}
