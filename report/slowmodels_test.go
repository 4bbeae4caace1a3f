package report

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// Models that compare a row with many stored ones are asked for fewer predictions, also as members.
func TestSlowModelsPredictFewerRows(t *testing.T) {
	spec := model.Spec{Schema: data.Schema{Fields: make([]data.Field, 10)}}
	few := &dense.Neighbours{Model: dense.Model{Meta: spec}, Y: make([]float64, 10)}
	many := &dense.Neighbours{Model: dense.Model{Meta: spec}, Y: make([]float64, 100_000)}
	both := &committee.Committee{Meta: spec, Members: []model.Model{few, many}}
	for _, c := range []struct {
		m    model.Model
		want int
	}{{few, 200_000}, {many, 40}, {both, 40}, {&committee.Committee{Meta: spec}, 2_000_000}} {
		s := &subject{model: c.m, spec: c.m.Spec()}
		if got := s.affordable(100); got != c.want {
			t.Errorf("%d rows for %d stored ones, want %d", got, stored(c.m), c.want)
		}
	}
}
