package eval_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// A table is evaluated by the roles that its columns had in training.
func TestEvaluateTable(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	columns := []data.NamedColumn{{Name: "x", Values: x}, {Name: "y", Values: []float64{3, 1, 4, 2, 6, 5}},
		{Name: "e", Values: []int{1, 0, 1, 1, 0, 1}}, {Name: "w", Values: []float64{1, 2, 3, 1, 2, 3}},
		{Name: "g", Values: []string{"a", "a", "a", "b", "b", "b"}}}
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		task   data.Task
		stored data.RoleColumns
		roles  data.Roles // that a flag or a person names
		needs  bool       // the table must have the column
	}{
		{data.Survival, data.RoleColumns{Event: "e"}, data.Roles{Event: "e"}, true},
		{data.Survival, data.RoleColumns{Upper: "u"}, data.Roles{Upper: "u"}, true},
		{data.Ranking, data.RoleColumns{Group: "g"}, data.Roles{Group: "g"}, true},
		{data.Regression, data.RoleColumns{Weight: "w"}, data.Roles{Weight: "w"}, false},
		{data.Regression, data.RoleColumns{Group: "g", Time: "x", Start: []string{"s"}}, data.Roles{Group: "g"}, false},
	} {
		f := f
		if c.stored.Upper != "" {
			upper := data.NamedColumn{Name: "u", Values: []float64{4, 4, 4, 4, 9, 9}}
			if f, err = data.FromColumns(append(columns, upper)...); err != nil {
				t.Fatal(err)
			}
		}
		c.roles.Label, c.roles.Task = "y", c.task
		ds, err := c.roles.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		m := rising(t, ds, map[bool]link.Link{true: link.Exp()}[c.task == data.Survival]).(*model.Ensemble)
		m.Meta.Label, m.Meta.Roles = "y", c.stored
		want, err := eval.Evaluate(t.Context(), m, ds)
		if err != nil {
			t.Fatal(err)
		}
		got, err := eval.EvaluateTable(t.Context(), m, f)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%+v: %s", c.stored, d)
		}
		var missing *model.MissingRoleError
		column := c.stored.Names()[0]
		without := f.Select(others(&f.Schema, column))
		if got, err = eval.EvaluateTable(t.Context(), m, without); errors.As(err, &missing) != c.needs {
			t.Errorf("%+v without the column: %v", c.stored, err)
		} else if !c.needs && c.stored.Weight != "" && cmp.Diff(want, got) == "" {
			t.Errorf("%+v: weights change nothing", c.stored)
		}
		if c.task != data.Survival {
			continue
		}
		c.roles.Event, c.roles.Upper = "", ""
		if ds, err = c.roles.Apply(f); err != nil {
			t.Fatal(err)
		}
		if _, err := eval.Evaluate(t.Context(), m, ds); err == nil || !strings.Contains(err.Error(), `"`+column+`"`) {
			t.Errorf("%+v: times without events: %v", c.stored, err)
		}
		c.roles.Observed = true
		if ds, err = c.roles.Apply(f); err != nil {
			t.Fatal(err)
		}
		if _, err := eval.Evaluate(t.Context(), m, ds); err != nil {
			t.Errorf("%+v: all events observed: %v", c.stored, err)
		}
	}
}

// others returns the places of all columns but one.
func others(s *data.Schema, column string) (at []int) {
	for i := range s.Fields {
		if s.Fields[i].Name != column {
			at = append(at, i)
		}
	}
	return at
}
