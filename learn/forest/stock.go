package forest

import "sync"

// stock is memory that trees hand on to those after them. It keeps what it is given, which a
// sync.Pool does not when garbage is collected: as garbage it would be more than what trees leave
// behind.
type stock[T any] struct {
	mu   sync.Mutex
	kept []T
}

// take returns what was kept last, and whether there was anything.
func (s *stock[T]) take() (v T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.kept); n > 0 {
		v, ok = s.kept[n-1], true
		s.kept = s.kept[:n-1]
	}
	return v, ok
}

func (s *stock[T]) keep(v T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, v)
}

// empty gives up what is kept.
func (s *stock[T]) empty() { s.kept = nil }
