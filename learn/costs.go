package learn

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// mostCosts is the size of a file of costs, in bytes, beyond which it is surely something else.
const mostCosts = 1 << 24

// Costs is what wrong predictions cost, by the names of the classes. The zero value has none.
type Costs struct {
	Classes []string   `json:"classes"`
	Cost    data.Costs `json:"cost"` // by index in Classes
}

// CostMatrix declares the parameter costs. Its text is a path, and the costs are read from that
// file when it is set; or it is the costs themselves as JSON,
// {"classes":["a","b"],"cost":[[0,1],[5,0]]}, as models store it.
func CostMatrix(p *Costs) param.Param {
	return param.Custom(p, "costs", "FILE.csv",
		"what wrong predictions cost: a table with a line for each true and a column for each predicted class, named in the first column and line; the label is the class of least expected cost")
}

// ReadCosts reads costs as CSV: the first line names the predicted classes, in any order, after a
// field that says nothing; each line after it has the name of a true class and the cost of each
// prediction for it. Errors name the line.
func ReadCosts(r io.Reader) (Costs, error) {
	lines := csv.NewReader(r)
	lines.TrimLeadingSpace = true
	head, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return Costs{}, errors.New("no costs: the file is empty")
	}
	if err != nil {
		return Costs{}, err
	}
	c := Costs{Cost: make(data.Costs, len(head)-1)}
	for _, name := range head[1:] {
		c.Classes = append(c.Classes, strings.TrimSpace(name))
	}
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Costs{}, err
		}
		number, _ := lines.FieldPos(0)
		if err := c.add(fields); err != nil {
			return Costs{}, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return c, c.check()
}

// add reads a line of the table.
func (c *Costs) add(fields []string) error {
	name := strings.TrimSpace(fields[0])
	i := slices.Index(c.Classes, name)
	switch {
	case i < 0:
		return fmt.Errorf("class %q has a line, but no column", name)
	case c.Cost[i] != nil:
		return fmt.Errorf("class %q has two lines", name)
	}
	row := make([]float64, 0, len(c.Classes))
	for j, text := range fields[1:] {
		cost, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return fmt.Errorf("cost %q of predicting %q for %q is not a number", text, c.Classes[j], name)
		}
		row = append(row, cost)
	}
	c.Cost[i] = row
	return nil
}

// check reports what is wrong with costs that are not of a given target.
func (c *Costs) check() error {
	for i, name := range c.Classes {
		if slices.Contains(c.Classes[:i], name) {
			return fmt.Errorf("class %q has two columns", name)
		}
		if i < len(c.Cost) && c.Cost[i] == nil {
			return fmt.Errorf("class %q has a column, but no line", name)
		}
	}
	if len(c.Classes) != len(c.Cost) {
		return fmt.Errorf("costs of %d classes for %d names", len(c.Cost), len(c.Classes))
	}
	return c.Cost.CheckOf(c.Classes)
}

// MarshalText writes the costs as JSON, nothing if there are none.
func (c *Costs) MarshalText() ([]byte, error) {
	if len(c.Classes) == 0 && len(c.Cost) == 0 {
		return nil, nil
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	type plain Costs // without this method
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode((*plain)(c))
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// UnmarshalText reads what MarshalText wrote, or the file of that name.
func (c *Costs) UnmarshalText(text []byte) error {
	*c = Costs{}
	if len(text) == 0 {
		return nil
	}
	if text[0] == '{' {
		type plain Costs
		if err := json.Unmarshal(text, (*plain)(c)); err != nil {
			return err
		}
		return c.check()
	}
	f, err := os.Open(string(text))
	if err != nil {
		return errors.Unwrap(err) // the caller names the file
	}
	defer f.Close()
	*c, err = ReadCosts(io.LimitReader(f, mostCosts))
	return err
}

// Of returns the costs by the classes of a target, nil if there are none. Each class of the target
// must have costs, and each class with costs must be one of the target's.
func (c *Costs) Of(t *data.Target) (data.Costs, error) {
	if len(c.Classes) == 0 {
		return nil, nil
	}
	if !t.Task.Classes() {
		return nil, fmt.Errorf("costs do not fit a %s label", t.Task)
	}
	for _, name := range c.Classes {
		if !slices.Contains(t.Classes, name) {
			return nil, unknownClass("costs", name, t.Classes)
		}
	}
	place := make([]int, len(t.Classes))
	for i, name := range t.Classes {
		if place[i] = slices.Index(c.Classes, name); place[i] < 0 {
			return nil, fmt.Errorf("costs: class %q has none", name)
		}
	}
	costs := make(data.Costs, len(place))
	for i, from := range place {
		for _, to := range place {
			costs[i] = append(costs[i], c.Cost[from][to])
		}
	}
	return costs, nil
}
