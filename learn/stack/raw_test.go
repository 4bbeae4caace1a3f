package stack_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	models "github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/model"
)

// watch keeps what learners were given and what they made, by their names.
type watch struct {
	sync.Mutex
	frames map[string][]*data.Frame // that were prepared
	fits   map[string][]fitted
}

// fitted is a model and the rows that it was trained on.
type fitted struct {
	rows []int32
	model.Model
}

// resolve finds learners as the catalog does, and watches them.
func (w *watch) resolve(name string) (string, learn.Learner, error) {
	l, err := catalog.New(name)
	return name, watched{l, name, w}, err
}

type watched struct {
	learn.Learner
	name  string
	watch *watch
}

type watchedFitter struct {
	learn.Fitter
	of watched
}

func (l watched) Prepare(
	ctx context.Context, features data.Features, rows []int32, weight []float64, env learn.Env,
) (learn.Fitter, error) {
	f, err := features.InMemory()
	if err != nil {
		return nil, err
	}
	l.watch.Lock()
	l.watch.frames[l.name] = append(l.watch.frames[l.name], f)
	l.watch.Unlock()
	inner, err := l.Learner.Prepare(ctx, f, rows, weight, env)
	return watchedFitter{inner, l}, err
}

func (f watchedFitter) Fit(ctx context.Context, t *data.Target,
	job learn.Job) (model.Model, error) {
	m, err := f.Fitter.Fit(ctx, t, job)
	w := f.of.watch
	w.Lock()
	defer w.Unlock()
	w.fits[f.of.name] = append(w.fits[f.of.name], fitted{job.Rows, m})
	return m, err
}

// predictions are those of one row.
func predictions(
	t *testing.T, m model.Model, f *data.Frame, row int32, output model.Output,
) []float64 {
	t.Helper()
	_, values, err := fitting.PredictRows(m, f, []int32{row}, output, 1)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// threeClasses is a table whose label is one of three classes, all of different frequency.
func threeClasses(rows int) *data.Dataset {
	ds := table(rows, data.Regression, false)
	for _, y := range ds.Target.Y[0] {
		k := uint32(0)
		if y > 2.8 {
			k++
		}
		if y > 4.6 {
			k++
		}
		ds.Target.Class = append(ds.Target.Class, k)
	}
	ds.Target.Task, ds.Target.Y, ds.Target.Classes = data.Multiclass, nil,
		[]string{"low", "mid", "high"}
	return ds
}

// A meta-learner of outputs=raw learns from the raw scores of each class, in the order of the
// classes, of the member that was trained without the row. What is reported of the out-of-fold
// rows, and the loss on them, are of the probabilities that those scores make.
func TestRawScoresOfThreeClasses(t *testing.T) {
	const rows, classes = 90, 3
	ds := threeClasses(rows)
	for name, c := range map[string]struct {
		member   string
		settings []string
	}{
		"folds":           {"gbm", []string{"folds=3"}},
		"blend":           {"gbm", []string{"plan=blend", "blend=0.4"}},
		"folds of forest": {"forest", []string{"folds=3"}}, // its scores are probabilities already
	} {
		w := &watch{frames: map[string][]*data.Frame{}, fits: map[string][]fitted{}}
		l := stack.New(w.resolve)
		learntest.Made(t, l, append(c.settings, "members=boost:"+c.member, "members.boost.trees=8",
			"outputs=raw", "meta_learner=cart")...)
		m, predicted, found := reported(t, l, ds, learn.Job{Seed: 3})
		seen := w.frames["cart"][len(w.frames["cart"])-1]
		if got, want := strings.Join(seen.Schema.Names(), " "),
			"boost:0 boost:1 boost:2"; got != want {
			t.Fatalf("%s: the meta-learner gets %s, want %s", name, got, want)
		}
		if len(predicted) != 1 || predicted[0].Width != classes ||
			len(predicted[0].Rows) != found.HoldOut {
			t.Fatalf("%s: reported %+v where %d rows are out of fold", name, predicted, found.HoldOut)
		}
		taught := w.fits["cart"][len(w.fits["cart"])-1].rows
		if !slices.Equal(taught, predicted[0].Rows) {
			t.Fatalf("%s: the meta-learner is fitted to rows %v, and %v are out of fold",
				name, taught, predicted[0].Rows)
		}
		loss := 0.0
		for i, row := range predicted[0].Rows {
			without := slices.IndexFunc(w.fits[c.member], func(f fitted) bool {
				return !slices.Contains(f.rows, row)
			})
			if without < 0 {
				t.Fatalf("%s: no member was trained without row %d", name, row)
			}
			member := w.fits[c.member][without]
			what := fmt.Sprintf("%s, row %d", name, row)
			raw := predictions(t, member, ds.Frame, row, model.Raw)
			near(t, what+": raw scores", scores(seen, row), raw, 0)
			probabilities := predictions(t, member, ds.Frame, row, model.Response)
			near(t, what+": probabilities", predicted[0].Values[i*classes:(i+1)*classes],
				probabilities, 1e-12)
			loss -= math.Log(probabilities[ds.Target.Class[row]]) / float64(found.HoldOut)
		}
		near(t, name+": loss", []float64{*found.Members[0].Loss}, []float64{loss}, 1e-12)
		combinesRawScores(t, name, m.(*models.Stack), ds)
	}
}

// scores are the values of a row of a frame of numbers.
func scores(f *data.Frame, row int32) (values []float64) {
	for _, c := range f.Columns {
		values = append(values, c.Number(int(row)))
	}
	return values
}

// combinesRawScores checks that a stack of one member predicts what its meta-learner makes of the
// member's raw scores, a column for each class.
func combinesRawScores(t *testing.T, name string, s *models.Stack, ds *data.Dataset) {
	t.Helper()
	rows := data.AllRows(ds.Rows())
	width, raw, err := fitting.PredictRows(s.Members[0], ds.Frame, rows, model.Raw, 1)
	if err != nil {
		t.Fatal(err)
	}
	columns := make([]data.Column, width)
	for i, v := range raw {
		columns[i%width] = data.Numbers(append(columns[i%width].Numbers(), v))
	}
	f, err := data.NewFrame(s.MetaModel.Spec().Schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	_, want, err := fitting.PredictRows(s.MetaModel, f, rows, model.Response, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, name+": predictions", after(t, s, ds, 0), want, 0)
}
