//go:build linux

package main

import (
	"math"

	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// score is how wrong predictions are, round by round.
type score struct {
	// error rate, or root of the mean squared error over the standard deviation of the set's label
	main []float64
	// mean squared distance of probabilities from the labels, summed over classes; nil for numbers
	brier []float64
	// mean of -log of the probability of the row's class, those below leastProbability taken for
	// that; nil for numbers
	log []float64
	auc []float64 // area under the ROC curve; nil but for two classes
}

// leastProbability bounds the log loss of a wrong prediction with probability 1.
const leastProbability = 1e-6

// scores judges the predictions of all rounds.
func (p *problem) scores(predictions []float64) (*score, error) {
	s, k, scale := &score{}, p.width(), p.spread()
	for _, r := range p.rounds {
		rows := r.rows(forTest)
		wrong, squares, logs := 0.0, 0.0, 0.0
		for i, row := range rows {
			own := predictions[i*k : (i+1)*k]
			if p.Target.Class == nil {
				d := own[0] - p.Target.Y[0][row]
				squares += d * d
				continue
			}
			truth := int(p.Target.Class[row])
			if model.ArgMax(own) != truth {
				wrong++
			}
			squares += distance(own, truth)
			logs -= math.Log(max(own[truth], leastProbability))
		}
		if k == 2 {
			area, err := p.auc(rows, predictions[:2*len(rows)])
			if err != nil {
				return nil, err
			}
			s.auc = append(s.auc, area)
		}
		predictions = predictions[len(rows)*k:]
		n := float64(len(rows))
		if p.Target.Class == nil {
			s.main = append(s.main, math.Sqrt(squares/n)/scale)
			continue
		}
		s.main, s.brier, s.log = append(s.main, wrong/n), append(s.brier, squares/n),
			append(s.log, logs/n)
	}
	return s, nil
}

// auc returns the area under the ROC curve of the predictions for some rows.
func (p *problem) auc(rows []int32, predictions []float64) (float64, error) {
	s := &metric.Sample{Pred: predictions, Width: 2}
	for _, r := range rows {
		s.Class = append(s.Class, p.Target.Class[r])
	}
	return metric.AUC(s)
}

// distance is the squared distance of probabilities from those of a row of a known class.
func distance(probabilities []float64, truth int) float64 {
	sum := 0.0
	for j, fraction := range probabilities {
		if j == truth {
			fraction--
		}
		sum += fraction * fraction
	}
	return sum
}

// spread is the standard deviation of a label of numbers.
func (p *problem) spread() float64 {
	if p.Target.Class != nil {
		return 1
	}
	_, sd := pairs.Moments(p.Target.Y[0])
	return sd
}
