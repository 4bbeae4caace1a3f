package relations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// rounding is the bound of sums that have another order.
const rounding = 1e-9

func onWeights() []relation {
	return []relation{
		{name: "weights of one", says: "Weights that are all 1 change nothing.",
			sides: func(c *trial) (got, want []float64) {
				ones := c.plain.weighing(slices.Repeat([]float64{1}, c.plain.Rows()))
				return c.everywhere(c.fit(ones), c.plain, unchanged),
					c.everywhere(c.of(c.plain), c.plain, unchanged)
			}},
		{name: "weight 0", says: "A row of weight 0 is absent, whatever its values and its label.",
			sides: weightless},
		{name: "repeated rows", says: "Two or three times the weight are as many copies of the row.",
			within: 1e-6, lacks: oneOfGroup, sides: repeated, except: []exception{
				{of: sampledRows, why: "samples draw rows, whatever their weights"},
				{of: folded, why: "copies of a row may be in different folds"},
				{of: "anyboost gbm gbm/plain", task: data.Survival, why: "second derivatives of " +
					"loss=cox have no terms of two rows, and a row of weight 2 has them of its own"},
				{of: "cox", why: "Efron's rule gives tied events their mean weight, as R does"},
				{of: "adaboost/deep", task: data.Binary, why: faultless},
				{of: boosted + "cart/fractional forest/allrows", why: "min_leaf and node_size count rows"},
				{of: "extratrees extratrees/allrows", why: "a missing value goes to a side by the number of rows there"},
				{of: "cart/surrogate", why: "a surrogate sends two rows to each side, whatever they weigh"},
				{of: "knn", why: "k counts rows"},
				{of: "network", why: "batches count rows"},
				{of: machines, within: 0.02, why: tolerance},
				{of: "c45 c45/grown rules", why: "C4.5 charges for the choice of a threshold by row"},
			}},
		{name: "factor of weights", says: "All weights times 4 change nothing.", within: rounding,
			sides: func(c *trial) (got, want []float64) {
				four := slices.Clone(c.weighed.Target.Weight)
				for i := range four {
					four[i] *= 4
				}
				return c.everywhere(c.fit(c.weighed.weighing(four)), c.weighed, unchanged),
					c.everywhere(c.of(c.weighed), c.weighed, unchanged)
			}, except: []exception{
				{of: quinlan, why: "C4.5 counts weight as rows, in least sizes, charges and errors"},
				{of: "bayes vote/majority", why: "smoothing is in units of weight"},
				{of: "calibrate", why: "Platt's targets count weight"},
				{of: "gbm gbm/goss gbm/chosen " + boosted + penalised, why: perWeight},
			}},
		{name: "class weights", says: "A weight of a class is that weight of its rows.",
			lacks: needsClassWeight, sides: classWeights},
		{name: "balanced classes", says: "Balanced class weights are rows / (classes x rows of the " +
			"class).", lacks: needsClassWeight, sides: balanced},
	}
}

// oneOfGroup: a copy of a row is another row of its group, which a weight is not.
func oneOfGroup(c *trial) string {
	if c.task == data.Ranking {
		return "a copy is another row of its group"
	}
	return ""
}

// weightless trains with rows of weight 0 that have values and labels of their own, and without
// these rows.
func weightless(c *trial) (got, want []float64) {
	t := c.weighed
	random := c.random()
	weight := slices.Clone(t.Target.Weight)
	var left []int32
	target := t.Target
	target.Class = slices.Clone(target.Class)
	gone := map[int64]bool{} // groups go as a whole
	for i := range t.rows() {
		leave := random.Intn(4) == 0
		if g := target.Group; g != nil {
			if _, known := gone[g[i]]; !known {
				gone[g[i]] = leave
			}
			leave = gone[g[i]]
		}
		if !leave {
			left = append(left, int32(i))
			continue
		}
		weight[i] = 0
		if target.Class != nil {
			target.Class[i] = (target.Class[i] + 1) % uint32(len(target.Classes))
		}
	}
	spoilt, set := t.labelled(target).weighing(weight).with(spoiled(t.Frame, weight)), c.counting()
	return c.everywhere(c.fit(spoilt, set...), t, unchanged),
		c.everywhere(c.fit(t.reordered(left), set...), t, unchanged)
}

// counting returns settings that count rows: least sizes, bins and samples. Those that the learner
// does not have, or does not take, are left out.
func (c *trial) counting() []string {
	l := c.new()
	var set []string
	for _, p := range l.Params().All() {
		for stem, value := range map[string]string{"min_leaf": "4", "bins": "7", "subsample": "0.8"} {
			if p.Name != stem && !strings.HasSuffix(p.Name, "."+stem) {
				continue
			}
			before := p.Name + "=" + p.Value()
			if l.Params().Set([]string{p.Name + "=" + value}) == nil && l.Capabilities().Conflicts == nil {
				set = append(set, p.Name+"="+value)
			} else {
				_ = l.Params().Set([]string{before})
			}
		}
	}
	return set
}

// spoiled gives rows of weight 0 values that no other row has.
func spoiled(f *data.Frame, weight []float64) *data.Frame {
	columns := slices.Clone(f.Columns)
	for j := range columns {
		numbers, codes := slices.Clone(columns[j].Numbers()), slices.Clone(columns[j].Codes())
		for i, w := range weight {
			switch {
			case w != 0:
			case codes != nil:
				codes[i] = uint32(len(f.Schema.Fields[j].Levels) - 1)
			default:
				numbers[i] = 1e6 + float64(i)
			}
		}
		if columns[j] = data.Numbers(numbers); codes != nil {
			columns[j] = data.Codes(codes)
		}
	}
	return mustFrame(f.Schema, columns)
}

// repeated trains with one, two and three times the weights of rows, and with as many copies of
// them. The weights are random, because sums of integers are equal for many splits, of which
// rounding then chooses. Without a validation set, splits that part the training rows alike are
// alike.
func repeated(c *trial) (got, want []float64) {
	t := c.weighed.joined()
	weight := slices.Clone(t.Target.Weight)
	var copies []int32
	for i := range t.rows() {
		n := 1 + i*7%3
		weight[i] *= float64(n)
		copies = append(copies, slices.Repeat([]int32{int32(i)}, n)...)
	}
	return c.predict(c.fit(t.weighing(weight)), t.seen()),
		c.predict(c.fit(t.reordered(copies)), t.seen())
}

func needsClassWeight(c *trial) string {
	if !c.task.Classes() || !c.has("class_weight") {
		return "the learner has no parameter class_weight"
	}
	return ""
}

// factored returns the weighted table with weights times a factor of each class.
func factored(t *table, factor []float64) *table {
	weight := slices.Clone(t.Target.Weight)
	for i, k := range t.Target.Class {
		weight[i] *= factor[k]
	}
	return t.weighing(weight)
}

func classWeights(c *trial) (got, want []float64) {
	classes := c.weighed.Target.Classes
	factor := slices.Repeat([]float64{1}, len(classes))
	factor[1] = 5
	set := fmt.Sprintf("class_weight=%s=5", classes[1])
	counting := c.counting()
	return c.everywhere(c.fit(c.weighed, append(slices.Clip(counting), set)...), c.weighed, unchanged),
		c.everywhere(c.fit(factored(c.weighed, factor), counting...), c.weighed, unchanged)
}

// balanced is tried on a table whose first class is rare.
func balanced(c *trial) (got, want []float64) {
	t := c.weighed
	var rows []int32
	count := make([]float64, len(t.Target.Classes))
	for i, k := range t.Target.Class[:t.rows()] {
		if k > 0 || i%3 == 0 {
			rows = append(rows, int32(i))
			count[k]++
		}
	}
	factor := make([]float64, len(count))
	for k, n := range count {
		factor[k] = float64(len(rows)) / (float64(len(count)) * n)
	}
	t = t.reordered(rows)
	return c.everywhere(c.fit(t, "class_weight=balanced"), t, unchanged),
		c.everywhere(c.fit(factored(t, factor)), t, unchanged)
}
