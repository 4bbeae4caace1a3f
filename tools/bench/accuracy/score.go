//go:build linux

package accuracy

import (
	"math"

	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// score is how wrong the predictions of a round are.
type score struct {
	// error rate, or root of the mean squared error over the standard deviation of the set's label
	Error float64 `json:"error"`
	// mean of -log of the probability of the row's class, those below leastProbability taken for
	// that; nil for numbers
	Log *float64 `json:"logloss,omitempty"`
	// mean squared distance of probabilities from the labels, summed over classes; nil for numbers
	Brier *float64 `json:"brier,omitempty"`
	AUC   *float64 `json:"auc,omitempty"` // nil but for two classes
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
		{"1 - AUC", func(c *cell) *float64 {
			if c.AUC == nil {
				return nil
			}
			v := 1 - *c.AUC
			return &v
		}},
	}
}

// score judges the predictions of some rows.
func (p *problem) score(rows []int32, predictions []float64) (s score, err error) {
	k, n := p.width(), float64(len(rows))
	wrong, squares, logs := 0.0, 0.0, 0.0
	of := &metric.Sample{Pred: predictions, Width: k}
	for i, row := range rows {
		own := predictions[i*k : (i+1)*k]
		if p.Target.Class == nil {
			d := own[0] - p.Target.Y[0][row]
			squares += d * d
			continue
		}
		truth := int(p.Target.Class[row])
		of.Class = append(of.Class, uint32(truth))
		if model.ArgMax(own) != truth {
			wrong++
		}
		for j, fraction := range own {
			if j == truth {
				fraction--
			}
			squares += fraction * fraction
		}
		logs -= math.Log(max(own[truth], leastProbability))
	}
	if p.Target.Class == nil {
		_, sd := pairs.Moments(p.Target.Y[0])
		return score{Error: math.Sqrt(squares/n) / sd}, nil
	}
	logs, squares = logs/n, squares/n
	s = score{Error: wrong / n, Log: &logs, Brier: &squares}
	if k == 2 {
		area := 0.0
		area, err = metric.Of("auc", of)
		s.AUC = &area
	}
	return s, err
}
