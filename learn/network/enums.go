package network

import "github.com/coppice-ml/coppice/param"

// Optimizer is how weights follow gradients.
type Optimizer = param.Enum[optimizerNames]

// The methods.
const (
	// Adam (Kingma & Ba 2015)
	OptimizerAdam Optimizer = iota
	// gradient descent with momentum (Polyak 1964)
	OptimizerMomentum
	// plain stochastic gradient descent
	OptimizerSGD
)

type optimizerNames struct{}

func (optimizerNames) Enum() (string, []string) {
	return "optimizer", []string{"adam", "momentum", "sgd"}
}
