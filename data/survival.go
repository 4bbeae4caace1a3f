package data

import (
	"fmt"
	"math"
	"strings"
)

// readUpper returns the upper ends of labels that are known by two ends: a missing one is +Inf.
func readUpper(f *Frame, column int, lower []float64) ([]float64, error) {
	field, c := &f.Schema.Fields[column], &f.Columns[column]
	if field.Kind != Numeric {
		return nil, notNumeric(f, column, "upper end")
	}
	upper := make([]float64, len(lower))
	for row, v := range c.Numbers() {
		if math.IsNaN(v) {
			v = math.Inf(1)
		}
		if v < lower[row] {
			return nil, fmt.Errorf("%s: the upper end in column %q is %s, which is less than "+
				"the label, %s",
				f.Locate(row), field.Name, NumberText(v, 64), NumberText(lower[row], 64))
		}
		upper[row] = v
	}
	return upper, nil
}

// readStart returns the initial scores of each row, one for each column; nil for no columns.
func readStart(f *Frame, columns []int) ([]float64, error) {
	if len(columns) == 0 {
		return nil, nil
	}
	scores := make([]float64, f.Rows()*len(columns))
	for k, column := range columns {
		field, c := &f.Schema.Fields[column], &f.Columns[column]
		if field.Kind != Numeric {
			return nil, notNumeric(f, column, "initial score")
		}
		for row, v := range c.Numbers() {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s: the initial score in column %q is %s, want a "+
					"finite number", f.Locate(row), field.Name, NumberText(v, 64))
			}
			scores[row*len(columns)+k] = v
		}
	}
	return scores, nil
}

// readEvents returns 1 for rows whose event was observed and 0 for the others.
func readEvents(f *Frame, column int) ([]uint8, error) {
	field, c := &f.Schema.Fields[column], &f.Columns[column]
	events := make([]uint8, f.Rows())
	for row := range events {
		if f.IsMissing(row, column) {
			return nil, missingRole(f, row, field.Name, "event")
		}
		text := ""
		if field.Kind == Date {
			text = DateText(c.Number(row))
		} else if field.Kind == Numeric {
			text = NumberText(c.Number(row), 64)
		} else if code := c.code[row]; uint(code) < uint(len(field.Levels)) {
			text = field.Levels[code]
		}
		switch strings.ToLower(text) {
		case "1", "true", "yes":
			events[row] = 1
		case "0", "false", "no":
		default:
			return nil, fmt.Errorf("%s: the event in column %q is %q, want 1 where it was seen "+
				"and 0 where it was not (or true and false, yes and no)",
				f.Locate(row), field.Name, text)
		}
	}
	return events, nil
}

// survival checks the roles of times, and makes the task follow from them.
func (r *Roles) survival() error {
	switch {
	case r.Event == "" && r.Upper == "" && !r.Observed:
		return nil
	case r.Observed && (r.Event != "" || r.Upper != ""):
		return fmt.Errorf("all events were observed, or times have an event column or one of upper " +
			"ends, not both")
	case r.Event != "" && r.Upper != "":
		return fmt.Errorf("times have an event column %q or a column %q of upper ends, not both",
			r.Event, r.Upper)
	case r.Label == "":
		return fmt.Errorf("an event column or one of upper ends is given but no label column, " +
			"which holds the times")
	case r.Task == Auto:
		r.Task = Survival
	case r.Task != Survival:
		return fmt.Errorf("event columns and upper ends are for the survival task, not for %s",
			r.Task)
	}
	return nil
}
