package metric

import (
	"cmp"

	"github.com/coppice-ml/coppice/internal/scratch"
)

// layout is how records are sorted, and what they are in a scratch file. The records of a run have
// one tag, which is not stored.
type layout[T any] struct {
	size    int // in bytes
	put     func(b []byte, r *T) []byte
	get     func(b []byte, tag uint8, r *T)
	compare func(a, b *T) int
}

// run is records in ascending order in a scratch file, equal ones in the order of their rows.
type run struct {
	pieces []scratch.Piece
	tag    uint8
	level  int // how often they were merged
}

// runs are records in runs. A merge reads a piece of each run at a time, so that it takes no more
// memory however many records there are.
type runs[T any] struct {
	*store
	layout[T]
	records int // of a piece
	most    int // runs of a tag
	tagged  [2][]run
}

// pieceBytes is the largest size of a piece of a run.
const pieceBytes = 1 << 16

// runParts is by how much of the memory the buffers of a merge may take: a quarter. Two lists of
// records may be sorted at once.
const runParts = 4

func newRuns[T any](t *store, l layout[T]) *runs[T] {
	r := &runs[T]{store: t, layout: l}
	r.records = t.limit(8*runParts, l.size, pieceBytes/l.size)
	r.most = max(2, t.limit(2*runParts, r.records*l.size, 1<<20))
	return r
}

// add appends the next run of its tag. Where there are many of one level, they are merged: each
// record is in few of them.
func (r *runs[T]) add(next run) {
	all := append(r.tagged[next.tag], next)
	for {
		from := len(all)
		for from > 0 && all[from-1].level == all[len(all)-1].level {
			from--
		}
		if len(all)-from < r.most {
			break
		}
		all = r.join(all, from)
	}
	r.tagged[next.tag] = all
}

// join merges the runs from one on.
func (r *runs[T]) join(all []run, from int) []run {
	joined := r.begin(all[from].tag, all[from].level+1)
	r.merge(all[from:], joined.add)
	return append(all[:from], joined.end())
}

// mergeAll calls a function for all records in their order.
func (r *runs[T]) mergeAll(f func(record *T)) {
	var all []run
	for tag, own := range r.tagged {
		for len(own) > r.most { // of several levels, the last ones are the shortest
			own = r.join(own, len(own)-r.most)
		}
		r.tagged[tag] = own
		all = append(all, own...)
	}
	r.merge(all, f)
}

// merge calls a function for the records of runs in their order. Rows rise from run to run, so that
// of equal records those of the first run come first.
func (r *runs[T]) merge(all []run, f func(record *T)) {
	heap := make([]*runReader[T], 0, len(all))
	for i := range all {
		if one := (&runReader[T]{runs: r, left: all[i], place: i}); one.next() {
			heap = append(heap, one)
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(heap, i)
	}
	for len(heap) > 0 && r.err == nil {
		f(&heap[0].now)
		if !heap[0].next() {
			heap[0] = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
		}
		sink(heap, 0)
	}
}

// sink moves a reader down in a heap whose first one has the least record.
func sink[T any](heap []*runReader[T], i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if heap[child].before(heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}

// runReader reads a run.
type runReader[T any] struct {
	*runs[T]
	left  run
	place int // among the runs that are merged
	bytes []byte
	at    int // in bytes
	now   T
}

func (r *runReader[T]) before(other *runReader[T]) bool {
	return cmp.Or(r.compare(&r.now, &other.now), cmp.Compare(r.place, other.place)) < 0
}

// next reads the next record, if there is one.
func (r *runReader[T]) next() bool {
	if r.at == len(r.bytes) {
		if len(r.left.pieces) == 0 || r.err != nil {
			return false
		}
		r.bytes, r.at = r.read(r.left.pieces[0], r.bytes), 0
		r.left.pieces = r.left.pieces[1:]
	}
	r.get(r.bytes[r.at:r.at+r.size], r.left.tag, &r.now)
	r.at += r.size
	return true
}

// runWriter writes a run.
type runWriter[T any] struct {
	*runs[T]
	made  run
	bytes []byte
}

func (r *runs[T]) begin(tag uint8, level int) *runWriter[T] {
	return &runWriter[T]{runs: r, made: run{tag: tag, level: level},
		bytes: make([]byte, 0, r.records*r.size)}
}

func (w *runWriter[T]) add(record *T) {
	w.bytes = w.put(w.bytes, record)
	if len(w.bytes) == w.records*w.size {
		w.flush()
	}
}

func (w *runWriter[T]) flush() {
	if len(w.bytes) > 0 {
		w.made.pieces = append(w.made.pieces, w.append(w.bytes))
		w.bytes = w.bytes[:0]
	}
}

// end returns the run.
func (w *runWriter[T]) end() run {
	w.flush()
	return w.made
}
