package quality

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/option"
)

// The limits of the check of leakage.
const (
	leakClasses = 50   // more classes are not checked
	leaking     = 0.99 // the AUC or R2 of one feature from which it is suspicious
	leastOfEach = 10   // rows of the sample that each class must have
	leastLeak   = 200  // rows of the sample that regression must have
	// categories of fewer rows are taken together, so that names of rows predict nothing
	pooledLevel = 5
	leakSteps   = 64 // intervals of a feature whose mean label predicts a number, at most
	stepRows    = 16 // rows of the sample in an interval, at least: half of them are learned from
)

// leakage finds features that predict the label nearly alone. Its figure depends on the label:
//
//   - two classes: the AUC of the best single split, a threshold or a set of categories.
//   - more classes: the least AUC over the classes, each against all others by the best interval of
//     the feature or set of categories.
//   - numbers: the R2 of the mean label in up to 64 intervals of the feature. The intervals are
//     found on every other row of the sample and evaluated on the rest.
//
// The parts of a date are one column, whose figure is the largest of theirs. If no feature does,
// pairs of numbers are tried (pairLeak).
func leakage(t *inspected) []Warning {
	metric, name := t.leakMetric()
	if metric == nil {
		return nil
	}
	values, keys := make([]float64, len(t.columns)), t.repeatedKeys()
	t.each(func(i int) { // the labels of a key are alike, which is a finding of its own
		if !t.columns[i].constant && t.columns[i].identifier != named && keys[i].alike == 0 {
			values[i] = metric(&t.Columns[i])
		}
	})
	var names []string // by value, the largest first
	best := map[string]float64{}
	for i, v := range values {
		if v > leaking {
			if best[t.name(i)] == 0 {
				names = append(names, t.name(i))
			}
			best[t.name(i)] = max(best[t.name(i)], v)
		}
	}
	if names == nil {
		return t.pairLeak()
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(best[b], best[a]) })
	w := Warning{Columns: names, Value: best[names[0]],
		Message: fmt.Sprintf("column %q alone predicts the label with %s %.4f", names[0], name,
			best[names[0]]),
		Advice: option.Expand("leave it out with {ignore} if it is not known when predictions are made")}
	if len(names) > 1 {
		texts := make([]string, min(len(names), listed))
		for i := range texts {
			texts[i] = fmt.Sprintf("%q with %s %.4f", names[i], name, best[names[i]])
		}
		w.Message = fmt.Sprintf("each of %d columns alone predicts the label, %s", len(names),
			andMore(texts, len(names)))
		w.Advice = option.Expand("leave out with {ignore} what is not known when predictions are made")
	}
	return []Warning{w}
}

// leakMetric returns what is computed of a column, and its name; nil where the target or the sample
// allows nothing.
func (t *inspected) leakMetric() (metric func(c *data.Column) float64, name string) {
	switch target := &t.Target; {
	case target.Class != nil:
		counts := make([]int, len(target.Classes))
		for _, row := range t.sample {
			counts[target.Class[row]]++
		}
		least := slices.Min(counts)
		if len(counts) < 2 || len(counts) > leakClasses || least < leastOfEach {
			return nil, ""
		}
		return func(c *data.Column) float64 { return t.leastAUC(c, counts) }, "an AUC of"
	case len(target.Y) == 1 && len(t.sample) >= leastLeak:
		return t.steppedR2, "an R2 of"
	}
	return nil, ""
}

// bundledLevels is bundles for a column of categories.
func (t *inspected) bundledLevels(c *data.Column, classes int) []bundle {
	const few = 1 << 12 // codes whose rows are counted in an array: all, in most columns
	counts := make([]int, classes*few)
	beyond := map[uint32][]int{}
	top := 0
	for _, row := range t.sample {
		code, class := c.Code(int(row)), int(t.Target.Class[row])
		if code < few {
			top = max(top, int(code)+1)
			counts[int(code)*classes+class]++
			continue
		}
		if beyond[code] == nil {
			beyond[code] = make([]int, classes)
		}
		beyond[code][class]++
	}
	pool := make([]int, classes)
	var all []bundle
	add := func(counts []int) {
		if kernel.Sum(counts) >= pooledLevel {
			all = append(all, bundle{counts: counts})
			return
		}
		for k, n := range counts {
			pool[k] += n
		}
	}
	for code := range top {
		add(counts[code*classes : (code+1)*classes])
	}
	for _, level := range slices.Sorted(maps.Keys(beyond)) { // sums in a fixed order
		add(beyond[level])
	}
	return append(all, bundle{counts: pool})
}

// leastAUC returns the least AUC over the classes of rules on one column, given the rows of each
// class. A rule that is true for a fraction p of the class and q of the other rows has the AUC
// (1 + p - q) / 2.
func (t *inspected) leastAUC(c *data.Column, counts []int) float64 {
	all := t.bundles(c, counts)
	least := 1.0
	for class := range counts {
		if class == 1 && len(counts) == 2 {
			break // the rule of class 0 the other way round
		}
		inside, outside := float64(counts[class]), float64(len(t.sample)-counts[class])
		weight := func(b *bundle) float64 {
			return float64(b.counts[class])/inside - float64(kernel.Sum(b.counts)-b.counts[class])/outside
		}
		var best float64
		switch {
		case c.Codes() != nil:
			best = bestSet(all, weight)
		case len(counts) == 2:
			best = bestThreshold(all, weight)
		default:
			best = bestInterval(all, weight)
		}
		least = min(least, (1+best)/2)
	}
	return least
}

// bestSet returns the largest sum of weights over any set of bundles.
func bestSet(all []bundle, weight func(*bundle) float64) float64 {
	best := 0.0
	for i := range all {
		best += max(0, weight(&all[i]))
	}
	return best
}

// bestThreshold returns the largest sum, of either sign, over the first bundles, however many.
func bestThreshold(all []bundle, weight func(*bundle) float64) float64 {
	best, sum := 0.0, 0.0
	for i := range all {
		sum += weight(&all[i])
		best = max(best, math.Abs(sum))
	}
	return best
}

// bestInterval returns the largest sum over neighbouring bundles.
func bestInterval(all []bundle, weight func(*bundle) float64) float64 {
	best, sum := 0.0, 0.0
	for i := range all {
		sum = max(0, sum+weight(&all[i]))
		best = max(best, sum)
	}
	return best
}

// steppedR2 returns the R2 of the mean label by intervals or categories of a column, learned on the
// even rows of the sample and evaluated on the odd ones.
func (t *inspected) steppedR2(c *data.Column) float64 {
	y := t.Target.Y[0]
	step := t.steps(c)
	var total float64
	sums, counts := map[int]float64{}, map[int]float64{}
	for i := 0; i < len(t.sample); i += 2 {
		row := t.sample[i]
		s := step(i)
		sums[s] += y[row]
		counts[s]++
		total += y[row]
	}
	mean := total / float64((len(t.sample)+1)/2)
	var model, base float64
	for i := 1; i < len(t.sample); i += 2 {
		row := t.sample[i]
		predicted := mean
		if s := step(i); counts[s] > 0 {
			predicted = sums[s] / counts[s]
		}
		model += float64((y[row] - predicted) * (y[row] - predicted))
		base += float64((y[row] - mean) * (y[row] - mean))
	}
	if base == 0 || math.IsInf(base, 0) || math.IsNaN(model) {
		return 0
	}
	return 1 - model/base
}

// steps returns the function that gives each place of the sample its interval or category.
func (t *inspected) steps(c *data.Column) func(at int) int {
	if c.Codes() != nil {
		return func(at int) int { return int(c.Code(int(t.sample[at]))) }
	}
	number := numbers(c, t.sample)
	values := slices.DeleteFunc(slices.Clone(number), math.IsNaN)
	slices.Sort(values)
	var bounds []float64
	n := min(leakSteps, len(values)/stepRows)
	for k := 1; k < n; k++ {
		bounds = append(bounds, values[k*len(values)/n])
	}
	bounds = slices.Compact(bounds)
	return func(at int) int {
		if math.IsNaN(number[at]) {
			return -1
		}
		step, _ := slices.BinarySearch(bounds, number[at])
		return step
	}
}
