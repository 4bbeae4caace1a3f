package metric

import (
	"cmp"
	"encoding/binary"
	"math"

	"github.com/coppice-ml/coppice/internal/scratch"
)

// run is scores in ascending order, equal ones in the order of their rows, in a scratch file:
//
//	without weights   score | score | ...                                  8 bytes each
//	with weights      score, weight, 2 x row + class | ...                24 bytes each
type run struct {
	pieces []scratch.Piece
	class  uint8 // without weights, of all scores
	level  int   // how often they were merged
}

// runs are all scores of a column, but for those of the block in memory. A merge reads a piece of
// each run at a time, so that it takes no more memory however many scores there are.
type runs struct {
	*store
	weighted bool
	records  int // of a piece
	most     int // runs of a class
	class    [2][]run
}

// pieceBytes is the largest size of a piece of a run.
const pieceBytes = 1 << 16

// runParts is by how much of the memory the buffers of a merge may take: a quarter. The scores of
// two columns may be sorted at once.
const runParts = 4

func newRuns(t *store, weighted bool) *runs {
	r := &runs{store: t, weighted: weighted}
	r.records = t.limit(8*runParts, r.size(), pieceBytes/r.size())
	r.most = max(2, t.limit(2*runParts, r.records*r.size(), 1<<20))
	return r
}

// size returns the bytes of a record.
func (r *runs) size() int {
	if r.weighted {
		return 24
	}
	return 8
}

// add appends the next run of a class, 0 where there are weights. Where there are many of one
// level, they are merged: each score is in few of them.
func (r *runs) add(next run) {
	all := append(r.class[next.class], next)
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
	r.class[next.class] = all
}

// join merges the runs from one on.
func (r *runs) join(all []run, from int) []run {
	joined := r.begin(all[from].class, all[from].level+1)
	r.merge(all[from:], joined.add)
	return append(all[:from], joined.end())
}

// mergeAll calls a function for all scores in their order.
func (r *runs) mergeAll(f func(s *scored)) {
	var all []run
	for class, own := range r.class {
		for len(own) > r.most { // of several levels, the last ones are the shortest
			own = r.join(own, len(own)-r.most)
		}
		r.class[class] = own
		all = append(all, own...)
	}
	r.merge(all, f)
}

// merge calls a function for the scores of runs in their order. Rows rise from run to run, so that
// of equal scores those of the first run come first.
func (r *runs) merge(all []run, f func(s *scored)) {
	heap := make([]*runReader, 0, len(all))
	for i := range all {
		if one := (&runReader{runs: r, left: all[i], place: i}); one.next() {
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

// sink moves a reader down in a heap whose first one has the least score.
func sink(heap []*runReader, i int) {
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
type runReader struct {
	*runs
	left  run
	place int // among the runs that are merged
	bytes []byte
	at    int // in bytes
	now   scored
}

func (r *runReader) before(other *runReader) bool {
	return cmp.Or(cmp.Compare(r.now.score, other.now.score), cmp.Compare(r.place, other.place)) < 0
}

// next reads the next score, if there is one.
func (r *runReader) next() bool {
	if r.at == len(r.bytes) {
		if len(r.left.pieces) == 0 || r.err != nil {
			return false
		}
		r.bytes, r.at = r.read(r.left.pieces[0], r.bytes), 0
		r.left.pieces = r.left.pieces[1:]
	}
	word := func() uint64 {
		r.at += 8
		return binary.LittleEndian.Uint64(r.bytes[r.at-8:])
	}
	r.now = scored{score: math.Float64frombits(word()), weight: 1, class: r.left.class}
	if r.weighted {
		r.now.weight = math.Float64frombits(word())
		of := word()
		r.now.row, r.now.class = int32(of>>1), uint8(of&1)
	}
	return true
}

// runWriter writes a run.
type runWriter struct {
	*runs
	made  run
	bytes []byte
}

func (r *runs) begin(class uint8, level int) *runWriter {
	return &runWriter{runs: r, made: run{class: class, level: level},
		bytes: make([]byte, 0, r.records*r.size())}
}

func (w *runWriter) add(s *scored) {
	w.bytes = binary.LittleEndian.AppendUint64(w.bytes, math.Float64bits(s.score))
	if w.weighted {
		w.bytes = binary.LittleEndian.AppendUint64(w.bytes, math.Float64bits(s.weight))
		w.bytes = binary.LittleEndian.AppendUint64(w.bytes, uint64(s.row)<<1|uint64(s.class))
	}
	if len(w.bytes) == w.records*w.size() {
		w.flush()
	}
}

func (w *runWriter) flush() {
	if len(w.bytes) > 0 {
		w.made.pieces = append(w.made.pieces, w.append(w.bytes))
		w.bytes = w.bytes[:0]
	}
}

// end returns the run.
func (w *runWriter) end() run {
	w.flush()
	return w.made
}
