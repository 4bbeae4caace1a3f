package network

import "github.com/coppice-ml/coppice/param"

// Optimizer is how weights follow gradients.
type Optimizer uint8

// The methods.
const (
	// Adam (Kingma & Ba 2015)
	OptimizerAdam Optimizer = iota
	// gradient descent with momentum (Polyak 1964)
	OptimizerMomentum
	// plain stochastic gradient descent
	OptimizerSGD
)

var optimizerNames = []string{"adam", "momentum", "sgd"}

// String returns the name of the value, as the parameter optimizer has it.
func (o Optimizer) String() string { return param.EnumName(optimizerNames, o) }

// MarshalText writes the value by its name.
func (o Optimizer) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (o *Optimizer) UnmarshalText(text []byte) (err error) {
	*o, err = param.ParseEnum[Optimizer]("optimizer", optimizerNames, text)
	return err
}
