//go:build linux

package accuracy

import (
	"errors"
	"math"

	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// score is how wrong the predictions of a round are.
type score struct {
	// error rate, or root of the mean squared error over the standard deviation of the set's label
	Error float64 `json:"error"`
	// standard error of Error over the rows of the test
	ErrorSE float64 `json:"error_se"`
	// mean of -log of the probability of the row's class, those below leastProbability taken for
	// that; nil for numbers
	Log   *float64 `json:"logloss,omitempty"`
	LogSE float64  `json:"logloss_se,omitempty"` // standard error of Log over the rows of the test
	// mean squared distance of probabilities from the labels, summed over classes; nil for numbers
	Brier *float64 `json:"brier,omitempty"`
	AUC   *float64 `json:"auc,omitempty"` // nil but for two classes
	// average precision of the second class; nil but for two classes
	Precision *float64 `json:"average_precision,omitempty"`
	// expected calibration error of the predicted class, see calibrationError; nil for numbers
	ECE *float64 `json:"ece,omitempty"`
	// mean log loss, or squared error over the label's variance, of each block of test rows, for
	// paired differences within a round
	Blocks []float64 `json:"blocks,omitempty"`
}

// blocks is into how many parts test rows are divided, in their order.
const blocks = 25

// blockMeans returns the means of the losses of rows in blocks.
func blockMeans(losses []float64) []float64 {
	var means []float64
	for k := range blocks {
		part := losses[k*len(losses)/blocks : (k+1)*len(losses)/blocks]
		if len(part) == 0 {
			return nil
		}
		mean, _ := pairs.Moments(part)
		means = append(means, mean)
	}
	return means
}

// leastProbability bounds the log loss of a wrong prediction with probability 1.
const leastProbability = 1e-6

// measure is a metric of cells; less is better.
type measure struct {
	name string
	of   func(c *cell) *float64
}

func measures() []measure {
	return []measure{
		{"error", func(c *cell) *float64 { return &c.Error }},
		{"log loss", func(c *cell) *float64 { return c.Log }},
		{"Brier score", func(c *cell) *float64 { return c.Brier }},
		{"1 - AUC", func(c *cell) *float64 { return less(c.AUC) }},
		{"1 - average precision", func(c *cell) *float64 { return less(c.Precision) }},
		{"calibration error", func(c *cell) *float64 { return c.ECE }},
	}
}

// less returns 1 - v, so that less is better; nil for nil.
func less(v *float64) *float64 {
	if v == nil {
		return nil
	}
	w := 1 - *v
	return &w
}

// score judges the predictions of some rows.
func (p *problem) score(rows []int32, predictions []float64) (score, error) {
	if p.Target.Class == nil {
		return p.scoreNumbers(rows, predictions), nil
	}
	return p.scoreClasses(rows, predictions)
}

// scoreNumbers takes the standard error of a root from that of what it is the root of.
func (p *problem) scoreNumbers(rows []int32, predictions []float64) score {
	squares := make([]float64, len(rows))
	for i, row := range rows {
		d := predictions[i] - p.Target.Y[0][row]
		squares[i] = d * d
	}
	mean, sd := pairs.Moments(squares)
	_, of := pairs.Moments(p.Target.Y[0])
	s := score{Error: math.Sqrt(mean) / of, Blocks: blockMeans(squares)}
	for i := range s.Blocks {
		s.Blocks[i] /= of * of
	}
	if mean > 0 {
		s.ErrorSE = sd / math.Sqrt(float64(len(rows))) / (2 * math.Sqrt(mean)) / of
	}
	return s
}

func (p *problem) scoreClasses(rows []int32, predictions []float64) (s score, err error) {
	k, n := p.width(), float64(len(rows))
	wrong, squares := 0.0, 0.0
	logs, sure, right := make([]float64, len(rows)), make([]float64, len(rows)), make([]bool, len(rows))
	of := &metric.Sample{Pred: predictions, Width: k}
	for i, row := range rows {
		own := predictions[i*k : (i+1)*k]
		truth := int(p.Target.Class[row])
		of.Class = append(of.Class, uint32(truth))
		best := model.ArgMax(own)
		sure[i], right[i] = own[best], best == truth
		if best != truth {
			wrong++
		}
		for j, fraction := range own {
			if j == truth {
				fraction--
			}
			squares += fraction * fraction
		}
		logs[i] = -math.Log(max(own[truth], leastProbability))
	}
	mean, sd := pairs.Moments(logs)
	wrong, squares = wrong/n, squares/n
	ece := calibrationError(sure, right)
	s = score{Error: wrong, ErrorSE: math.Sqrt(wrong * (1 - wrong) / n), Log: &mean,
		LogSE: sd / math.Sqrt(n), Brier: &squares, ECE: &ece, Blocks: blockMeans(logs)}
	if k != 2 {
		return s, nil
	}
	for name, to := range map[string]**float64{"auc": &s.AUC, "average_precision": &s.Precision} {
		v, more := metric.Of(name, of)
		*to, err = &v, errors.Join(err, more)
	}
	return s, err
}

// calibrationError is the mean distance of the probability of the predicted class from the share of
// rows that are of it, in fifteen bins of equal width (Guo et al. 2017, equation 3).
func calibrationError(sure []float64, right []bool) float64 {
	const bins = 15
	var excess [bins]float64
	for i, p := range sure {
		if right[i] {
			p--
		}
		excess[max(0, min(bins-1, int(sure[i]*bins)))] += p
	}
	sum := 0.0
	for _, e := range excess {
		sum += math.Abs(e)
	}
	return sum / float64(len(sure))
}
