package bag_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// TestRanksByAnyBase: a base that knows no queries predicts the relevance of rows.
func TestRanksByAnyBase(t *testing.T) {
	ds := table(t, 90)
	ds.Target = data.Target{Name: "y", Task: data.Ranking, Y: [][]float64{make([]float64, 90)},
		Group: make([]int64, 90)}
	for i := range 90 {
		ds.Target.Y[0][i] = float64(int(ds.Columns[0].Number(i)) / 5)
		ds.Target.Group[i] = int64(i / 9)
	}
	for _, base := range []string{"cart", "knn", "linear"} {
		m := mustFit(t, made(t, "base="+base, "members=3"), ds, learn.Job{})
		if m.Spec().Task != data.Ranking || m.Outputs() != 1 {
			t.Errorf("%s: %d outputs of task %s", base, m.Outputs(), m.Spec().Task)
		}
		if err := m.(interface{ Validate() error }).Validate(); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
}
