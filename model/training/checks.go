package training

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// Checks collects the faults that the Check of a learn.Summary finds. The first one is reported.
type Checks struct{ err error }

// Err returns the first fault, nil if there is none.
func (c *Checks) Err() error { return c.err }

// Require reports a fault under a key of the summary unless a condition holds.
func (c *Checks) Require(holds bool, key, format string, args ...any) {
	if !holds && c.err == nil {
		c.err = fmt.Errorf("%s: %s", key, fmt.Sprintf(format, args...))
	}
}

// Part reports the fault of a part of the summary, if there is one, under the key of the part.
func (c *Checks) Part(key string, err error) {
	if err != nil {
		c.Require(false, key, "%v", err)
	}
}

// Count requires a number of things: 0 or more.
func (c *Checks) Count(key string, n int) { c.Require(n >= 0, key, "%d is no count", n) }

// Rows requires counts of training rows.
func (c *Checks) Rows(t Trained) {
	c.Count("rows", t.Rows)
	c.Count("weightless", t.Weightless)
	c.Require(t.Rows+t.Weightless >= 0, "weightless", "%d are too many", t.Weightless)
}

// longestName is the greatest length in bytes of what summaries name, which is one of a program's
// own words.
const longestName = 200

// Name requires the name of a loss, a metric or the like: one line that a terminal shows as it is.
func (c *Checks) Name(key, name string) {
	c.Require(len(name) <= longestName && !strings.ContainsFunc(name, humanize.Obeyed),
		key, "%.100q is no name", name)
}

// Rising requires numbers from 1 up, each greater than the one before.
func (c *Checks) Rising(key string, numbers []int) {
	last := 0
	for i, n := range numbers {
		c.Require(n > last, key, "number %d is %d behind %d", i, n, last)
		last = n
	}
}

// Length requires a list of a length.
func (c *Checks) Length(key string, got, want int) {
	c.Require(got == want, key, "%d values in place of %d", got, want)
}

// Importances requires importances of columns that a schema has, a kind only once.
func (c *Checks) Importances(key string, all []Importances, s *data.Schema) {
	columns := map[string]bool{}
	for _, name := range s.Names() {
		columns[name] = true
	}
	kinds := map[string]bool{}
	for _, kind := range all {
		c.Name(key, kind.Kind)
		c.Require(!kinds[kind.Kind], key, "%q is there twice", kind.Kind)
		kinds[kind.Kind] = true
		for _, i := range kind.Columns {
			for _, name := range i.Group {
				c.Require(columns[name], key, "the model has no column %q", name)
			}
			c.Require(i.Group != nil || columns[i.Column], key,
				"the model has no column %q", i.Column)
			c.Require(i.StdError >= 0, key, "a standard error of %g", i.StdError)
		}
	}
}
