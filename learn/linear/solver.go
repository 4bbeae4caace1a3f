package linear

import "github.com/coppice-ml/coppice/param"

// Solver is the method that minimises the loss.
type Solver = param.Enum[solverNames]

// The methods.
const (
	// newton up to 300 unknowns, else lbfgs
	SolverAuto Solver = iota
	// Newton's method: few steps, each of which costs rows x unknowns^2
	SolverNewton
	// L-BFGS: many steps, each of which costs rows x unknowns
	SolverLBFGS
)

type solverNames struct{}

func (solverNames) Enum() (string, []string) {
	return "solver", []string{"auto", "newton", "lbfgs"}
}
