package main

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

func TestNeighbours(t *testing.T) {
	tier.NotShort(t, "compares many rows")
	r, err := runNeighbours(t.Context(),
		neighboursSize{members: 11, splits: 2,
			tables: []neighboursTable{{"spambase", "spambase/spambase.csv", "spam", 300}}})
	if err != nil {
		t.Fatal(err)
	}
	tree, nearest := r.mean[0][0], r.mean[0][1]
	if tree[gain] < 0.01 || math.Abs(nearest[gain]) > 0.01 {
		t.Errorf("bagging gains %.3f for trees, %.3f for the nearest row: want much and "+
			"next to nothing", tree[gain], nearest[gain])
	}
	text, picture, err := render(r)
	if err != nil || !strings.Contains(text, "nearest row") ||
		strings.Contains(text+string(picture), "NaN") {
		t.Errorf("error %v, table\n%s", err, text)
	}
}
