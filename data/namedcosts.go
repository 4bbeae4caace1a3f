package data

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/param"
)

// mostCosts is the size of a file of costs, in bytes, beyond which it is surely something else.
const mostCosts = 1 << 24

// NamedCosts is what wrong predictions cost, by the names of the classes. The zero value has none.
type NamedCosts struct {
	Classes []string `json:"classes"`
	Cost    Costs    `json:"cost"` // by index in Classes
}

// ReadCosts reads costs as CSV:
//
//	true \ predicted, good, bad
//	bad,5,0
//	good,0,1
//
// The first line names the predicted classes, in any order; its first field is ignored. Each other
// line has the name of a true class, and the cost of each prediction for it. Errors name the line.
func ReadCosts(r io.Reader) (NamedCosts, error) {
	lines := csv.NewReader(r)
	lines.TrimLeadingSpace = true
	head, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return NamedCosts{}, errors.New("no costs: the file is empty")
	}
	if err != nil {
		return NamedCosts{}, err
	}
	c := NamedCosts{Cost: make(Costs, len(head)-1)}
	for _, name := range head[1:] {
		c.Classes = append(c.Classes, strings.TrimSpace(name))
	}
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return NamedCosts{}, err
		}
		number, _ := lines.FieldPos(0)
		if err := c.add(fields); err != nil {
			return NamedCosts{}, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return c, c.check()
}

// add reads a line of the table.
func (c *NamedCosts) add(fields []string) error {
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
			return fmt.Errorf("cost %q of predicting %q for %q is not a number", text,
				c.Classes[j], name)
		}
		row = append(row, cost)
	}
	c.Cost[i] = row
	return nil
}

// check reports the first fault that costs have whatever the target is.
func (c *NamedCosts) check() error {
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

// String returns the costs as JSON, "" if there are none.
func (c NamedCosts) String() string {
	if len(c.Classes) == 0 && len(c.Cost) == 0 {
		return ""
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		return err.Error() // of a number that JSON does not have, and which ParseCosts refuses
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ParseCosts reads what String returned, or the file of that name.
func ParseCosts(text string) (c NamedCosts, err error) {
	if text == "" {
		return NamedCosts{}, nil
	}
	if text[0] == '{' {
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			return NamedCosts{}, err
		}
		return c, c.check()
	}
	f, err := outside.OpenFile(text)
	if err != nil {
		return NamedCosts{}, errors.Unwrap(err) // the caller names the file
	}
	defer f.Close()
	return ReadCosts(io.LimitReader(f, mostCosts))
}

// Of returns the costs by the classes of a target, nil if there are none. Each class of the target
// must have costs, and each class with costs must be one of the target's.
func (c *NamedCosts) Of(t *Target) (Costs, error) {
	if len(c.Classes) == 0 {
		return nil, nil
	}
	if !t.Task.Classes() {
		return nil, fmt.Errorf("costs do not fit a %s label", t.Task)
	}
	for _, name := range c.Classes {
		if !slices.Contains(t.Classes, name) {
			return nil, fmt.Errorf("costs: %w", param.Unknown("class", name, t.Classes))
		}
	}
	place := make([]int, len(t.Classes))
	for i, name := range t.Classes {
		if place[i] = slices.Index(c.Classes, name); place[i] < 0 {
			return nil, fmt.Errorf("costs: class %q has none", name)
		}
	}
	costs := make(Costs, len(place))
	for i, from := range place {
		for _, to := range place {
			costs[i] = append(costs[i], c.Cost[from][to])
		}
	}
	return costs, nil
}
