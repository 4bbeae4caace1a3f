package portfolio

import "github.com/coppice-ml/coppice/param"

// Final is what of a selected configuration predicts.
type Final = param.Enum[finalNames]

// The choices.
const (
	// refit where the hold-out set is the latest rows, else folds
	FinalAuto Final = iota
	// the mean of the models that were trained without a fold
	FinalFolds
	// a model that is trained on all rows
	FinalRefit
)

type finalNames struct{}

func (finalNames) Enum() (string, []string) { return "final", []string{"auto", "folds", "refit"} }
