package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// figures are what --fail-if may name for a model.
func figures(s *model.Spec) []string {
	names := []string{"drifted", "missing_columns", "other_kinds", "other_scale", "rows"}
	for _, m := range metric.ForTask(s.Task) {
		names = append(names, m.Name)
	}
	seen := map[string]bool{}
	for i := range s.Schema.Fields {
		if name := s.Schema.Fields[i].Source(); !seen[name] {
			seen[name] = true
			for _, kind := range []string{"psi", "p", "missing", "new", "outside", "infinite"} {
				names = append(names, kind+"("+name+")")
			}
		}
	}
	return names
}

// value returns a figure of a report, or why it has no value.
func value(r *check.Report, figure string) (float64, error) {
	switch figure {
	case "drifted":
		return float64(r.Drifted), nil
	case "missing_columns":
		return float64(len(r.Missing)), nil
	case "other_kinds":
		return float64(len(r.Kinds)), nil
	case "other_scale":
		return float64(otherScales(r)), nil
	case "rows":
		return float64(r.Rows), nil
	}
	kind, name, of := strings.Cut(strings.TrimSuffix(figure, ")"), "(")
	if !of {
		return metricOf(r, figure)
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		if c.Name != name {
			continue
		}
		switch kind {
		case "missing":
			return c.Missing, nil
		case "new":
			return c.New, nil
		case "outside":
			return c.Outside, nil
		case "infinite":
			return c.Infinite, nil
		}
		if c.PSI == nil {
			return 0, fmt.Errorf("%s has no value: %s", figure, uncompared(c, r))
		}
		if kind == "psi" {
			return *c.PSI, nil
		}
		return *c.P, nil
	}
	return 0, fmt.Errorf("%s has no value: the table has no such column, or one of another kind",
		figure)
}

// otherScales counts the columns whose numbers are so many times those of training.
func otherScales(r *check.Report) int {
	n := 0
	for i := range r.Columns {
		if slices.ContainsFunc(r.Columns[i].Findings, func(f check.Finding) bool {
			return f.What == check.OtherScale
		}) {
			n++
		}
	}
	return n
}

// uncompared states why the distribution of a column was not compared.
func uncompared(c *check.Column, r *check.Report) string {
	switch {
	case r.Training == 0:
		return noProfile
	case c.Moves != "":
		return "it is a " + c.Moves + ", which moves by itself"
	}
	return "the column has too few values to compare, here or in training"
}

func metricOf(r *check.Report, name string) (float64, error) {
	switch {
	case r.Unevaluated != "":
		return 0, fmt.Errorf("%s has no value: %s", name, r.Unevaluated)
	case r.Evaluation == nil:
		return 0, fmt.Errorf("%s has no value: the rows of the table have no label that predictions "+
			"can be compared with", name)
	}
	if v, defined := r.Evaluation.Metrics.Get(name); defined {
		return v, nil
	}
	return 0, fmt.Errorf("%s is not defined on these rows", name)
}

// noProfile states what a model needs for a comparison.
const noProfile = "the model has no profile of its training rows: coppice profile MODEL DATA adds one"
