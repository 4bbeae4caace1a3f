package data_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
)

// stating is a table of which the file states weights and queries.
func stating(t *testing.T, labels ...float64) *data.Frame {
	n := len(labels)
	group := make([]int, n)
	weight, x := make([]float64, n), make([]float64, n)
	for i := range labels {
		group[i], weight[i], x[i] = i/2, float64(i+1), float64(i)
	}
	f := table(t, named("x", x), named("y", labels), named("query", group), named("weight", weight),
		named("other", weight))
	f.Schema.Fields[2].Role, f.Schema.Fields[3].Role = data.GroupRole, data.WeightRole
	return f
}

// What a file states are roles, unless they are overruled, and never features.
func TestStatedRoles(t *testing.T) {
	for _, c := range []struct {
		roles    data.Roles
		group    bool
		weight   string
		features []string
	}{
		{data.Roles{}, true, "weight", []string{"x", "other"}},
		{data.Roles{Weight: "other"}, true, "other", []string{"x"}},
		{data.Roles{Ignore: []string{"weight"}}, true, "", []string{"x", "other"}},
		{data.Roles{Ignore: []string{"query", "weight"}}, false, "", []string{"x", "other"}},
		{data.Roles{Weight: "query"}, false, "query", []string{"x", "other"}},
	} {
		c.roles.Label = "y"
		f := stating(t, 0, 1, 1, 0, 1, 2)
		ds := must(c.roles.Apply(f))(t)
		want := data.RoleColumns{Weight: c.weight}
		if c.group {
			want.Group = "query"
		}
		if d := cmp.Diff(want, ds.Target.Roles); d != "" || (ds.Target.Group != nil) != c.group {
			t.Errorf("%+v: %s", c.roles, d)
		}
		if !slices.Equal(ds.Schema.Names(), c.features) {
			t.Errorf("%+v: features %v", c.roles, ds.Schema.Names())
		}
		blocks := must(c.roles.ApplyBlocks(t.Context(), f))(t)
		if d := cmp.Diff(ds.Target, blocks.Target); d != "" {
			t.Errorf("%+v in blocks: %s", c.roles, d)
		}
	}
}

// Queries that a file states make the task ranking where labels are grades.
func TestStatedQueriesAreRanked(t *testing.T) {
	for _, c := range []struct {
		roles  data.Roles
		labels []float64
		want   data.Task
	}{
		{data.Roles{}, []float64{0, 1, 2, 31}, data.Ranking},
		{data.Roles{Group: "query"}, []float64{0, 1, 1, 0}, data.Ranking},
		{data.Roles{}, []float64{0, 1, 2, 32}, data.Regression},
		{data.Roles{}, []float64{0, 1, -1, 2}, data.Regression},
		{data.Roles{}, []float64{0, 1, 0.5, 2}, data.Regression},
		{data.Roles{NoRanking: true}, []float64{0, 1, 1, 0}, data.Binary},
		{data.Roles{Task: data.Regression}, []float64{0, 1, 1, 0}, data.Regression},
		{data.Roles{Ignore: []string{"query"}}, []float64{0, 1, 1, 0}, data.Binary},
		{data.Roles{Group: "other"}, []float64{0, 1, 1, 0}, data.Binary},
	} {
		c.roles.Label = "y"
		if ds := must(c.roles.Apply(stating(t, c.labels...)))(t); ds.Target.Task != c.want {
			t.Errorf("%+v, labels %v: %s, want %s", c.roles, c.labels, ds.Target.Task, c.want)
		}
	}
}

// All events are observed where the roles say so, also of a table that is read in blocks.
func TestObservedTimes(t *testing.T) {
	f := table(t, named("x", []float64{1, 2, 3}), named("t", []float64{3, 1, 2}))
	roles := data.Roles{Label: "t", Observed: true}
	ds := must(roles.Apply(f))(t)
	if ds.Target.Task != data.Survival || !slices.Equal(ds.Target.Event, []uint8{1, 1, 1}) {
		t.Errorf("%s, events %v", ds.Target.Task, ds.Target.Event)
	}
	blocks := must(roles.StreamBlocks(t.Context(), f))(t)
	for b, err := range blocks.Labeled(t.Context()) {
		if err != nil || !slices.Equal(b.Target.Event, []uint8{1, 1, 1}) {
			t.Errorf("events %v, error %v", b.Target.Event, err)
		}
	}
	roles.Event = "x"
	if _, err := roles.Apply(f); err == nil || !strings.Contains(err.Error(), "not both") {
		t.Errorf("events twice: %v", err)
	}
}

// Other weights than those of the table come from no column.
func TestOtherWeightsHaveNoColumn(t *testing.T) {
	ds := must(data.Roles{Label: "y", Weight: "weight"}.Apply(stating(t, 0, 1, 1, 0)))(t)
	own := must(ds.Weighted([]float64{1, 2, 1, 2}))(t)
	if own.Target.Roles.Weight != "" || ds.Target.Roles.Weight != "weight" {
		t.Errorf("columns %q and %q", own.Target.Roles.Weight, ds.Target.Roles.Weight)
	}
	if _, err := ds.Weighted([]float64{1, math.NaN(), 1, 2}); err == nil {
		t.Error("a missing weight is taken")
	}
}
