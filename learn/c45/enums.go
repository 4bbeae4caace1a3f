package c45

import "github.com/coppice-ml/coppice/param"

// Prune is the method that prunes a tree.
type Prune uint8

// The methods.
const (
	// validation if there is a validation set, else pessimistic
	PruneAuto Prune = iota
	// by an upper bound of the error rate on the training set (Quinlan 1993)
	PrunePessimistic
	// by the errors on the validation set (reduced-error pruning, Quinlan 1987)
	PruneValidation
	// not at all
	PruneNone
)

var pruneNames = []string{"auto", "pessimistic", "validation", "none"}

// String returns the name of the value, as the parameter prune has it.
func (p Prune) String() string { return param.EnumName(pruneNames, p) }

// MarshalText writes the value by its name.
func (p Prune) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (p *Prune) UnmarshalText(text []byte) (err error) {
	*p, err = param.ParseEnum[Prune]("prune", pruneNames, text)
	return err
}
