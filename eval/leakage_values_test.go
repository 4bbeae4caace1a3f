package eval_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// scripted is a learner that reports given predictions of hold-out rows, and keeps its fits.
type scripted struct {
	learn.Learner
	report func(fit int, t *data.Target) *learn.HoldOut // nil = nothing is reported in this fit
	fits   []scriptedFit
}

type scriptedFit struct {
	target   *data.Target
	rows     []int32 // that were trained on
	reported *learn.HoldOut
	model.Model
}

type scriptedFitter struct {
	learn.Fitter
	of *scripted
}

// ofScripted is the name of the estimate on the rows of which scripted reports.
const ofScripted = "hold-out rows, words"

func newScripted(t *testing.T, report func(fit int, t *data.Target) *learn.HoldOut) *scripted {
	t.Helper()
	l, err := catalog.New("cart")
	if err != nil {
		t.Fatal(err)
	}
	return &scripted{Learner: l, report: report}
}

func (l *scripted) Prepare(
	ctx context.Context, f data.Features, rows []int32, weight []float64, env learn.Env,
) (learn.Fitter, error) {
	inner, err := l.Learner.Prepare(ctx, f, rows, weight, env)
	return scriptedFitter{inner, l}, err
}

func (f scriptedFitter) Fit(
	ctx context.Context, t *data.Target, job learn.Job,
) (model.Model, error) {
	reported := f.of.report(len(f.of.fits), t)
	if reported != nil {
		if err := job.HoldOut("words", reported); err != nil {
			return nil, err
		}
	}
	job.HoldOut = nil
	m, err := f.Fitter.Fit(ctx, t, job)
	f.of.fits = append(f.of.fits, scriptedFit{t, job.Rows, reported, m})
	return m, err
}

// estimate returns the estimate of some rows.
func estimate(t *testing.T, a *eval.LeakageCheck, of string) eval.Estimate {
	t.Helper()
	i := slices.IndexFunc(a.Estimates, func(e eval.Estimate) bool { return e.Of == of })
	if i < 0 {
		t.Fatalf("no estimate of %s in %+v", of, a.Estimates)
	}
	return a.Estimates[i]
}

// pairs is the AUC by its definition: the fraction, by weight, of the pairs of a row of class k and
// one of another class where the first has the greater value; ties count half. NaN: no pairs.
func pairs(t *data.Target, rows []int32, k, width int, values []float64) float64 {
	right, all := 0.0, 0.0
	for i, a := range rows {
		for j, b := range rows {
			if int(t.Class[a]) != k || int(t.Class[b]) == k {
				continue
			}
			w := t.WeightAt(a) * t.WeightAt(b)
			all += w
			switch va, vb := values[i*width+k], values[j*width+k]; {
			case va > vb:
				right += w
			case va == vb:
				right += w / 2
			}
		}
	}
	return right / all
}

// meanOfClasses is the mean of pairs over the classes where there are any; of two classes that of
// the second alone. Without any pair it is a half.
func meanOfClasses(t *data.Target, rows []int32, values []float64) float64 {
	width := len(t.Classes)
	sum, n := 0.0, 0.0
	for k := range width {
		if v := pairs(t, rows, k, width, values); !math.IsNaN(v) && (width > 2 || k == 1) {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return 0.5
	}
	return sum / n
}

// ofClasses is a table with rows of some classes, the first the most frequent, and weights.
func ofClasses(t *testing.T, rows, classes int) *data.Dataset {
	t.Helper()
	ds := leakageTable(t, rows, 1, data.Regression)
	r := rng.New(7, uint64(classes))
	y := ds.Target.Y[0]
	ds.Target.Task, ds.Target.Y = data.Binary, nil
	if classes > 2 {
		ds.Target.Task = data.Multiclass
	}
	for k := range classes {
		ds.Target.Classes = append(ds.Target.Classes, fmt.Sprint("class ", k))
	}
	for i := range rows {
		ds.Target.Class = append(ds.Target.Class,
			uint32(min(int(y[i]), r.Intn(classes), classes-1)))
		ds.Target.Weight = append(ds.Target.Weight, float64(1+r.Intn(3)))
	}
	for k := range classes {
		ds.Target.Class[k] = uint32(k)
	}
	return ds
}

// A leakage check of classes evaluates each class against all others, by weight, and takes the mean
// over the classes that are there: of the hold-out rows, and of the model's test rows.
func TestLeakageOfEachClass(t *testing.T) {
	const shuffles = 6
	for _, classes := range []int{2, 3, 5} {
		ds := ofClasses(t, 60, classes)
		r := rng.New(11, uint64(classes))
		l := newScripted(t, func(fit int, own *data.Target) *learn.HoldOut {
			h := &learn.HoldOut{Width: classes}
			for row, class := range own.Class {
				// The second class is absent in the second fit, and all but the first in the third.
				if fit == 1 && class == 1 || fit == 2 && class > 0 {
					continue
				}
				h.Rows = append(h.Rows, int32(row))
				for k := range classes {
					v := float64(r.Intn(6)) / 8 // with ties
					if int(class) == k {
						// classes of higher numbers are predicted better
						v += float64(k+1) / 8
					}
					h.Values = append(h.Values, v)
				}
			}
			return h
		})
		o := eval.Options{Env: catalog.Env(1), Workers: 1}
		a, err := eval.CheckLeakage(t.Context(), l, ds, &split.Plan{K: 3}, shuffles, o)
		if err != nil {
			t.Fatal(err)
		}
		reported := estimate(t, a, ofScripted)
		tested := estimate(t, a, "test rows of the folds")
		if a.Metric != "auc" || a.Chance != 0.5 ||
			len(reported.Values) != shuffles || len(tested.Values) != shuffles {
			t.Fatalf("%d classes: %+v", classes, a)
		}
		for i, fit := range l.fits {
			want := meanOfClasses(fit.target, fit.reported.Rows, fit.reported.Values)
			if got := reported.Values[i]; math.Abs(got-want) > 1e-12 {
				t.Errorf("%d classes, shuffle %d: %g of hold-out rows, want %g", classes,
					i, got, want)
			}
			test := slices.DeleteFunc(data.AllRows(ds.Rows()), func(row int32) bool {
				return slices.Contains(fit.rows, row)
			})
			values := modeltest.Predict(t, fit.Model, ds.Frame, model.Options{Workers: 1}, test)
			want = meanOfClasses(fit.target, test, values)
			if got := tested.Values[i]; math.Abs(got-want) > 1e-12 {
				t.Errorf("%d classes, shuffle %d: %g of test rows, want %g", classes, i, got, want)
			}
		}
		if reported.Values[2] != 0.5 {
			t.Errorf("%d classes: %g of rows of one class, want chance", classes,
				reported.Values[2])
		}
	}
}

// Predictions that are not one for each class are refused.
func TestLeakageRefusesOtherWidths(t *testing.T) {
	l := newScripted(t, func(int, *data.Target) *learn.HoldOut {
		return &learn.HoldOut{Rows: []int32{0, 1}, Width: 2, Values: []float64{0, 1, 1, 0}}
	})
	o := eval.Options{Env: catalog.Env(1)}
	_, err := eval.CheckLeakage(t.Context(), l, ofClasses(t, 30, 3), &split.Plan{K: 3}, 2, o)
	want := "shuffle 1 of 2: hold-out rows, words: 2 values for 3 classes"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Of several values of a row, as of quantiles, the first one is compared with a label of numbers.
func TestLeakageOfTheFirstValue(t *testing.T) {
	rows := []int32{3, 8, 1, 12, 7}
	l := newScripted(t, func(_ int, y *data.Target) *learn.HoldOut {
		h := &learn.HoldOut{Rows: rows, Width: 2}
		for i, r := range rows {
			h.Values = append(h.Values, 2*y.Y[0][r]+1, float64(i*i%3))
		}
		return h
	})
	ds := ofClasses(t, 30, 2)
	y := make([]float64, 30)
	for i := range y {
		y[i] = float64(i * 7 % 11)
	}
	ds.Target = data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}
	a, err := eval.CheckLeakage(t.Context(), l, ds, &split.Plan{K: 3}, 3, eval.Options{Env: catalog.Env(1)})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range estimate(t, a, ofScripted).Values {
		if math.Abs(v-1) > 1e-12 {
			t.Errorf("shuffle %d: a correlation of %v, want 1", i, v)
		}
	}
}
