package anyboost

import "github.com/coppice-ml/coppice/param"

// Step is how far a round goes, before the learning rate.
type Step uint8

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

var stepNames = []string{"auto", "fixed", "line", "leaf"}

// String returns the name of the value, as the parameter step has it.
func (s Step) String() string { return param.EnumName(stepNames, s) }

// MarshalText writes the value by its name.
func (s Step) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (s *Step) UnmarshalText(text []byte) (err error) {
	*s, err = param.ParseEnum[Step]("step", stepNames, text)
	return err
}
