package codectest_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
)

// Every model describes itself by a title and words, by a table whose rows fill its columns, and by
// as many leaves as it predicts.
func TestDescribe(t *testing.T) {
	seen := map[string]bool{}
	for i, m := range codectest.Models() {
		d := m.Describe()
		seen[d.Title] = true
		if d.Title == "" || d.Words == "" || d.String() == "" {
			t.Errorf("model %d: title %q, words %q", i, d.Title, d.Words)
		}
		if d.Table != nil {
			for _, row := range d.Table.Rows {
				if len(row) != len(d.Table.Columns) {
					t.Errorf("model %d: row %q under %v", i, row, d.Table.Columns)
				}
			}
		}
		if (d.Rules != nil) != (d.WriteRules != nil) {
			t.Errorf("model %d has rules or writes them, but not both", i)
		}
		leaves(t, i, m, d.Leaves)
		for _, c := range m.Children() {
			if c.Model == nil || c.Role == "" {
				t.Errorf("model %d: child %+v", i, c)
			}
		}
	}
	var titles []string
	for title := range seen {
		titles = append(titles, title)
	}
	slices.Sort(titles)
	if want := []string{"examples", "members", "method",
		"network", "profiles", "rules", "stack", "tree", "trees", "vectors", "weights"}; !slices.Equal(titles, want) {
		t.Errorf("models consist of %q, want %q", titles, want)
	}
}

// leaves compares names of leaves with what the model predicts as such.
func leaves(t *testing.T, i int, m model.Model, names []string) {
	t.Helper()
	p, err := m.Bind(&m.Spec().Schema, model.Options{Output: model.Leaf, Workers: 1})
	switch {
	case errors.Is(err, model.ErrNoLeaves):
		if len(names) > 0 {
			t.Errorf("model %d names leaves %q and predicts none", i, names)
		}
	case err != nil:
		t.Errorf("model %d: %v", i, err)
	case p.Width() != len(names):
		t.Errorf("model %d predicts %d leaves and names %q", i, p.Width(), names)
	}
}
