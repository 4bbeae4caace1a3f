package training

import (
	"fmt"
	"math"
	"reflect"
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

// Fields requires that the integers of a struct are counts and its texts names, under their keys in
// JSON. Structs that it embeds or points to are part of it; lists are left to the Check of a
// summary. learn.ReadSummary requires it of all summaries.
func (c *Checks) Fields(s any) { c.fields("", reflect.ValueOf(s)) }

func (c *Checks) fields(above string, v reflect.Value) {
	switch v = reflect.Indirect(v); v.Kind() {
	case reflect.Int:
		c.count(above, int(v.Int()))
	case reflect.String:
		c.Name(above, v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			c.fields(strings.Trim(above+"."+key, "."), v.Field(i))
		}
	}
}

// count requires a number of things, two of which have a sum.
func (c *Checks) count(key string, n int) {
	c.Require(n >= 0 && n <= math.MaxInt/2, key, "%d is no count", n)
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
