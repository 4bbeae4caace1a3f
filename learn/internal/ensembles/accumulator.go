package ensembles

import (
	"math"

	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Accumulator adds up the out-of-bag predictions of members. The prediction of a row is the mean
// over the members that it was out of the bag of. A row's class is the one that Truth.Decision
// chooses of the means.
//
// Sums are in fixed point, so they do not depend on the order of the members. Probabilities are
// rounded to multiples of 2^-40, numbers to multiples of 2^-36 of the scale of the labels (see
// numbers). The sums hold 2^20 members.
//
// An Accumulator is not safe for concurrent use.
type Accumulator struct {
	truth   Truth
	count   []int32 // by row: the members that predicted it
	covered int     // rows with a prediction
	sums    sums
	errors  []float64 // after each member
	rows    []int32   // covered after each member
}

// sums are the sums of predictions by row, and the error of their means, which is kept up to date.
type sums interface {
	// add adds the prediction of one row, whose number of members is count with this one. It
	// reports false, and does nothing, if there is no prediction.
	add(row int32, values []float64, count int32) bool
	// loss is the error so far over the rows that have predictions, NaN if they weigh nothing.
	loss() float64
	// mean writes the mean prediction of one row of count members.
	mean(dst []float64, row, count int32)
}

// NewAccumulator starts an accumulator without members.
func NewAccumulator(truth Truth) *Accumulator {
	t := &Accumulator{truth: truth, count: make([]int32, truth.Rows())}
	t.start()
	return t
}

func (t *Accumulator) start() {
	if t.truth.Class != nil {
		t.sums = newVotes(&t.truth)
	} else {
		t.sums = newNumbers(&t.truth)
	}
}

// DecideBy sets Truth.Decision where it follows from the first member, before whose predictions it
// must be set.
func (t *Accumulator) DecideBy(d model.Decision) {
	if t.truth.Decision = d; !t.truth.plain() {
		t.start()
	}
}

// Add adds the predictions of the next member for its out-of-bag rows: len(rows) x Truth.Width
// values, row after row, which are class probabilities, or a one for the class that it votes for;
// or numbers. A prediction whose first value is NaN is none.
func (t *Accumulator) Add(rows []int32, values []float64) {
	w := t.truth.Width()
	for i, row := range rows {
		if !t.sums.add(row, values[i*w:(i+1)*w], t.count[row]+1) {
			continue
		}
		t.count[row]++
		if t.count[row] == 1 {
			t.covered++
		}
	}
	t.errors = append(t.errors, t.sums.loss())
	t.rows = append(t.rows, int32(t.covered))
}

// votesAtOnce is the number of rows whose sums stay near.
const votesAtOnce = 128

// AddVotes is Add for a member that votes: labels are the classes that it predicts of the rows, no
// row stands twice. The truth has classes.
func (t *Accumulator) AddVotes(rows []int32, labels []uint32) {
	votes := t.sums.(*votes)
	for len(rows) > 0 {
		// Sums of many rows and classes are not near. Those of some rows are brought one behind the
		// other, before anything is made of them that a processor may guess wrong.
		some := rows[:min(votesAtOnce, len(rows))]
		votes.enter(some, labels)
		for i, row := range some {
			t.count[row]++
			if votes.vote(row, labels[i], t.count[row]); t.count[row] == 1 {
				t.covered++
			}
		}
		rows, labels = rows[len(some):], labels[len(some):]
	}
	t.errors = append(t.errors, t.sums.loss())
	t.rows = append(t.rows, int32(t.covered))
}

// Members returns the number of members so far.
func (t *Accumulator) Members() int { return len(t.errors) }

// Never returns the number of rows that were never out of the bag: they have no prediction and are
// in no error.
func (t *Accumulator) Never() int { return len(t.count) - t.covered }

// Errors returns the error after each member, NaN where there was no prediction yet: the fraction
// of the weight of the rows whose class is not predicted, or the mean squared error. It is a view.
func (t *Accumulator) Errors() []float64 { return t.errors }

// Predictions returns the mean predictions of all rows, Truth.Width values each, row after row: NaN
// for rows that were never out of the bag.
func (t *Accumulator) Predictions() []float64 {
	w := t.truth.Width()
	all := make([]float64, len(t.count)*w)
	for row := range t.count {
		dst := all[row*w : (row+1)*w]
		if !t.mean(dst, int32(row)) {
			for k := range dst {
				dst[k] = math.NaN()
			}
		}
	}
	return all
}

// mean writes the mean prediction of a row, false if there is none.
func (t *Accumulator) mean(dst []float64, row int32) bool {
	if t.count[row] == 0 {
		return false
	}
	t.sums.mean(dst, row, t.count[row])
	return true
}

// Estimate evaluates the predictions so far.
func (t *Accumulator) Estimate() training.Estimate {
	e := training.Estimate{Members: t.Members(), Rows: t.covered, Never: t.Never()}
	if t.covered == 0 {
		return e
	}
	s := t.sample()
	if t.truth.Class == nil {
		e.MSE = finite(t.sums.loss(), nil)
		e.R2 = finite(metric.Of("r2", s))
		return e
	}
	e.Error = finite(t.sums.loss(), nil)
	e.Cost = finite(metric.Of("cost", s))
	e.Brier = finite(brier(s), nil)
	e.LogLoss = finite(metric.Of("logloss", s))
	return e
}

func finite(x float64, err error) *float64 {
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// sample returns the rows that have predictions.
func (t *Accumulator) sample() *metric.Sample {
	all := t.Predictions()
	// Pred moves up in all
	s := &metric.Sample{Width: t.truth.Width(), Pred: all[:0],
		Weight: make([]float64, 0, t.covered)}
	if t.truth.Class != nil {
		s.Class, s.Costs = make([]uint32, 0, t.covered), t.truth.Decision.Costs
	} else {
		s.Y = make([]float64, 0, t.covered)
	}
	for i, count := range t.count {
		if count == 0 {
			continue
		}
		s.Pred = append(s.Pred, all[i*s.Width:(i+1)*s.Width]...)
		if t.truth.Class != nil {
			s.Class = append(s.Class, t.truth.Class[i])
			s.Chosen = append(s.Chosen, t.sums.(*votes).lead[i])
		} else {
			s.Y = append(s.Y, t.truth.Y[i])
		}
		s.Weight = append(s.Weight, t.truth.weight(int32(i)))
	}
	return s
}

func brier(s *metric.Sample) float64 {
	sum, weight := 0.0, 0.0
	for i, c := range s.Class {
		row := 0.0
		for k, p := range s.Pred[i*s.Width : (i+1)*s.Width] {
			if k == int(c) {
				p = 1 - p
			}
			row += float64(p * p)
		}
		sum += float64(s.Weight[i] * row)
		weight += s.Weight[i]
	}
	return sum / weight
}

// Curve returns the error over the number of members, thinned; see training.OutOfBagCurve.
func (t *Accumulator) Curve() training.OutOfBagCurve {
	var c training.OutOfBagCurve
	last := len(t.errors)
	for i, e := range t.errors {
		if m := i + 1; (onGrid(m) || m == last) && !math.IsNaN(e) {
			c.Members = append(c.Members, m)
			c.Error = append(c.Error, sixDigits(e))
			c.Rows = append(c.Rows, int(t.rows[i]))
		}
	}
	return c
}

// Settled reports whether training may stop after the members so far.
func (t *Accumulator) Settled(s grow.Settle) bool { return s.Settled(t.errors) }
