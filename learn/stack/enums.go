package stack

import "github.com/coppice-ml/coppice/param"

// Plan is how rows are assigned to the folds whose out-of-fold predictions the meta-learner learns
// from.
type Plan = param.Enum[planNames]

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

type planNames struct{}

func (planNames) Enum() (string, []string) {
	return "plan", []string{"auto", "random", "stratified", "grouped", "time",
		"leave-one-out", "blend", "naive"}
}

// Pool is how the ridge combines class probabilities.
type Pool = param.Enum[poolNames]

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

type poolNames struct{}

func (poolNames) Enum() (string, []string) {
	return "pool", []string{"auto", "tempered", "linear", "log"}
}
