package c45

import "github.com/coppice-ml/coppice/param"

// Prune is the method that prunes a tree.
type Prune = param.Enum[pruneNames]

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

type pruneNames struct{}

func (pruneNames) Enum() (string, []string) {
	return "prune", []string{"auto", "pessimistic", "validation", "none"}
}
