package playground

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/model"
)

// staged returns what the model predicts of each row after each step: the scores of predict, in
// one pass over the trees.
func (f *fitted) staged(frame *data.Frame) ([][]float64, error) {
	steps := make([][]float64, len(f.sizes))
	if f.subtrees != nil {
		for s := range steps {
			var err error
			if steps[s], err = predict(f.at(s), frame); err != nil {
				return nil, err
			}
		}
		return steps, nil
	}
	values, err := f.trees(frame)
	if err != nil {
		return nil, err
	}
	respond, raw := f.whole.Responder(), make([]float64, f.whole.Scores())
	dst := make([]float64, f.whole.Outputs())
	for s := range steps {
		steps[s] = make([]float64, frame.Rows())
	}
	for i, trees := range values {
		sum, weights := 0.0, 0.0
		for s, v := range trees {
			w := f.weight(s)
			sum, weights = sum+float64(w*v), weights+w
			score := sum
			if f.whole.Combine == model.Mean && weights > 0 {
				score /= weights
			}
			if f.whole.Bias != nil {
				score += f.whole.Bias[len(raw)-1]
			}
			if len(raw) == len(dst) && len(raw) > 1 { // trees of classes: fractions already
				steps[s][i] = score
				continue
			}
			raw[0] = score
			respond(dst, raw)
			steps[s][i] = dst[len(dst)-1]
		}
	}
	return steps, nil
}

// trees returns what each tree predicts of each row: of classes the fraction of the second, or of
// gradient boosting the number that it adds.
func (f *fitted) trees(frame *data.Frame) ([][]float64, error) {
	values := make([][]float64, frame.Rows())
	if len(f.whole.Trees) == 0 {
		return values, nil
	}
	p, err := model.BindTrees(f.whole, &f.whole.Meta.Schema,
		model.Options{Workers: 1, Rounds: model.AllRounds})
	if err != nil {
		return nil, err
	}
	width := p.Width() / len(f.whole.Trees)
	all := make([]float64, frame.Rows()*p.Width())
	if err := p.Predict(all, frame, nil); err != nil {
		return nil, err
	}
	for i := range values {
		values[i] = make([]float64, len(f.whole.Trees))
		for t := range values[i] {
			values[i][t] = all[i*p.Width()+t*width+width-1]
		}
	}
	return values, nil
}

// weight returns the vote of a tree.
func (f *fitted) weight(tree int) float64 {
	if f.whole.Weights == nil {
		return 1
	}
	return f.whole.Weights[tree]
}

// importance returns what counts of each training point for the round after a step, 1 on average:
// the weights of AdaBoost, exp(-y f) of the votes so far; for gradient boosting the size of the
// gradient, the distance of the prediction. nil for methods that treat all points alike, and where
// training ended because there is no further round.
func (f *fitted) importance(t *table, trees [][]float64, scores []float64, step int) []float64 {
	if f.stopped != "" && step == len(f.sizes)-1 {
		return nil
	}
	weights := make([]float64, len(t.train))
	switch f.method.Name {
	case "adaboost":
		for i, r := range t.train {
			sum := 0.0
			for n := range step + 1 {
				sum += float64(f.weight(n) * (2*trees[r][n] - 1))
			}
			weights[i] = kernel.Exp(-sign(t.target.Class[r]) * sum)
		}
	case "gbm":
		for i, r := range t.train {
			d := t.label(r) - scores[r]
			weights[i] = max(d, -d)
		}
	default:
		return nil
	}
	sum := kernel.Sum(weights)
	for i := range weights {
		if sum > 0 {
			weights[i] *= float64(len(weights)) / sum
		}
	}
	return weights
}

// sign is -1 for the first class and 1 for the second.
func sign(class uint32) float64 { return float64(2*float64(class)) - 1 }

// label returns the number of a row, or of its class.
func (t *table) label(row int32) float64 {
	if t.target.Class != nil {
		return float64(t.target.Class[row])
	}
	return t.target.Y[0][row]
}

// errors returns the error on rows after each step: the fraction of wrong classes, or the mean
// squared distance. nil without rows.
func (t *table) errors(steps [][]float64, rows []int32) []float64 {
	if len(rows) == 0 {
		return nil
	}
	found := make([]float64, len(steps))
	for s, scores := range steps {
		sum := 0.0
		for _, r := range rows {
			if d := scores[r] - t.label(r); t.target.Class == nil {
				sum += float64(d * d)
			} else if (scores[r] > 0.5) != (t.target.Class[r] == 1) {
				sum++
			}
		}
		found[s] = sum / float64(len(rows))
	}
	return found
}
