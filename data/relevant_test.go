package data_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestRelevantRows(t *testing.T) {
	target := data.Target{Task: data.Ranking, Y: [][]float64{{0, 2, 1, 0}},
		Weight: []float64{1, 0, 1, 1}}
	for _, c := range []struct {
		rows []int32
		want bool
	}{{[]int32{0, 1, 3}, false}, {[]int32{3, 2}, true}, {nil, false}} {
		if got := target.Relevant(c.rows); got != c.want {
			t.Errorf("rows %v: %t", c.rows, got)
		}
	}
	if target.Task = data.Regression; !target.Relevant([]int32{0}) {
		t.Error("a regression has no relevant rows")
	}
}
