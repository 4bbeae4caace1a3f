// Package criterion owns the impurities that splits are chosen by. The gain of a split is I(parent)
// minus the sum of I over the children, where I is the total impurity of a set of rows. So it works
// for any number of children. A criterion of classes or moments gets I from sums over the rows,
// their statistics. A criterion of values needs the rows themselves, in the order of their values.
package criterion

import "github.com/coppice-ml/coppice/internal/enum"

// Family reports what a criterion works on.
type Family uint8

// The families.
const (
	Classes Family = iota // the weight of each class
	// the weight h and the weighted sum g of the values minus the node's origin
	Moments
	Values // the values in their order; the weight is the only statistic
)

// Width returns the number of statistics of a set of rows.
func (f Family) Width(classes int) int {
	switch f {
	case Classes:
		return classes
	case Moments:
		return 2
	}
	return 1
}

// Criterion is an impurity that is computed from the statistics of a set.
type Criterion interface {
	// Impurity writes the total impurity (per unit of weight, times the weight) of each of len(dst)
	// sets. stats holds their statistics one after another: len(dst) x width numbers; parent holds
	// those of all rows that the split is judged on, which the sets divide. An empty set has
	// impurity 0. +Inf reports that the set may not be a child. For Moments a constant may be left
	// out that is the same for all ways to split one node. For more than two Classes the caller may
	// leave out statistics: those of the same classes in all sets and the parent, where they have
	// no weight.
	Impurity(dst, stats, parent []float64)
}

// Ratio is a criterion whose splits are compared by their gain divided by their split information.
type Ratio interface {
	Criterion
	// SplitInfo replaces each weight of the first of two children by the divisor of that split's
	// gain, where both children together weigh total. It is positive unless a child weighs nothing.
	SplitInfo(first []float64, total float64)
}

// Deviance is the impurity of numbers that a criterion uses.
type Deviance interface {
	// Loss is what the prediction of value costs where the truth is y: 0 if they are equal, else
	// positive.
	Loss(y, value float64) float64
	// Describe describes the node that consists of the rows of the sample, at least one; for Values
	// they are in ascending order of Y. It fills stats, the node's statistics.
	Describe(stats []float64, s Sample) Node
}

// Sample is the values of some rows and their weights.
type Sample struct {
	Y      []float64
	Weight []float64 // nil = all 1
}

// weight returns the weight of row i.
func (s *Sample) weight(i int) float64 {
	if s.Weight == nil {
		return 1
	}
	return s.Weight[i]
}

// Node is what a Deviance computes of the rows of one node.
type Node struct {
	Value    float64 // the prediction of least total loss
	Impurity float64 // its total loss
	// what the values in the statistics of the node and of its children are taken about
	Origin float64
}

// Definition is a criterion as it stands in the table.
type Definition struct {
	Name     string
	Help     string
	Family   Family
	New      func(width int) Criterion // nil for Values
	Deviance Deviance                  // nil for Classes
	// nil but for Values; each is the working memory of one goroutine
	Running func() Running
	Check   func(y []float64) error // whether the labels fit, else a LabelError; nil: all do
}

// Table returns all criteria.
func Table() []Definition {
	return []Definition{
		{Name: "gini", Family: Classes, New: newGini,
			Help: "Gini index, sum of p(1-p) over the classes (Breiman et al. 1984)"},
		{Name: "entropy", Family: Classes, New: newEntropy,
			Help: "entropy in bits, -sum of p log2 p over the classes (Quinlan 1986)"},
		{Name: "gain_ratio", Family: Classes, New: newGainRatio,
			Help: "entropy; splits are compared by its decrease over the entropy of their " +
				"children's sizes (Quinlan 1993)"},
		{Name: "misclassification", Family: Classes, New: newMisclassification,
			Help: "fraction outside the largest class (Breiman et al. 1984)"},
		{Name: "hellinger", Family: Classes, New: newHellinger,
			Help: "Hellinger distance of the classes over the children, for rare classes " +
				"(Cieslak & Chawla 2008)"},
		{Name: "squared_error", Family: Moments, New: newSquaredError, Deviance: squaredError{},
			Help: "mean squared distance from the mean (Breiman et al. 1984)"},
		{Name: "absolute_error", Family: Values, Deviance: absoluteError{}, Running: newMedians,
			Help: "mean distance from the median, which leaves predict (Breiman et al. 1984)"},
		{Name: "poisson", Family: Moments, New: newPoisson, Deviance: poisson{},
			Check: checkPoisson,
			Help:  "half the mean Poisson deviance, for counts and rates from 0 up"},
	}
}

// ByName returns the entry called name, and whether there is one.
func ByName(name string) (Definition, bool) {
	return enum.Find(Table(), name, func(r Definition) string { return r.Name })
}

// Names returns the names of the table, in order.
func Names() []string {
	return enum.NamesOf(Table(), func(r Definition) string { return r.Name })
}

// width returns the number of statistics of each set.
func width(dst, stats []float64) int { return len(stats) / max(len(dst), 1) }
