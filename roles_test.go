package coppice_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// A model of every learner stores the columns that had a role beside the label.
func TestEveryModelStoresRoles(t *testing.T) {
	const rows = 48
	x, w, g, y, c := make([]float64, rows), make([]float64, rows), make([]int, rows),
		make([]float64, rows), make([]string, rows)
	for i := range rows {
		x[i], w[i], g[i], y[i] = float64(i*7%rows), float64(1+i%2), i/4, float64(i*7%rows)/9.5
		c[i] = fmt.Sprint(i * 7 % rows * 2 / rows)
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x},
		data.NamedColumn{Name: "z", Values: c}, data.NamedColumn{Name: "w", Values: w},
		data.NamedColumn{Name: "g", Values: g}, data.NamedColumn{Name: "t", Values: g},
		data.NamedColumn{Name: "y", Values: y}, data.NamedColumn{Name: "c", Values: c})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range catalog.Table() {
		l := learntest.Small(entry.New())
		needs := l.Capabilities().Needs
		roles := data.Roles{Label: "y", Weight: "w", Group: "g", Time: "t", Ignore: []string{"c"}}
		if needs.Classes || needs.Unsupervised {
			roles.Label, roles.Ignore = "c", []string{"y"}
		}
		if needs.Survival {
			roles.Task = data.Survival
		}
		if needs.Categorical {
			roles.Ignore = append(roles.Ignore, "x")
		}
		ds, err := roles.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := coppice.Train(t.Context(), l, ds)
		if err != nil {
			t.Errorf("%s: %v", entry.Name, err)
			continue
		}
		sameProfile(t, entry.Name, m, ds)
		sameID(t, entry.Name, m, l, ds)
		want := data.RoleColumns{Weight: "w", Group: "g", Time: "t"}
		if d := cmp.Diff(want, m.Spec().Roles); d != "" {
			t.Errorf("%s: %s", entry.Name, d)
		}
		w := make([]float64, rows)
		for i := range w {
			w[i] = float64(1 + i%3)
		}
		if entry.Name != "cart" {
			continue
		}
		if m, err = coppice.Train(t.Context(), l, ds, coppice.Weight(w)); err != nil || m.Spec().Roles.Weight != "" {
			t.Errorf("weights of no column come from %q, %v", m.Spec().Roles.Weight, err)
		}
	}
}

// sameID compares the id of a model with that of the same training that stores other things about
// it.
func sameID(t *testing.T, learner string, m model.Model, l learn.Learner, ds *data.Dataset) {
	t.Helper()
	other, err := coppice.Train(t.Context(), l, ds, coppice.NoProfile(), coppice.Note("git", "4f2c"))
	if err != nil {
		t.Fatalf("%s: %v", learner, err)
	}
	s := other.Spec()
	if s.Profile != nil || s.Golden != nil || s.Notes == nil {
		t.Errorf("%s: the models store the same", learner)
	}
	s.Stamp = &model.Stamp{Time: "2026-02-03T04:05:06Z"}
	s.Study = &model.Study{Metric: "rmse", Folds: 5, Trials: 1}
	s.Permutation = &model.Permutation{Set: model.OfTest, Rows: 1, Metric: "rmse", Repeats: 1}
	s.Evaluations = []model.Evaluation{{Origin: model.OfTest, Rows: 1}}
	s.TrainedOn.Plan = &model.Plan{Test: 0.2, NoProfile: true}
	var ids []string
	for _, m := range []model.Model{m, other} {
		id, err := coppice.ID(m)
		if err != nil {
			t.Fatalf("%s: %v", learner, err)
		}
		ids = append(ids, id)
	}
	if ids[0] != ids[1] {
		t.Errorf("%s: ids %v of the same training", learner, ids)
	}
}
