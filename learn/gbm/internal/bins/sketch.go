package bins

import "slices"

// Sketch stores a few quantiles of a weighted set of numbers. The numbers come in any order, in any
// number of calls, and from other sketches. It makes no random choice: the same calls in the same
// order give the same sketch.
//
// It is the weighted quantile summary of Chen and Guestrin (2016, "XGBoost", appendix A), which
// extends that of Greenwald and Khanna (2001) to weights. It has summaries of 1, 2, 4, ... buffers
// (Zhang and Wang 2007):
//
//	buffer    | 2*size numbers, unsorted |
//	level 0   | summary of 1 buffer, no more than size values |
//	level 1   | none |
//	level 2   | summary of 4 buffers, no more than size values |
//
// A full buffer becomes a summary of level 0; two summaries of a level become one of the next. The
// weight up to a number is known to within the total weight times (levels + 1) / (size - 1). Bound
// returns that error for the numbers so far. With at most size distinct numbers the weight is
// exact, but for rounding.
type Sketch struct {
	size   int
	buffer []keyed
	spare  []keyed
	level  []summary // nil = there is none
	free   []summary // memory of summaries that became others
}

// NewSketch returns an empty sketch that keeps size values per level, at least 8. 64 for every bin
// that is requested bounds the error to a quarter of a bin, for a thousand million numbers.
func NewSketch(size int) *Sketch { return &Sketch{size: max(size, 8)} }

// Add adds numbers with their weights, which are finite; nil = 1 each. NaN and what does not weigh
// more than 0 are left out.
func (s *Sketch) Add(x, weight []float64) {
	for i, v := range x {
		w := 1.0
		if weight != nil {
			w = weight[i]
		}
		if v == v && w > 0 {
			s.add(keyed{keyOf(v + 0), w})
		}
	}
}

func (s *Sketch) add(k keyed) {
	if s.buffer == nil {
		s.buffer = make([]keyed, 0, 2*s.size)
	}
	s.buffer = append(s.buffer, k)
	if len(s.buffer) == 2*s.size {
		s.push(s.flush().prune(s.size), 0)
	}
}

// flush empties the buffer and returns its summary.
func (s *Sketch) flush() summary {
	s.buffer, s.spare = sortKeyed(s.buffer, s.spare)
	made := exactly(s.memory(), s.buffer)
	s.buffer = s.buffer[:0]
	return made
}

// push adds a summary to a level.
func (s *Sketch) push(made summary, level int) {
	for ; ; level++ {
		for len(s.level) <= level {
			s.level = append(s.level, nil)
		}
		if s.level[level] == nil {
			s.level[level] = made
			return
		}
		both := combine(s.memory(), s.level[level], made).prune(s.size)
		s.free = append(s.free, s.level[level], made)
		s.level[level] = nil
		made = both
	}
}

// memory returns an empty summary with capacity for two.
func (s *Sketch) memory() summary {
	if n := len(s.free); n > 0 {
		m := s.free[n-1][:0]
		s.free = s.free[:n-1]
		return m
	}
	return make(summary, 0, 2*s.size)
}

// Merge adds what another sketch, which it does not change, has seen.
func (s *Sketch) Merge(other *Sketch) {
	for level, made := range other.level {
		if made != nil {
			s.push(append(s.memory(), made...).prune(s.size), level)
		}
	}
	for _, k := range other.buffer {
		s.add(k)
	}
}

// summary returns the summary of all that was added.
func (s *Sketch) summary() summary {
	sorted, _ := sortKeyed(slices.Clone(s.buffer), nil)
	all := exactly(nil, sorted)
	for _, made := range s.level {
		if made != nil {
			all = combine(nil, all, made)
		}
	}
	return all
}

// Weight returns the weight of all that was added.
func (s *Sketch) Weight() float64 { return s.summary().total() }

// Bound returns the most by which the weight on either side of a split point of SplitPoints may
// differ from what it is taken for.
func (s *Sketch) Bound() float64 {
	all, gap := s.summary(), 0.0
	for i := 1; i < len(all); i++ {
		gap = max(gap, (all[i].before()-all[i-1].after())/2)
	}
	return gap
}

// SplitPoints returns the split points between at most most bins of about the same weight, as Make
// would make them of the numbers themselves: no more values than bins have one each, heavy values
// have theirs.
func (s *Sketch) SplitPoints(most int) []float64 {
	var d mass
	s.summary().mass(&d)
	return d.splitPoints(most, 1)
}
