package stack

import "github.com/coppice-ml/coppice/param"

// Plan is how rows are assigned to the folds whose out-of-fold predictions the meta-learner learns
// from.
type Plan uint8

// The plans.
const (
	// grouped or by time if the table has groups or times, else stratified by class
	PlanAuto Plan = iota
	// at random
	PlanRandom
	// each fold has the same class fractions
	PlanStratified
	// the rows of a group are in one fold
	PlanGrouped
	// members predict rows later than those that they were trained on
	PlanTime
	// a fold for each row
	PlanLeaveOneOut
	// one hold-out set in place of folds (blending)
	PlanBlend
	// no hold-out rows: the meta-learner prefers members that overfit
	PlanNaive
)

var planNames = []string{"auto", "random", "stratified", "grouped", "time", "leave-one-out",
	"blend", "naive"}

// String returns the name of the value, as the parameter plan has it.
func (p Plan) String() string { return param.EnumName(planNames, p) }

// MarshalText writes the value by its name.
func (p Plan) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (p *Plan) UnmarshalText(text []byte) (err error) {
	*p, err = param.ParseEnum[Plan]("plan", planNames, text)
	return err
}

// Pool is how the ridge combines class probabilities.
type Pool uint8

// The pools.
const (
	// tempered for class probabilities, linear for labels and numbers
	PoolAuto Pool = iota
	// the weighted mean of probabilities after temperature scaling, and a bias for each class
	PoolTempered
	// the weighted mean
	PoolLinear
	// the product, each to the power of its weight (Genest & Zidek 1986)
	PoolLog
)

var poolNames = []string{"auto", "tempered", "linear", "log"}

// String returns the name of the value, as the parameter pool has it.
func (p Pool) String() string { return param.EnumName(poolNames, p) }

// MarshalText writes the value by its name.
func (p Pool) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (p *Pool) UnmarshalText(text []byte) (err error) {
	*p, err = param.ParseEnum[Pool]("pool", poolNames, text)
	return err
}
