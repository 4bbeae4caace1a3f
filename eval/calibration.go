package eval

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Calibration is how well class probabilities are calibrated: whether, of the rows with a predicted
// probability of 0.8, four of five are of the class. Rows count by weight.
type Calibration struct {
	// Class is the class whose probability is evaluated, the positive one of two. Of more classes
	// it is "", and what is evaluated is the largest probability of each row, and whether its class
	// is the right one (Guo et al. 2017).
	Class string `json:"class,omitempty"`
	Bins  []Bin  `json:"bins"` // of equal width, from 0 to 1
	// ECE is the expected calibration error: the mean distance of probability and frequency over
	// the bins, by weight (Naeini et al. 2015). MCE is the largest one.
	ECE float64 `json:"ece"`
	MCE float64 `json:"mce"`
	// Brier is the mean squared error: of two classes of the positive one's probability, of more of
	// all together (Brier 1950).
	Brier float64 `json:"brier"`
}

// Bin is the rows whose predicted probability lies in a range.
type Bin struct {
	From        float64 `json:"from"` // excluded, but for the first bin
	To          float64 `json:"to"`   // included
	Rows        int     `json:"rows"`
	Weight      float64 `json:"weight"`
	Probability float64 `json:"probability"` // mean predicted probability, 0 without weight
	// fraction of the rows that are of the class, or right; 0 without weight
	Frequency float64 `json:"frequency"`
}

// Error returns the standard error of the frequency, as if all rows of the bin weighed the same; 0
// without rows.
func (b *Bin) Error() float64 {
	if b.Rows == 0 {
		return 0
	}
	return math.Sqrt(b.Frequency * (1 - b.Frequency) / float64(b.Rows))
}

// Reliability compares the probabilities that a model predicts with the labels of rows of a
// dataset, nil = all, in a number of bins. The dataset and the options are as for Evaluate. Errors:
// those of Evaluate, a model that predicts no classes, a number of bins below 1, and rows without
// weight.
func Reliability(
	ctx context.Context, m model.Model, ds *data.Dataset, rows []int32, bins int, o model.Options,
) (*Calibration, error) {
	if !m.Spec().Task.Classes() {
		return nil, fmt.Errorf("calibration is for class probabilities, the model predicts %s",
			m.Spec().Task)
	}
	s, err := Sample(ctx, m, ds, rows, o)
	if err != nil {
		return nil, err
	}
	return ReliabilityOf(s, m.Spec().Classes, bins)
}

// ReliabilityOf is Reliability for class probabilities that were predicted before, such as by
// Sample. The classes are those of the model.
func ReliabilityOf(s *metric.Sample, classes []string, bins int) (*Calibration, error) {
	b, err := NewBinning(classes, bins)
	if err != nil {
		return nil, err
	}
	b.Add(s)
	return b.Calibration()
}

// Binning is Reliability of class probabilities that come some rows at a time, of which it keeps
// sums.
type Binning struct {
	made    Calibration
	classes []string
	total   float64
}

// NewBinning returns a binning of the probabilities of a model's classes. The error is a number of
// bins below 1.
func NewBinning(classes []string, bins int) (*Binning, error) {
	if bins < 1 {
		return nil, fmt.Errorf("%d bins: want 1 or more", bins)
	}
	return &Binning{made: Calibration{Bins: make([]Bin, bins)}, classes: classes}, nil
}

// Add adds the next rows.
func (b *Binning) Add(s *metric.Sample) {
	of := -1
	if s.Width == 2 {
		if of = 1; s.FirstPositive {
			of = 0
		}
		b.made.Class = b.classes[of]
	}
	for i, class := range s.Class {
		w := 1.0
		if s.Weight != nil {
			w = s.Weight[i]
		}
		b.total += w
		b.made.add(of, s.Pred[i*s.Width:(i+1)*s.Width], class, w)
	}
}

// Calibration returns what Reliability does. No rows can be added then.
func (b *Binning) Calibration() (*Calibration, error) {
	if b.total == 0 {
		return nil, fmt.Errorf("the rows have no weight")
	}
	b.made.finish(b.total)
	return &b.made, nil
}

// add counts a row by the probability of class k; -1: by the largest.
func (c *Calibration) add(k int, probabilities []float64, class uint32, w float64) {
	if k < 0 {
		k = 0
		for j, p := range probabilities {
			if p > probabilities[k] {
				k = j
			}
		}
	}
	right := 0.0
	if int(class) == k {
		right = 1
	}
	p := max(0, min(1, probabilities[k]))
	b := &c.Bins[max(0, int(math.Ceil(p*float64(len(c.Bins))))-1)]
	b.Rows++
	b.Weight += w
	b.Probability += float64(w * p)
	b.Frequency += float64(w * right)
	if len(probabilities) == 2 {
		c.Brier += float64(w * float64((p-right)*(p-right)))
		return
	}
	for j, q := range probabilities {
		if j == int(class) {
			q = 1 - q
		}
		c.Brier += float64(w * float64(q*q))
	}
}

// finish makes means of the sums.
func (c *Calibration) finish(total float64) {
	n := float64(len(c.Bins))
	for i := range c.Bins {
		b := &c.Bins[i]
		b.From, b.To = float64(i)/n, float64(i+1)/n
		if b.Weight == 0 {
			b.Probability, b.Frequency = 0, 0
			continue
		}
		b.Probability, b.Frequency = b.Probability/b.Weight, b.Frequency/b.Weight
		gap := math.Abs(b.Probability - b.Frequency)
		c.ECE += float64(gap * b.Weight / total)
		c.MCE = max(c.MCE, gap)
	}
	c.Brier /= total
}
