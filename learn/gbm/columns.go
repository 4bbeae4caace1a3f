package gbm

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/param"
)

// limits looks the named columns up. All faults are reported at once.
func (l *Learner) limits(s *data.Schema) (*table.Limits, error) {
	c := &table.Limits{}
	var faults []error
	if l.Monotone != "" {
		c.Monotone = make([]int8, len(s.Fields))
		faults = append(faults, named("monotone", l.Monotone, s, direction,
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
	if l.ColumnWeight != "" {
		c.Weight = slices.Repeat([]float64{1}, len(s.Fields))
		faults = append(faults, named("column_weight", l.ColumnWeight, s, weight,
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

// columnSets reads interactions. A column of no set gets one of its own, so nothing goes with it.
func columnSets(text string, s *data.Schema) ([][]int32, error) {
	if text == "" {
		return nil, nil
	}
	sets, err := s.ColumnGroups("interactions", text)
	if err != nil {
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

// pairs calls each for the pairs of "NAME=VALUE,...". Values follow the last '=', so names may hold
// that sign; names in quotes may hold commas too (see param.SplitList).
func pairs(text string, read func(string) (float64, error),
	each func(name string, v float64) error) error {
	seen := map[string]bool{}
	list, err := param.SplitList(text, ',')
	if err != nil {
		return err
	}
	for _, pair := range list {
		before, value, found := param.CutLastSign(pair, '=')
		if !found || before == "" {
			return fmt.Errorf("%q is not COL=VALUE", pair)
		}
		name := param.EntryName(before)
		v, err := read(strings.TrimSpace(value))
		if err == nil && seen[name] {
			err = errors.New("it is there twice")
		}
		if err != nil {
			return fmt.Errorf("column %q: %w", name, err)
		}
		seen[name] = true
		if err := each(name, v); err != nil {
			return err
		}
	}
	return nil
}

// checkNamed returns a check of the syntax of "COL=VALUE,...".
func checkNamed(read func(string) (float64, error)) func(string) error {
	return func(text string) error {
		if text == "" {
			return nil
		}
		return pairs(text, read, func(string, float64) error { return nil })
	}
}

// named calls set for the features of "COL=VALUE,...".
func named(parameter, text string, s *data.Schema, read func(string) (float64, error),
	set func(f int, v float64) error) error {
	return pairs(text, read, func(name string, v float64) error {
		f := s.Index(name)
		switch near := param.Nearest(name, s.Names()); {
		case f >= 0:
			return set(f, v)
		case near != "":
			return fmt.Errorf("%s: there is no column %q: did you mean %q?", parameter, name, near)
		}
		return fmt.Errorf("%s: there is no column %q", parameter, name)
	})
}
