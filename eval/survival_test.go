package eval_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// rising makes a model of a task whose scores rise with the column x.
func rising(t *testing.T, ds *data.Dataset, l link.Link) model.Model {
	t.Helper()
	m := scores(t, ds, 0.5).(*model.Ensemble)
	m.Link, m.Meta.Task, m.Meta.Classes, m.Meta.Decision = l, ds.Target.Task, nil, model.Decision{}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

func together(m model.Model) model.Model {
	return &committee.Committee{Members: []model.Model{m, m}, Meta: *m.Spec()}
}

// Hazards that rise are times that fall.
func TestEvaluateTimes(t *testing.T) {
	ds := dataset(t, 4, data.Target{Task: data.Survival, Y: [][]float64{{1, 3, 2, 2}},
		Event: []uint8{1, 1, 1, 0}})
	for _, c := range []struct {
		link link.Link
		want float64
	}{{link.Exp(), 4.0 / 5}, {link.Hazard(), 1.0 / 5}} {
		one := rising(t, ds, c.link)
		for _, m := range []model.Model{one, together(one)} {
			r, err := eval.EvaluateRows(t.Context(), m, ds, nil, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			expect(t, r.Metrics, map[string]float64{"concordance": c.want})
		}
	}
}

func TestEvaluateRanks(t *testing.T) {
	ds := dataset(t, 6, data.Target{Task: data.Ranking, Y: [][]float64{{1, 0, 0, 2, 0, 0}},
		Group: []int64{7, 8, 7, 8, 7, 8}})
	r, err := eval.EvaluateRows(t.Context(), rising(t, ds, nil), ds, []int32{0, 1, 2, 3, 5},
		model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ndcg := 0.6309297535714575 // one relevant row on the second place
	expect(t, r.Metrics, map[string]float64{"ndcg@10": ndcg, "map@10": 0.5, "mrr": 0.5})
}
