// Package relations owns the statements that hold of every learner: two trainings, or two
// predictions, that have to agree. Examples are weights of one and none, the columns in another
// order, and a model that was saved and opened. Each relation is a row of a table, and each learner
// of the catalog is tried on it. What a learner cannot have is an exception with its reason.
package relations

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// relation is a statement that two sides agree.
type relation struct {
	name string // in the table of docs/relations.md
	says string // the statement, as a sentence
	// within is how far the sides may be apart, as a fraction of the largest number of them; 0 =
	// the same bits
	within float64
	// lacks returns why the relation makes no statement on a learner and a task, "" where it does;
	// nil: it always does
	lacks func(c *trial) string
	// sides trains and predicts, and returns the numbers that agree
	sides func(c *trial) (got, want []float64)
	// later hands a trial to a check of all subjects at once, which takes the place of sides
	later  func(c *trial)
	except []exception
}

// exception is what holds of some learners in place of the relation.
type exception struct {
	of   string    // titles of subjects, with blanks between them
	task data.Task // the only one that it is of; Auto: all
	// within is how far the sides may be apart
	within float64
	// chance: the sides are apart as models of two seeds are, since rows or columns are sampled by
	// their places. Without it and within, the sides may be anything.
	chance bool
	why    string
}

// matches reports whether the exception is of a subject and a task.
func (e *exception) matches(title string, task data.Task) bool {
	if e.task != data.Auto && e.task != task {
		return false
	}
	return slices.Contains(strings.Fields(e.of), title)
}

// relations lists all of them.
func relations() []relation {
	var all []relation
	for _, part := range [][]relation{onWeights(), onRows(), onColumns(), onValues(), onLabels(),
		onRounds(), onStorage(), onPredictions()} {
		all = append(all, part...)
	}
	return all
}

// exceptionFor returns the exception of a subject and a task, nil if there is none.
func (r *relation) exceptionFor(title string, task data.Task) *exception {
	for i := range r.except {
		if r.except[i].matches(title, task) {
			return &r.except[i]
		}
	}
	return nil
}

// searched is on how many tables an exception is tried before it is reported as none: on one of
// them the relation has to fail.
const searched = 20

// averaged is on how many tables an exception by chance is tried at least.
const averaged = 3

// likeSeeds is how much farther apart the sides of an exception by chance may be, on average, than
// models of two seeds.
const likeSeeds = 2

// cell is a relation and a subject: what was found of both.
type cell struct {
	*relation
	*made
	mark   string              // in the table; "" where the relation makes no statement
	proven map[*exception]bool // exceptions of which a table shows that they are some
	// of those by chance: the sum of how far models of two seeds may be apart, less that of the
	// sides
	apart map[*exception]float64
}

// try tries the relation on tables of one task, of which the first has a number. Every second table
// has a validation set.
func (c *cell) try(t *testing.T, task data.Task, number uint64) {
	tables := tier.Count(1, 1, 20)
	if e := c.exceptionFor(c.title, task); e != nil && e.chance && !testing.Short() {
		tables = max(tables, averaged)
	}
	for ; tables > 0 || c.unproven(task) && tables > -searched; tables-- {
		one := c.trial(t, task, number)
		if c.lacks != nil && c.lacks(one) != "" {
			return
		}
		if c.later != nil {
			c.later(one)
			c.mark = marked(c.mark, nil, c.within)
			return
		}
		c.compare(one)
		if t.Failed() {
			return
		}
		number++
	}
}

// unproven reports whether a task has an exception that no table has shown yet.
func (c *cell) unproven(task data.Task) bool {
	e := c.exceptionFor(c.title, task)
	return e != nil && !c.proven[e] && !testing.Short()
}

// compare compares the sides on one table.
func (c *cell) compare(one *trial) {
	one.Helper()
	e := c.exceptionFor(c.title, one.task)
	got, want := c.sides(one)
	if len(got) != len(want) || len(got) == 0 {
		one.Fatalf("%d numbers and %d", len(got), len(want))
	}
	d := distance(got, want)
	c.mark = marked(c.mark, e, c.within)
	bound := c.within
	if e != nil {
		c.proven[e] = c.proven[e] || d > c.within
		bound = max(bound, e.within)
		if e.within == 0 {
			bound = math.Inf(1)
		}
		if e.chance {
			another := *one
			another.seed += 1000
			_, other := c.sides(&another)
			c.apart[e] += likeSeeds*mean(want, other) - mean(got, want)
		}
	}
	if !(d <= bound) {
		one.Errorf("%s, table %d: the sides are %.3g apart, the bound is %g", one.task, one.number, d,
			bound)
	}
}

// marks, from the strongest statement to none.
const marks = "=≈~-"

// marked returns the weaker one of a mark and that of an exception.
func marked(mark string, e *exception, within float64) string {
	own := "="
	switch {
	case e == nil && within > 0, e != nil && e.within > 0:
		own = "≈"
	case e != nil && e.chance:
		own = "~"
	case e != nil:
		own = "-"
	}
	if strings.Index(marks, own) > strings.Index(marks, mark) || mark == "" {
		return own
	}
	return mark
}

// stale reports exceptions that hold nowhere, and those by chance whose sides are farther apart
// than seeds.
func (c *cell) stale(t *testing.T) {
	for i := range c.except {
		e := &c.except[i]
		if _, tried := c.proven[e]; !tried || testing.Short() {
			continue
		}
		if !c.proven[e] {
			t.Errorf("no exception: on all tables the relation holds, though %q", e.why)
		}
		if e.chance && c.apart[e] < 0 {
			t.Errorf("the sides are farther apart than models of two seeds, though %q", e.why)
		}
	}
}

// distance returns the largest difference, as a fraction of the largest number or of 1. It is 0
// only where all numbers have the same bits, but for the sign of 0.
func distance(got, want []float64) float64 {
	most, size := 0.0, 1.0
	for i, v := range want {
		if got[i] == v {
			continue
		}
		if most = max(most, math.Abs(got[i]-v)); math.IsNaN(most) {
			return math.Inf(1)
		}
		size = max(size, math.Abs(v))
	}
	return most / size
}

// mean returns the mean difference.
func mean(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += math.Abs(v-b[i]) / float64(len(a))
	}
	return sum
}
