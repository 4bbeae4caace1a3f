package main

import (
	"strings"
	"testing"
)

func TestLeaves(t *testing.T) {
	r, err := runLeaves(t.Context(), leavesSize{leaves: []int{2, 20, 400}, trees: 30, splits: 3, rows: 800})
	if err != nil {
		t.Fatal(err)
	}
	few, some, many := 0, 1, 2
	for _, m := range []int{treeTraining, forestTraining} {
		if e := r.mean[m]; e[few] <= e[some] || e[some] <= e[many] || e[many] > 0.01 {
			t.Errorf("training errors %.3f with 2, 20, 400 leaves: want them to fall to "+
				"nearly nothing", e)
		}
	}
	if e := r.mean[treeTest]; e[some] >= e[few] || e[many] <= e[some] {
		t.Errorf("test errors of trees %.3f with 2, 20, 400 leaves: want the second to be least", e)
	}
	if e := r.mean[forestTest]; e[some] >= e[few] || e[many] >= e[some] {
		t.Errorf("test errors of forests %.3f with 2, 20, 400 leaves: want them to fall", e)
	}
	table, picture, err := render(r)
	if err != nil || !strings.Contains(table, "leaves") ||
		strings.Contains(table+string(picture), "NaN") {
		t.Errorf("error %v, table\n%s", err, table)
	}
}
