package onnx

// certain is what each row gets, because some tree gives it in all of its leaves. ONNX Runtime has
// no prediction, or one that depends on what other rows get, where it lacks.
type certain struct {
	some     bool // a weight of any target
	second   bool // a weight of target 1
	positive bool // weights whose sum is above 0
}

// add adds the current tree of a conversion.
func (a *certain) add(c *conversion) {
	tree := certain{true, true, true}
	for i := range c.plan {
		d := &c.nodes[c.plan[i].place]
		if d.mode != leaf {
			continue
		}
		second, sum := false, 0.0
		for _, w := range c.weights[d.yes:d.no] {
			second, sum = second || w.target == 1, sum+w.value
		}
		tree.some = tree.some && d.yes < d.no
		tree.second = tree.second && second
		tree.positive = tree.positive && sum > 0
	}
	a.some = a.some || tree.some
	a.second = a.second || tree.second
	a.positive = a.positive || tree.positive
}

// checkCertain refuses files that have no prediction for some rows, or one that this package does
// not know.
func (c *conversion) checkCertain() {
	switch {
	case c.transform == normalised && !c.divisible():
		refuse("a Normalizer of scores that may all be 0")
	case !c.classifier || c.form != plain:
		return
	case c.targets == 2 && !c.second:
		refuse("two classes in whose leaves the second may have no weight")
	case len(c.base) == 0 && !c.some:
		refuse("leaves of a classifier without the weight of a class")
	}
}

// divisible reports whether the sum of a row's scores, none of which is negative, is above 0.
func (c *conversion) divisible() bool {
	shift, base := 0.0, 0.0
	for _, x := range c.shift {
		shift += x
	}
	for _, x := range c.base {
		base += x
	}
	return shift > 0 || c.factor > 0 && (base > 0 || c.positive)
}
