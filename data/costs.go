package data

import (
	"fmt"
	"math"
)

// Costs is what wrong predictions of classes cost: Costs[i][j] is the cost of predicting class j
// for a row of class i. nil costs 1 for every wrong prediction.
type Costs [][]float64

// sameCost is the relative difference up to which two expected costs are equal: they are sums of
// rounded products.
const sameCost = 1e-12

// Check reports what is wrong with costs for a number of classes: another size, a cost that is
// negative or not finite, a right prediction that costs something, or a class that costs nothing
// whatever is predicted for it.
func (c Costs) Check(classes int) error {
	return c.check(classes, func(class int) string { return fmt.Sprint(class) })
}

// CheckOf is Check for classes with names, by which its errors call them.
func (c Costs) CheckOf(classes []string) error {
	return c.check(len(classes),
		func(class int) string { return fmt.Sprintf("%q", classes[class]) })
}

func (c Costs) check(classes int, name func(class int) string) error {
	if c == nil {
		return nil
	}
	if len(c) != classes {
		return fmt.Errorf("costs of %d classes for %d classes", len(c), classes)
	}
	for i, row := range c {
		if len(row) != classes {
			return fmt.Errorf("class %s has %d costs for %d classes", name(i), len(row), classes)
		}
		largest := 0.0
		for j, cost := range row {
			switch {
			case !(cost >= 0 && cost <= math.MaxFloat64):
				return fmt.Errorf("cost %v of predicting class %s for class %s: want a "+
					"number from 0 up", cost, name(j), name(i))
			case i == j && cost != 0:
				return fmt.Errorf("the right prediction of class %s costs %v, want 0",
					name(i), cost)
			}
			largest = max(largest, cost)
		}
		if largest == 0 && classes > 1 {
			return fmt.Errorf("all predictions for class %s cost nothing", name(i))
		}
	}
	return nil
}

// Of returns the cost of predicting one class for a row of another.
func (c Costs) Of(class, predicted int) float64 {
	switch {
	case c != nil:
		return c[class][predicted]
	case class == predicted:
		return 0
	}
	return 1
}

// Label returns the class of least expected cost for a row that has the classes with the given
// probabilities or weights, of equal ones the first: without costs the class of the largest.
func (c Costs) Label(fractions []float64) int {
	best := 0
	if c == nil {
		for k, s := range fractions {
			if s > fractions[best] {
				best = k
			}
		}
		return best
	}
	least := c.Expected(fractions, 0)
	for j := 1; j < len(fractions); j++ {
		if cost := c.Expected(fractions, j); cost < least*(1-sameCost) {
			best, least = j, cost
		}
	}
	return best
}

// Expected returns what predicting a class costs for rows of all classes with the given
// probabilities or weights, in their unit.
func (c Costs) Expected(fractions []float64, predicted int) float64 {
	sum := 0.0
	for k, s := range fractions {
		sum += float64(s * c.Of(k, predicted))
	}
	return sum
}

// Total returns the sum of the costs of each class: how much more a class counts whose errors are
// expensive (Breiman et al. 1984, section 4.4). It is nil without costs.
func (c Costs) Total() []float64 {
	if c == nil {
		return nil
	}
	total := make([]float64, len(c))
	for i, row := range c {
		for _, cost := range row {
			total[i] += cost
		}
	}
	return total
}
