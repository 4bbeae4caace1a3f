package model

import "github.com/coppice-ml/coppice/model/internal/engine"

// TreesForLabel returns how often bounds are looked at before the label of a row is known, and how
// often they would be if it never were.
func TreesForLabel(e *Ensemble, row []float64) (used, all int) {
	answer := responseOf(e)
	program := engine.Compile(engine.Source{Trees: e.Trees, Output: e.Output, Weights: e.Weights,
		Bias: e.Bias, Outputs: answer.scores, Mean: e.Combine != Sum})
	rule := answer.labelRule()
	if rule == nil {
		return 0, 0
	}
	raw := make([]float64, answer.scores)
	program.RawUntil(raw, row, program.Early(rule.every(), func(_, _ []float64) bool {
		all++
		return false
	}))
	program.RawUntil(raw, row, program.Early(rule.every(), func(low, high []float64) bool {
		used++
		return rule.known(low, high)
	}))
	return used, all
}
