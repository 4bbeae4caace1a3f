package relations

import (
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

func onLabels() []relation {
	return []relation{
		{name: "names of classes", says: "The names of the classes do not matter.", lacks: needsClasses,
			sides: func(c *trial) (got, want []float64) {
				target := c.weighed.Target
				target.Classes = []string{"Z", "1", "-"}[:len(target.Classes)]
				return c.everywhere(c.fit(c.weighed.labelled(target)), c.weighed, unchanged),
					c.everywhere(c.of(c.weighed), c.weighed, unchanged)
			}},
		{name: "order of classes", says: "Classes in another order have the same probabilities.",
			within: rounding, lacks: needsClasses, sides: turnedClasses, except: []exception{
				{of: folded, why: "folds are drawn class by class"},
				{of: "cart/fractional", task: data.Binary, why: someOfEqual},
				{of: "forest bag/columns", chance: true, why: sidesTurned},
				{of: "gbm/target", chance: true, why: "statistics of categories are of the second class"},
				{of: networks, chance: true, why: initial},
				{of: machines, within: 0.01, why: tolerance},
			}},
		{name: "scaled label", says: "A label times 8 makes predictions times 8.", within: rounding,
			lacks: needsTask(data.Regression), sides: changedLabel(
				func(y float64) float64 { return 8 * y }, func(y float64) float64 { return y / 8 })},
		{name: "shifted label", says: "A label plus 32 makes predictions plus 32.", within: rounding,
			lacks: needsTask(data.Regression), sides: changedLabel(
				func(y float64) float64 { return y + 32 }, func(y float64) float64 { return y - 32 })},
		{name: "negated label", says: "The negative of a label makes the negative predictions.",
			within: rounding, lacks: func(c *trial) string {
				if strings.Contains(c.settings, "quantile") {
					return "the negative of a quantile is one of another level"
				}
				return needsTask(data.Regression)(c)
			}, sides: changedLabel(
				func(y float64) float64 { return -y }, func(y float64) float64 { return -y }),
			except: []exception{
				{of: "forest forest/quantiles", chance: true, why: sidesTurned},
				{of: networks, chance: true, why: initial},
				{of: "svm", within: 0.01, why: tolerance},
			}},
		{name: "another clock", says: "The cubes of the times of events make the same predictions.",
			within: rounding, lacks: needsTask(data.Survival), sides: changedLabel(
				func(y float64) float64 { return float64(y * y * y) }, func(y float64) float64 { return y })},
		{name: "numbers of groups", says: "The numbers of the groups, and their order, do not matter.",
			within: rounding, lacks: needsTask(data.Ranking), sides: renumberedGroups},
		{name: "one label", says: "A table of one label, or of one row, is predicted that label.",
			within: 1e-13, lacks: func(c *trial) string {
				if c.task == data.Auto {
					return "the learner ignores labels"
				}
				return ""
			}, sides: oneLabel},
	}
}

func needsTask(task data.Task) func(c *trial) string {
	return func(c *trial) string {
		if c.task != task {
			return "the learner has no task " + task.String()
		}
		return ""
	}
}

func needsClasses(c *trial) string {
	if !c.task.Classes() {
		return "the learner predicts no classes"
	}
	return ""
}

// turnedClasses trains on classes from the last to the first, and turns the probabilities.
func turnedClasses(c *trial) (got, want []float64) {
	t := c.weighed
	target := t.Target
	target.Classes = slices.Clone(target.Classes)
	slices.Reverse(target.Classes)
	target.Class = slices.Clone(target.Class)
	k := len(target.Classes)
	for i, class := range target.Class {
		target.Class[i] = uint32(k-1) - class
	}
	got = c.predict(c.fit(t.labelled(target)), t.seen())
	for i := 0; i < len(got); i += k {
		slices.Reverse(got[i : i+k])
	}
	return got, c.predict(c.of(t), t.seen())
}

// changedLabel returns the sides of a relation by which another label makes other predictions, of
// which back makes those of the table as it is.
func changedLabel(change, back func(y float64) float64) func(c *trial) (got, want []float64) {
	return func(c *trial) (got, want []float64) {
		t := c.weighed
		target := t.Target
		target.Y = [][]float64{slices.Clone(target.Y[0])}
		for i, y := range target.Y[0] {
			target.Y[0][i] = change(y)
		}
		m := c.fit(t.labelled(target))
		got = c.predict(m, t.seen())
		for i, y := range got {
			got[i] = back(y)
		}
		return got, c.predict(c.of(t), t.seen())
	}
}

func renumberedGroups(c *trial) (got, want []float64) {
	target := c.weighed.Target
	target.Group = slices.Clone(target.Group)
	for i, g := range target.Group {
		target.Group[i] = 1000 - 7*g
	}
	return c.everywhere(c.fit(c.weighed.labelled(target)), c.weighed, unchanged),
		c.everywhere(c.of(c.weighed), c.weighed, unchanged)
}

// oneLabel trains on a table of one label, and on one row of it.
func oneLabel(c *trial) (got, want []float64) {
	t := c.weighed.joined()
	target := t.Target
	target.Event = nil // of equal times all are events: hazards are equal then
	switch {
	case target.Class != nil:
		target.Class = slices.Repeat([]uint32{1}, t.Rows())
	default:
		target.Y = [][]float64{slices.Repeat([]float64{0.7}, t.Rows())}
	}
	t = t.labelled(target)
	for _, job := range []learn.Job{t.job(c.seed), {Rows: []int32{7}, Seed: c.seed, Workers: 1}} {
		m := c.train(t, job)
		own := c.everywhere(m, t, unchanged)
		got = append(got, own...)
		for i := range own {
			switch k := m.Outputs(); {
			case c.task.Classes() && i%k == 1:
				want = append(want, 1)
			case c.task.Classes():
				want = append(want, 0)
			case c.task == data.Regression:
				want = append(want, 0.7)
			default: // scores of ranks and hazards, of which only differences count
				want = append(want, own[0])
			}
		}
	}
	return got, want
}
