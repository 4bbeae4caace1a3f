package anyboost

import "math"

const (
	flatSlope   = 1e-13 // fraction of the first slope that counts as none
	mostSlopes  = 200   // evaluations, of which each is a pass over the rows
	mostHalves  = 60    // of a step that does not make the loss less
	mostDoubles = 100   // of a step behind which the loss still falls
)

// search returns how far to go along the predictions of a round, so that the loss of the training
// set is least; 0 if it does not fall.
//
// The loss along this line is a function of one number. Where it is convex, as for most losses, its
// slope
//
//	slope(a) = sum of g(raw + a f) f
//
// rises from below 0, and its zero is looked for by Newton's method within a bracket, by bisection
// where that does not halve the slope. Of the squared error the slope is a line, and its zero <-g,
// f> / <f, f>: the projection. Of separable classes the loss falls for ever: the search ends where
// the slope is next to nothing. Whatever the loss, the step that is returned does not make it
// greater.
func (b *boost) search(predicts []float64) float64 {
	s := &lineSearch{b: b, predicts: predicts, raw: make([]float64, len(predicts)),
		g: make([]float64, len(predicts)), h: make([]float64, len(predicts))}
	return s.falls(s.flat())
}

type lineSearch struct {
	b         *boost
	predicts  []float64
	raw, g, h []float64
	slopes    int // evaluations of the slope
}

// move makes the scores after a step.
func (s *lineSearch) move(a float64) {
	for i, f := range s.predicts {
		s.raw[i] = s.b.train.Raw[i] + float64(a*f)
	}
}

// slope returns the first derivative of the loss by the step, and the second or what stands in for
// it.
func (s *lineSearch) slope(a float64) (slope, bend float64) {
	s.slopes++
	s.move(a)
	s.b.train.Objective.Gradients(s.g, s.h, s.raw, s.b.workers())
	for i, f := range s.predicts {
		slope += float64(s.g[i] * f)
		bend += float64(s.h[i] * f * f)
	}
	return slope, bend
}

// value returns the loss after a step.
func (s *lineSearch) value(a float64) float64 {
	s.move(a)
	return s.b.train.Objective.Value(s.raw, s.b.workers())
}

// flat returns a step at which the slope is next to nothing, or changes its sign.
func (s *lineSearch) flat() float64 {
	first, bend := s.slope(0)
	if !(first < 0) {
		return 0
	}
	low, high, a := 0.0, math.Inf(1), 1.0
	if step := -first / bend; step > 0 && !math.IsInf(step, 0) {
		a = step
	}
	last := -first
	for s.slopes < mostSlopes {
		slope, bend := s.slope(a)
		switch {
		case math.Abs(slope) <= -flatSlope*first:
			return a
		case slope < 0:
			low = a
		default: // or not a number, behind where scores overflow
			high = a
		}
		next := a - slope/bend
		switch {
		case math.IsInf(high, 1) && s.slopes > mostDoubles:
			return a
		case math.IsInf(high, 1):
			next = min(max(next, 2*a), 16*a)
			if !(next > a) || math.IsInf(next, 0) {
				next = 2 * a
			}
		case !(next > low && next < high) || !(math.Abs(slope) <= last/2):
			next = low + float64((high-low)*0.5)
		}
		if next <= low || next >= high {
			return low
		}
		a, last = next, math.Abs(slope)
	}
	return low
}

// falls halves a step until the loss is less than before; 0 if that takes too long.
func (s *lineSearch) falls(a float64) float64 {
	before := s.value(0)
	for range mostHalves {
		if a == 0 {
			return 0
		}
		if s.value(a) < before {
			return a
		}
		a /= 2
	}
	return 0
}
