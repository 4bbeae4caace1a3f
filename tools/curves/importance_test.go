package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

func TestImportance(t *testing.T) {
	tier.NotShort(t, "simulates many tables")
	r, err := runImportance(t.Context(), importanceSize{replicates: 24, rows: 300, trees: 30, seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	ofImpurity := r.mean[0][:len(categories)]
	if !slices.IsSorted(ofImpurity) || ofImpurity[len(categories)-1] < 50*ofImpurity[0] {
		t.Errorf("impurity importances %.3f: want them to grow much with the number of categories",
			ofImpurity)
	}
	if of := r.mean[limited]; of[4] >= of[3] || of[7] > ofImpurity[7]/3 {
		t.Errorf("impurity importances %.3f where sets are looked for in columns of up to 32 "+
			"categories: want 50 to matter less than 20", of)
	}
	for k, kind := range kinds[1:limited] {
		for c, mean := range r.mean[k+1] {
			if half := r.half[k+1][c]; mean < -1.7*half || mean > 1.7*half { // 3.3 standard errors
				t.Errorf("%s importance of %s is %.5f +- %.5f, want 0", kind, noiseName(c), mean, half)
			}
		}
	}
	if r.found[0] > 0 || r.found[2] < 0.1 {
		t.Errorf("the informative column is found in fractions of %.2f of the tables", r.found)
	}
	importanceTable, picture, err := render(r)
	if err != nil || !strings.Contains(importanceTable, "500 categories") ||
		strings.Contains(importanceTable+string(picture), "NaN") {
		t.Errorf("error %v, table\n%s", err, importanceTable)
	}
}

func TestMostImportant(t *testing.T) {
	if got := mostImportant([]float64{-1, 3, 0, 3}); got != 1 {
		t.Errorf("column %d", got)
	}
}
