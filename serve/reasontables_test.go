package serve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/explain"
)

// TestReasonsOfManyModels: the tables of all models together stay below one bound. Models that find
// no memory left give the same columns, and those that are replaced or removed give theirs back.
func TestReasonsOfManyModels(t *testing.T) {
	inner, _, err := formats.Open("../codec/xgboost/testdata/logistic.json", codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	budget := &reasonBudget{most: 1 << 40}
	set := NewModels()
	put := func(name string) *Model {
		m, err := NewModel(name, inner, ModelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		m.reasons.budget = budget
		set.Put(m)
		return m
	}
	reasonsOf := func(m *Model) (all []explain.Reason) {
		x, err := m.explainer()
		if err != nil {
			t.Fatal(err)
		}
		if all, err = x.Row(make([]float64, len(m.schema.Fields)), 3); err != nil || len(all) == 0 {
			t.Fatal(all, err)
		}
		if again, _ := m.explainer(); again != x && !m.reasons.retired.Load() {
			t.Error("reasons of a model that serves were made twice")
		}
		if taken := budget.taken.Load(); taken > budget.most {
			t.Errorf("%s: tables take %d bytes of %d", m.name, taken, budget.most)
		}
		return all
	}
	first := put("0")
	want := reasonsOf(first)
	one := budget.taken.Load()
	if one == 0 {
		t.Fatal("a model has no tables")
	}
	budget.most = 2*one + one/2
	for i := range 5 {
		same := slices.EqualFunc(reasonsOf(put(fmt.Sprint(i+1))), want, func(a, b explain.Reason) bool {
			return a.Column == b.Column && a.Value == b.Value && float32(a.Effect) == float32(b.Effect)
		})
		if !same {
			t.Errorf("model %d has other reasons than the first", i+1)
		}
	}
	full := budget.taken.Load()
	if full < 2*one {
		t.Errorf("two models have space, but all take %d bytes of %d", full, budget.most)
	}
	second := put("0")
	reasonsOf(first) // as a request does that has the model from before
	if now := budget.taken.Load(); now != full-one {
		t.Errorf("%d bytes are taken after a model was replaced, of %d with it", now, full)
	}
	reasonsOf(second)
	if back := set.Rollback("0"); back != first || budget.taken.Load() != full-one {
		t.Errorf("a rollback leaves %d bytes", budget.taken.Load())
	}
	reasonsOf(first)
	if now := budget.taken.Load(); now != full {
		t.Errorf("the model that is back takes %d bytes, not %d", now-full+one, one)
	}
	for _, m := range set.All() {
		set.Remove(m.name, "")
	}
	if now := budget.taken.Load(); now != 0 {
		t.Errorf("%d bytes are taken without any model", now)
	}
}
