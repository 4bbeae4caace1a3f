package fitting_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// rote is a learner that memorises: its model predicts 1 of the rows that were in Prepare or Fit,
// else 0. It also splits its rows by the plan that it is given, and predicts 2 of all rows where a
// group is torn.
type rote struct{ fail error }

func (r rote) Params() param.Set { return nil }

func (rote) Capabilities() learn.Capabilities { return learn.Capabilities{} }

func (r rote) Prepare(
	_ context.Context, f data.Features, rows []int32, _ []float64, _ learn.Env,
) (learn.Fitter, error) {
	return &roteModel{meta: model.Spec{Schema: f.Outline().Schema, Task: data.Regression},
		seen: slices.Clone(rows), fail: r.fail}, nil
}

// roteModel is the fitter and its model.
type roteModel struct {
	meta model.Spec
	seen []int32
	torn bool
	fail error
}

func (r *roteModel) Fit(_ context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	m := *r
	m.seen = append(slices.Clone(m.seen), job.Rows...)
	if within := job.Plan.For(t, job.Rows, 3, job.Seed); within != nil {
		folds, err := within.Folds(t, job.Rows)
		if err != nil {
			return nil, err
		}
		for _, f := range folds {
			for _, row := range f.Train {
				m.torn = m.torn || slices.ContainsFunc(f.Test,
					func(r int32) bool { return t.Group[r] == t.Group[row] })
			}
		}
	}
	return &m, r.fail
}

func (r *roteModel) Spec() *model.Spec { return &r.meta }
func (r *roteModel) Outputs() int      { return 1 }

func (*roteModel) Describe() model.Description { return model.Description{} }

func (*roteModel) Children() []model.Child { return nil }

func (r *roteModel) Width() int { return 1 }

func (r *roteModel) Bind(*data.Schema, model.Options) (model.Predictor, error) { return r, nil }

func (r *roteModel) PredictSparse([]float64, []int32, []float64) error {
	return errors.New("not called")
}

func (r *roteModel) PredictRow(dst, row []float64) error { return errors.New("not called") }

func (r *roteModel) Predict(dst []float64, _ *data.Frame, rows []int32) error {
	for i, row := range rows {
		switch {
		case r.torn:
			dst[i] = 2
		case slices.Contains(r.seen, row):
			dst[i] = 1
		default:
			dst[i] = 0
		}
	}
	return nil
}

// groupsOfTwo is a frame and a target of n rows, two a group, in order of time.
func groupsOfTwo(n int) (*data.Frame, *data.Target) {
	x, t := make([]float64, n), &data.Target{Task: data.Regression,
		Y: [][]float64{make([]float64, n)}}
	for i := range n {
		t.Group, t.Time = append(t.Group, int64(i/2)), append(t.Time, int64(i/3))
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}}, []data.Column{data.Numbers(x)})
	if err != nil {
		panic(err)
	}
	return f, t
}

// No model predicts a row that it was trained on, by any plan and with any repeated rows. Plans
// within a fold keep groups.
func TestOutOfFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(t, "n")
		f, target := groupsOfTwo(n)
		rows := rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 2, 2*n).Draw(t, "rows")
		kind := rapid.SampledFrom([]split.Kind{split.Random, split.Grouped, split.ByTime,
			split.LeaveOneOut}).Draw(t, "kind")
		plan := &split.Plan{Kind: kind, K: rapid.IntRange(2, 4).Draw(t, "k")}
		folds, err := plan.Folds(target, rows)
		if err != nil {
			return
		}
		reported := 0
		all, err := fitting.OutOfFold(context.Background(), rote{}, f, target, folds,
			learn.Job{Plan: plan, Workers: rapid.IntRange(1, 3).Draw(t, "workers"),
				Observe: func(r learn.Round) error { reported++; return nil }}, learn.Env{},
			model.Response)
		if err != nil {
			t.Fatal(err)
		}
		got := all[0]
		var want []int32
		for _, fold := range folds {
			want = append(want, fold.Test...)
		}
		if diff := cmp.Diff(data.Distinct(want), got.Rows); diff != "" || got.Width != 1 ||
			reported != len(folds) {
			t.Fatalf("width %d, %d folds reported, rows %s", got.Width, reported, diff)
		}
		for i, v := range got.Values {
			if v == 1 || v == 2 && kind != split.Random && kind != split.ByTime {
				t.Fatalf("row %d: %g", got.Rows[i], v)
			}
		}
	})
}

func TestOutOfFoldRefuses(t *testing.T) {
	f, target := groupsOfTwo(6)
	fold := split.Fold{Train: []int32{0, 1}, Test: []int32{2, 3}}
	bad := errors.New("bad rows")
	for want, c := range map[string]struct {
		l     learn.Learner
		folds []split.Fold
	}{
		"there are no folds":               {rote{}, nil},
		"row 2 is tested in folds 1 and 2": {rote{}, []split.Fold{fold, fold}},
		"fold 1 of 1: bad rows":            {rote{fail: bad}, []split.Fold{fold}},
	} {
		if _, err := fitting.OutOfFold(context.Background(), c.l, f, target, c.folds, learn.Job{},
			learn.Env{}, model.Response); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	stop := errors.New("enough")
	_, err := fitting.OutOfFold(context.Background(), rote{}, f, target, []split.Fold{fold},
		learn.Job{Observe: func(learn.Round) error { return stop }}, learn.Env{}, model.Response)
	if !errors.Is(err, stop) {
		t.Errorf("error %v, want the observer's", err)
	}
}

func TestOutOfFoldPlacesRows(t *testing.T) {
	f, target := groupsOfTwo(6)
	folds := []split.Fold{{Train: []int32{1}, Test: []int32{5, 5}},
		{Train: []int32{2}, Test: []int32{0, 3}}}
	all, err := fitting.OutOfFold(context.Background(), placed{}, f, target, folds, learn.Job{},
		learn.Env{}, model.Response)
	if err != nil {
		t.Fatal(err)
	}
	got := all[0]
	want := &learn.HoldOut{Rows: []int32{0, 3, 5}, Width: 2, Values: []float64{0, 2, 3, 2, 5, 1}}
	if diff := cmp.Diff(want, got); diff != "" || math.IsNaN(got.Values[0]) {
		t.Error(diff)
	}
}

// placed is a learner whose model predicts of a row its number, and the first row that the model
// was trained on.
type placed struct{ rote }

func (placed) Capabilities() learn.Capabilities { return learn.Capabilities{} }

func (placed) Prepare(
	_ context.Context, f data.Features, rows []int32, _ []float64, _ learn.Env,
) (learn.Fitter, error) {
	return placedModel{roteModel{seen: rows}}, nil
}

type placedModel struct{ roteModel }

func (p placedModel) Fit(context.Context, *data.Target, learn.Job) (model.Model, error) {
	return &p, nil
}
func (p *placedModel) Width() int { return 2 }

func (p *placedModel) Bind(*data.Schema, model.Options) (model.Predictor, error) { return p, nil }

func (p *placedModel) Predict(dst []float64, _ *data.Frame, rows []int32) error {
	for i, row := range rows {
		dst[2*i], dst[2*i+1] = float64(row), float64(p.seen[0])
	}
	return nil
}
