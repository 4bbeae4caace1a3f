package monotone

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/model"
)

// tries is how many pairs of leaves in the wrong order are tried as counterexamples of the whole
// model.
const tries = 400

// witness makes counterexamples of pairs of leaves.
type witness struct {
	m         *model.Ensemble
	p         model.Predictor
	feature   int
	rising    bool
	left      int // of tries
	low, high []float64
}

// try returns a counterexample of rows in two boxed nodes of a tree; nil if those tried are none of
// the whole model.
func (w *witness) try(s *order, a, b *boxed, score int) *Counterexample {
	w.left--
	row := make([]float64, len(w.m.Meta.Schema.Fields))
	for f := range row {
		_, _, x := s.sideOf(a.box, int32(f))
		_, _, y := s.sideOf(b.box, int32(f))
		c := x.common(&y)
		row[f] = s.pick(&c)
	}
	_, _, x := s.sideOf(a.box, int32(w.feature))
	_, _, y := s.sideOf(b.box, int32(w.feature))
	whole := [2]float64{max(x.low, math.Floor(x.high)), min(y.high, math.Ceil(y.low))}
	for _, ends := range [][2]float64{separated(x, y), whole, {x.high, y.low}} {
		if !(ends[0] < ends[1]) {
			continue
		}
		if c := w.compare(row, ends, score); c != nil {
			return c
		}
	}
	return nil
}

// compare returns the counterexample that two values of the feature make of a row, nil if they make
// none.
func (w *witness) compare(row []float64, ends [2]float64, score int) *Counterexample {
	c := &Counterexample{Score: score, Low: append([]float64(nil), row...),
		High: append([]float64(nil), row...)}
	c.Low[w.feature], c.High[w.feature] = ends[0], ends[1]
	if w.p.PredictRow(w.low, c.Low) != nil || w.p.PredictRow(w.high, c.High) != nil {
		return nil // unreachable: the values are those that the schema lets pass
	}
	c.LowScore, c.HighScore = w.low[score], w.high[score]
	if w.rising && c.LowScore > c.HighScore || !w.rising && c.LowScore < c.HighScore {
		return c
	}
	return nil
}

// separated returns two values of the feature that are easy to read, the first of a and the lower
// one.
func separated(a, b side) [2]float64 {
	b.low = max(b.low, math.Nextafter(a.low, math.Inf(1)))
	high := plainIn(b.low, b.high)
	a.high = min(a.high, math.Nextafter(high, math.Inf(-1)))
	return [2]float64{plainIn(a.low, a.high), high}
}

// plainIn returns a number from low to high that is easy to read.
func plainIn(low, high float64) float64 {
	x := 0.0
	switch open, to := math.IsInf(low, -1), math.IsInf(high, 1); {
	case open && to:
	case open:
		x = math.Floor(high) - 1
	case to:
		x = math.Ceil(low) + 1
	default:
		x = float64(low/2) + float64(high/2)
		// The fewest binary digits that stay inside.
		for size := math.Ldexp(1, 60); size > 0 && size >= math.Abs(x)*0x1p-52; size /= 2 {
			if r := math.Round(x/size) * size; low < r && r < high {
				x = r
				break
			}
		}
	}
	return min(max(x, low), high)
}

// pick returns a value of a side, as Predictor.PredictRow takes it.
func (s *order) pick(x *side) float64 {
	if x.codes == nil {
		if x.low <= x.high {
			return plainIn(x.low, x.high)
		}
		return math.NaN()
	}
	for i, w := range x.codes {
		if w != 0 {
			bit := 64*i + bits.TrailingZeros64(w)
			switch bit - len(s.fields[x.feature].Levels) {
			case 0:
				return -1
			case 1:
				return math.NaN()
			}
			return float64(bit)
		}
	}
	return math.NaN()
}
