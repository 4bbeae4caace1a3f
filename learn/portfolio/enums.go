package portfolio

import "github.com/coppice-ml/coppice/param"

// Final is what of a selected configuration predicts.
type Final uint8

// The choices.
const (
	// refit where the hold-out set is the latest rows, else folds
	FinalAuto Final = iota
	// the mean of the models that were trained without a fold
	FinalFolds
	// a model that is trained on all rows
	FinalRefit
)

var finalNames = []string{"auto", "folds", "refit"}

// String returns the name of the value, as the parameter final has it.
func (f Final) String() string { return param.EnumName(finalNames, f) }

// MarshalText writes the value by its name.
func (f Final) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (f *Final) UnmarshalText(text []byte) (err error) {
	*f, err = param.ParseEnum[Final]("final", finalNames, text)
	return err
}
