package logistic

import "github.com/coppice-ml/coppice/param"

// Solver is the method that minimises the loss.
type Solver uint8

// The methods.
const (
	// newton up to 300 unknowns, else lbfgs
	SolverAuto Solver = iota
	// Newton's method: few steps, each of which costs rows x unknowns^2
	SolverNewton
	// L-BFGS: many steps, each of which costs rows x unknowns
	SolverLBFGS
)

var solverNames = []string{"auto", "newton", "lbfgs"}

// String returns the name of the value, as the parameter solver has it.
func (s Solver) String() string { return param.EnumName(solverNames, s) }

// MarshalText writes the value by its name.
func (s Solver) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (s *Solver) UnmarshalText(text []byte) (err error) {
	*s, err = param.ParseEnum[Solver]("solver", solverNames, text)
	return err
}
