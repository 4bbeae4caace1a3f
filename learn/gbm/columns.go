package gbm

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/param"
)

// limits looks the named columns up. All faults are reported at once.
func (l *Learner) limits(s *data.Schema) (*table.Limits, error) {
	c := &table.Limits{}
	var faults []error
	if l.Monotone != nil {
		c.Monotone = make([]int8, len(s.Fields))
		faults = append(faults, named("monotone", l.Monotone, s,
			func(f int, v float64) error {
				if s.Fields[f].Kind != data.Numeric {
					return fmt.Errorf("monotone: column %q is categorical, and categories have no "+
						option.Expand("order to rise by: leave it out, or make it numeric by {numeric}"),
						s.Fields[f].Name)
				}
				c.Monotone[f] = int8(v)
				return nil
			}))
	}
	if l.ColumnWeight != nil {
		c.Weight = slices.Repeat([]float64{1}, len(s.Fields))
		faults = append(faults, named("column_weight", l.ColumnWeight, s,
			func(f int, v float64) error {
				c.Weight[f] = v
				return nil
			}))
	}
	var err error
	if c.Sets, err = columnSets(l.Interactions, s); err != nil {
		faults = append(faults, err)
	}
	return c, joinFaults(faults)
}

// columnSets returns interactions by the places of columns. A column of no set gets one of its own,
// so nothing goes with it.
func columnSets(names [][]string, s *data.Schema) ([][]int32, error) {
	sets, err := s.ColumnGroups("interactions", names)
	if sets == nil || err != nil {
		return nil, err
	}
	for f := range int32(len(s.Fields)) {
		if !slices.ContainsFunc(sets, func(set []int32) bool { return slices.Contains(set, f) }) {
			sets = append(sets, []int32{f})
		}
	}
	return sets, nil
}

// direction reads 1 or -1.
func direction(text string) (float64, error) {
	switch text {
	case "1", "+1":
		return 1, nil
	case "-1":
		return -1, nil
	}
	return 0, fmt.Errorf("%q is neither 1 nor -1", text)
}

// weight reads a finite number from 0 up.
func weight(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= math.MaxFloat64) {
		return 0, fmt.Errorf("%q is no number from 0 up", text)
	}
	return v, nil
}

// readNamed returns a function that reads "COL=VALUE,...".
func readNamed(read func(string) (float64, error)) func(string) ([]param.Named, error) {
	return func(text string) ([]param.Named, error) {
		return param.ParseNamed(text, "value", "column", read)
	}
}

// named calls set for the features of some columns.
func named(parameter string, columns []param.Named, s *data.Schema,
	set func(f int, v float64) error) error {
	for _, c := range columns {
		f := s.Index(c.Name)
		if f < 0 {
			return fmt.Errorf("%s: there is no column %q%s", parameter, c.Name,
				param.Meant(": ", c.Name, s.Names()))
		}
		if err := set(f, c.Value); err != nil {
			return err
		}
	}
	return nil
}
