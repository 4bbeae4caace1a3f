package metric

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// scores are a column of predictions of two classes, to be sorted. Without weights they take 8
// bytes for each row, since then the order of the rows does not matter. With weights they take 24.
// What the memory of the store does not hold is in runs.
type scores struct {
	*store
	all       []float64 // of class 0 from the start, of class 1 from the end; nil: there are weights
	low, high int       // what lies between is free
	weighted  []scored
	rows      int32 // that were added
	sorted    bool
	runs      *runs[scored] // nil: all are in memory
	ties      *tieLog       // of the runs, once they are merged
}

type scored struct {
	score  float64
	weight float64
	row    int32
	class  uint8
}

// scoredLayout is that of the scores of one class, which is their tag, and that of scores with
// weights, whose tag is 0:
//
//	without weights   score                                  8 bytes
//	with weights      score, weight, 2 x row + class        24 bytes
//
// Runs have the rows in their order, so that equal scores need no comparison of rows.
func scoredLayout(weighted bool) layout[scored] {
	l := layout[scored]{8, putScore, getScore,
		func(a, b *scored) int { return cmp.Compare(a.score, b.score) }}
	if weighted {
		l.size, l.put, l.get = 24, putWeighted, getWeighted
	}
	return l
}

func putScore(b []byte, s *scored) []byte { return appendNumber(b, s.score) }

func getScore(b []byte, class uint8, s *scored) {
	*s = scored{score: numberAt(b, 0), weight: 1, class: class}
}

func putWeighted(b []byte, s *scored) []byte {
	b = appendNumber(appendNumber(b, s.score), s.weight)
	return binary.LittleEndian.AppendUint64(b, uint64(s.row)<<1|uint64(s.class))
}

func getWeighted(b []byte, _ uint8, s *scored) {
	of := binary.LittleEndian.Uint64(b[16:])
	*s = scored{numberAt(b, 0), numberAt(b, 8), int32(of >> 1), uint8(of & 1)}
}

func appendNumber(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

func numberAt(b []byte, at int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
}

// newScores has memory for so many rows, or for as many as the store allows one of so many columns.
func newScores(rows int, weighted bool, t *store, columns int64) *scores {
	if weighted {
		n := t.limit(runParts*columns, 24, rows)
		return &scores{store: t, weighted: make([]scored, 0, n)}
	}
	n := t.limit(runParts*columns, 8, rows)
	return &scores{store: t, all: make([]float64, n), high: n}
}

// add adds the rows of a sample of two classes.
func (t *scores) add(s *Sample, column int) {
	for i, c := range s.Class {
		t.put(s.Pred[2*i+column], uint8(c), s.weight(i))
	}
}

// addClass adds the rows of a sample with the scores of one class. Rows of it are class 1, and all
// others class 0.
func (t *scores) addClass(s *Sample, class int) {
	for i, c := range s.Class {
		is := uint8(0)
		if int(c) == class {
			is = 1
		}
		t.put(s.Pred[s.Width*i+class], is, s.weight(i))
	}
}

func (t *scores) put(score float64, class uint8, weight float64) {
	switch {
	case t.all == nil:
		if len(t.weighted) == cap(t.weighted) {
			t.spill()
		}
		t.weighted = append(t.weighted, scored{score, weight, t.rows, class})
		t.rows++
		return
	case t.low == t.high:
		t.spill()
	}
	if class == 0 {
		t.all[t.low] = score
		t.low++
	} else {
		t.high--
		t.all[t.high] = score
	}
}

// area returns the area under the ROC curve of class 1, and the weights of both classes. It is NaN
// where one of these is 0.
func (t *scores) area() (area float64, weight [2]float64) {
	// weight is that of lower scores so far; area counts pairs in the right order
	t.eachTie(false, func(tied [2]float64) {
		area += float64(tied[1] * (weight[0] + float64(tied[0]/2)))
		weight[0] += tied[0]
		weight[1] += tied[1]
	})
	return area / weight[0] / weight[1], weight
}

// sort returns the scores in memory of each class, sorted, and those with weights.
func (t *scores) sort() (of [2][]float64, weighted []scored) {
	of = [2][]float64{t.all[:t.low], t.all[t.high:]}
	if !t.sorted {
		t.sorted = true
		spare := make([]float64, max(len(of[0]), len(of[1])))
		kernel.SortByCells(of[0], spare)
		kernel.SortByCells(of[1], spare)
		slices.SortFunc(t.weighted, func(a, b scored) int {
			return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.row, b.row))
		})
	}
	return of, t.weighted
}

// spill moves the scores in memory to runs.
func (t *scores) spill() {
	if t.runs == nil {
		t.runs = newRuns(t.store, scoredLayout(t.all == nil))
	}
	of, weighted := t.sort()
	for class := range of {
		w := t.runs.begin(uint8(class), 0)
		for _, v := range of[class] {
			w.add(&scored{score: v})
		}
		for i := range weighted {
			w.add(&weighted[i])
		}
		if made := w.end(); len(made.pieces) > 0 {
			t.runs.add(made)
		}
		weighted = nil // of both classes together
	}
	t.low, t.high, t.weighted, t.sorted = 0, len(t.all), t.weighted[:0], false
}

// eachTie calls a function for the scores, ascending or descending, with the weights of both
// classes that have the score. The sums are in the order of the rows.
func (t *scores) eachTie(descending bool, f func(tied [2]float64)) {
	if t.runs != nil {
		if t.ties == nil {
			t.spill()
			t.all, t.weighted = nil, nil
			t.ties = tiesOf(t.runs)
		}
		t.ties.each(descending, f)
		return
	}
	of, weighted := t.sort()
	if t.all == nil {
		eachWeightedTie(weighted, descending, f)
		return
	}
	for len(of[0])+len(of[1]) > 0 {
		now := next(&of, descending)
		var tied [2]float64
		for c := range of {
			left := of[c]
			for len(left) > 0 && left[end(len(left), descending)] == now {
				left = rest(left, descending)
			}
			tied[c], of[c] = float64(len(of[c])-len(left)), left
		}
		f(tied)
	}
}

// end returns the place of the first of n, or of the last if they are taken in descending order.
func end(n int, descending bool) int {
	if descending {
		return n - 1
	}
	return 0
}

// rest returns a list without the one at that end.
func rest[T any](list []T, descending bool) []T {
	if descending {
		return list[:len(list)-1]
	}
	return list[1:]
}

// next returns the next one of the scores of two classes, of which one has some.
func next(of *[2][]float64, descending bool) float64 {
	switch {
	case len(of[0]) == 0:
		return of[1][end(len(of[1]), descending)]
	case len(of[1]) == 0:
		return of[0][end(len(of[0]), descending)]
	case descending:
		return max(of[0][len(of[0])-1], of[1][len(of[1])-1])
	}
	return min(of[0][0], of[1][0])
}

func eachWeightedTie(order []scored, descending bool, f func(tied [2]float64)) {
	for len(order) > 0 {
		now := order[end(len(order), descending)].score
		left := order
		for len(left) > 0 && left[end(len(left), descending)].score == now {
			left = rest(left, descending)
		}
		equal := order[:len(order)-len(left)]
		if descending {
			equal = order[len(left):]
		}
		var tied [2]float64
		for _, r := range equal {
			tied[r.class] += r.weight
		}
		f(tied)
		order = left
	}
}
