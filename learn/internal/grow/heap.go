package grow

// Heap holds values of which it gives the first: a binary heap.
type Heap[T any] struct {
	Before func(a, b T) bool // whether a comes before b; the same throughout

	all []T // all[i] comes no later than all[2i+1] and all[2i+2]
}

// Push adds a value.
func (h *Heap[T]) Push(v T) {
	h.all = append(h.all, v)
	for i := len(h.all) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.Before(h.all[i], h.all[up]) {
			return
		}
		h.all[i], h.all[up] = h.all[up], h.all[i]
		i = up
	}
}

// Peek returns the first value; false: there is none.
func (h *Heap[T]) Peek() (first T, ok bool) {
	if len(h.all) == 0 {
		return first, false
	}
	return h.all[0], true
}

// Pop takes the first value out; false: there is none.
func (h *Heap[T]) Pop() (first T, ok bool) {
	if first, ok = h.Peek(); !ok {
		return first, false
	}
	last := len(h.all) - 1
	h.all[0] = h.all[last]
	clear(h.all[last:]) // what it points to is free
	h.all = h.all[:last]
	for i := 0; ; {
		next := i
		for c := 2*i + 1; c <= 2*i+2 && c < last; c++ {
			if h.Before(h.all[c], h.all[next]) {
				next = c
			}
		}
		if next == i {
			return first, true
		}
		h.all[i], h.all[next] = h.all[next], h.all[i]
		i = next
	}
}
