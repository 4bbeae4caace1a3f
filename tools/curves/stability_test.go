package main

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

func TestStability(t *testing.T) {
	tier.NotShort(t, "simulates many tables")
	bases := append(trees(3, 20), bagBase{name: "forest", learner: "forest",
		settings: []string{"trees=30"}})
	r, err := runStability(t.Context(), stabilitySize{bases: bases, members: 15, splits: 3, rows: 600})
	if err != nil {
		t.Fatal(err)
	}
	deep, forest := r.mean[1], r.mean[2]
	if forest[gain] > 0.01 || deep[gain] < 0.02 {
		t.Errorf("bagging gains %.3f for forests, %.3f for deep trees: want next to "+
			"nothing and much", forest[gain], deep[gain])
	}
	if forest[disagree] > deep[disagree]/2 {
		t.Errorf("members disagree on %.3f of the rows if they are forests, %.3f if deep trees",
			forest[disagree], deep[disagree])
	}
	for i, m := range r.mean {
		if d := m[single] - m[bagged] - m[gain]; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: the gain %g is not %g - %g", bases[i].name, m[gain], m[single], m[bagged])
		}
	}
	table, picture, err := render(r)
	if err != nil || !strings.Contains(table, "tree of depth 20") ||
		strings.Contains(table+string(picture), "NaN") {
		t.Errorf("error %v, table\n%s", err, table)
	}
}
