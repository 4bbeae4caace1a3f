package anyboost

import "github.com/coppice-ml/coppice/param"

// Step is how far a round goes, before the learning rate.
type Step = param.Enum[stepNames]

// The lengths of a step.
const (
	// leaf where the base makes single trees, line for others
	StepAuto Step = iota
	// 1: what the base predicts
	StepFixed
	// where the loss of the training set is least along what the base predicts
	StepLine
	// each leaf of a tree gets the value of least loss, or of one Newton step (Friedman 2001)
	StepLeaf
)

type stepNames struct{}

func (stepNames) Enum() (string, []string) {
	return "step", []string{"auto", "fixed", "line", "leaf"}
}
