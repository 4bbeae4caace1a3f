// Package criterion owns the measures of impurity that splits are chosen by. A criterion turns sums over a set of
// rows, its statistics, into the set's total impurity I; the gain of a split is I(parent) minus the sum of I over
// the children, so it works for any number of children.
package criterion

// Family tells which statistics a criterion works on.
type Family uint8

// The families.
const (
	Classes Family = iota // the weight of each class; width = number of classes
	Moments               // weight h and weighted sum g of the values minus the mean of the node; width 2
)

// Criterion is a measure of impurity.
type Criterion interface {
	// Impurity writes the total impurity (per unit of weight, times the weight) of each of len(dst) sets.
	// stats holds their statistics one after another: len(dst) x width numbers. An empty set has impurity 0.
	// For Moments a constant may be left out that is the same for all ways to split one node.
	Impurity(dst, stats []float64)
}

// Row is a criterion as it stands in the table.
type Row struct {
	Name   string
	Help   string
	Family Family
	New    func(width int) Criterion // width: see Family
}

// Table returns all criteria.
func Table() []Row {
	return []Row{
		{"gini", "Gini index, sum of p(1-p) over the classes (Breiman et al. 1984)", Classes, newGini},
		{"entropy", "entropy in bits, -sum of p log2 p over the classes (Quinlan 1986)", Classes, newEntropy},
		{"squared_error", "mean squared distance from the mean (Breiman et al. 1984)", Moments, newSquaredError},
	}
}

// ByName returns the row called name, and whether there is one.
func ByName(name string) (Row, bool) {
	for _, r := range Table() {
		if r.Name == name {
			return r, true
		}
	}
	return Row{}, false
}

// Names returns the names of the table, in order.
func Names() []string {
	var names []string
	for _, r := range Table() {
		names = append(names, r.Name)
	}
	return names
}
