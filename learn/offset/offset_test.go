package offset_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/offset"
	"github.com/coppice-ml/coppice/model"
)

// table has a column x of four values, an offset o, and labels by both.
func table(t *testing.T, label func(x, o, noise float64) float64) (*data.Dataset, [][3]float64) {
	t.Helper()
	r := rng.New(7, 1)
	var rows [][3]float64
	var x, o, y []float64
	for i := range 400 {
		row := [3]float64{float64(i % 4), math.Log(0.1 + 3*r.Float64()), 0}
		row[2] = label(row[0], row[1], r.Float64())
		rows = append(rows, row)
		x, o, y = append(x, row[0]), append(o, row[1]), append(y, row[2])
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "o"}, {Name: "y"}}},
		[]data.Column{data.Numbers(x), data.Numbers(o), data.Numbers(y)})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Label("y").Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds, rows
}

func learner(t *testing.T, name string, settings ...string) learn.Learner {
	t.Helper()
	l, err := catalog.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	return l
}

func train(t *testing.T, l learn.Learner, ds *data.Dataset) model.Model {
	t.Helper()
	m, err := coppice.Train(t.Context(), l, ds, coppice.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func predict(t *testing.T, m model.Model, x, o float64) []float64 {
	t.Helper()
	s := data.Schema{Fields: []data.Field{{Name: "o"}, {Name: "x"}}}
	p, err := m.Bind(&s, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, p.Width())
	if err := p.PredictRow(dst, []float64{o, x}); err != nil {
		t.Fatal(err)
	}
	return dst
}

// Counts with the log of an exposure: trees that hold each value of x apart predict its rate, sum
// of counts by sum of exposures, times the exposure. That is the maximum likelihood of the Poisson
// model with a factor (McCullagh & Nelder 1989, section 6.2).
func TestRatesOfCounts(t *testing.T) {
	ds, rows := table(t, func(x, o, noise float64) float64 {
		return math.Floor(math.Exp(o)*(1+2*x)*2*noise + 0.5)
	})
	for _, of := range []struct {
		name     string
		settings []string
	}{
		{"gbm", []string{"loss=poisson", "loss.ahead=0", "trees=60", "learning_rate=1", "l2=0",
			"min_leaf=1", "min_child_weight=0", "colsample=1"}},
		{"anyboost", []string{"loss=poisson", "rounds=60", "learning_rate=1", "base=cart", "base.prune=none"}},
	} {
		m := train(t, offset.New(learner(t, of.name, of.settings...), "o"), ds)
		for x := range 4 {
			counts, exposure := 0.0, 0.0
			for _, row := range rows {
				if row[0] == float64(x) {
					counts, exposure = counts+row[2], exposure+math.Exp(row[1])
				}
			}
			for _, o := range []float64{-2, 0, 1.5} {
				got, want := predict(t, m, float64(x), o)[0], counts/exposure*math.Exp(o)
				if math.Abs(got/want-1) > 1e-6 {
					t.Errorf("%s: x = %d, offset %v: got %v, want %v", of.name, x, o, got, want)
				}
			}
		}
		if m.Spec().Roles.Offset != "o" || m.Spec().Learner != of.name {
			t.Errorf("%s: roles %v, learner %q", of.name, m.Spec().Roles, m.Spec().Learner)
		}
	}
}

// linear explains what the offset leaves, and logistic maximises the likelihood beside it: Newton's
// method by hand, for a constant and a coefficient.
func TestLinearModels(t *testing.T) {
	ds, rows := table(t, func(x, o, noise float64) float64 { return 3 - 2*x + o + noise })
	m := train(t, offset.New(learner(t, "linear"), "o"), ds)
	a, b := newton(rows, func(score, y float64) (g, h float64) { return score - y, 1 })
	for _, x := range []float64{0, 3} {
		if got, want := predict(t, m, x, 5)[0], a+b*x+5; math.Abs(got-want) > 1e-9 {
			t.Errorf("linear at %v: got %v, want %v", x, got, want)
		}
	}

	ds, rows = table(t, func(x, o, noise float64) float64 {
		if noise < 1/(1+math.Exp(1-x-o)) {
			return 1
		}
		return 0
	})
	a, b = newton(rows, func(score, y float64) (g, h float64) {
		p := 1 / (1 + math.Exp(-score))
		return p - y, p * (1 - p)
	})
	m = train(t, offset.New(learner(t, "logistic", "l2=0"), "o"), ds)
	for _, x := range []float64{0, 3} {
		got, want := predict(t, m, x, -0.5)[1], 1/(1+math.Exp(0.5-a-b*x))
		if math.Abs(got-want) > 1e-7 {
			t.Errorf("logistic at %v: got %v, want %v", x, got, want)
		}
	}
}

// newton minimises a loss of the score a + b x + offset.
func newton(rows [][3]float64, derive func(score, y float64) (g, h float64)) (a, b float64) {
	for range 50 {
		var ga, gb, haa, hab, hbb float64
		for _, row := range rows {
			g, h := derive(a+b*row[0]+row[1], row[2])
			ga, gb = ga+g, gb+g*row[0]
			haa, hab, hbb = haa+h, hab+h*row[0], hbb+h*row[0]*row[0]
		}
		det := haa*hbb - hab*hab
		a, b = a-(hbb*ga-hab*gb)/det, b-(haa*gb-hab*ga)/det
	}
	return a, b
}

// Every learner of the catalog supports an offset, or refuses it by one clear line.
func TestEveryLearner(t *testing.T) {
	ds, _ := table(t, func(x, o, noise float64) float64 { return math.Round(noise) })
	small := map[string][]string{"gbm": {"trees=2"}, "anyboost": {"rounds=2", "base=cart"}}
	supported := map[string]bool{"gbm": true, "anyboost": true, "linear": false, "logistic": true}
	for _, e := range catalog.Table() {
		l := learner(t, e.Name, small[e.Name]...)
		with, err := catalog.Offset(e.Name, l, "o")
		want := fmt.Sprintf("%s does not use offsets: use gbm, anyboost, linear or logistic", e.Name)
		_, listed := supported[e.Name]
		if (err == nil) != listed || err != nil && err.Error() != want {
			t.Errorf("%s: got %v", e.Name, err)
		}
		if err != nil {
			continue
		}
		m, err := coppice.Train(t.Context(), with, ds)
		if (err == nil) != supported[e.Name] {
			t.Errorf("%s of two classes: %v", e.Name, err)
		}
		if err != nil {
			continue
		}
		compareStored(t, m)
		file := encoded(t, m)
		read, err := native.Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := catalog.Stored(read)
		if err != nil {
			t.Fatal(err)
		}
		second, err := coppice.Train(t.Context(), again, ds)
		if err != nil || !bytes.Equal(encoded(t, m), encoded(t, second)) {
			t.Errorf("%s: a training by what the model stores makes another one, error %v", e.Name, err)
		}
	}
}

func encoded(t *testing.T, m model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := native.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// compareStored compares a model with that of its file: an offset of 2 moves the log odds by 2.
func compareStored(t *testing.T, m model.Model) {
	t.Helper()
	file := encoded(t, m)
	read, err := native.Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []model.Model{m, read} {
		low, high := predict(t, of, 1, 0), predict(t, of, 1, 2)
		odds := func(p []float64) float64 { return math.Log(p[1] / p[0]) }
		if moved := odds(high) - odds(low); math.Abs(moved-2) > 1e-9 {
			t.Errorf("%s: the log odds moved by %v, want 2", of.Spec().Learner, moved)
		}
	}
}

func TestFaults(t *testing.T) {
	ds, _ := table(t, func(x, o, noise float64) float64 { return x + o })
	holes, _ := table(t, func(x, o, noise float64) float64 { return x + o })
	holes.Columns[1].Numbers()[3] = math.NaN()
	for _, c := range []struct {
		l    learn.Learner
		ds   *data.Dataset
		want string
	}{
		{offset.New(learner(t, "gbm"), "oo"), ds, `the table has no offset column "oo" among its features: did you mean "o"?`},
		{offset.New(learner(t, "gbm"), "o"), holes, `the offset in column "o" is missing, want a finite number`},
		{offset.New(learner(t, "gbm", "loss=quantile", "loss.quantiles=0.1,0.9"), "o"), ds,
			"an offset is one score, and loss=quantile has 2"},
		{offset.New(learner(t, "cart"), "o"), ds, "does not use offsets"},
	} {
		_, err := coppice.Train(t.Context(), c.l, c.ds)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	m := train(t, offset.New(learner(t, "gbm", "trees=2"), "o"), ds)
	p, err := m.Bind(&ds.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.PredictRow(make([]float64, 1), []float64{1, math.NaN()}); err == nil ||
		!strings.Contains(err.Error(), `column "o"`) {
		t.Errorf("a row without an offset: %v", err)
	}
	if _, err := m.Bind(&data.Schema{Fields: []data.Field{{Name: "x"}}}, model.Options{}); err == nil {
		t.Error("a table without the offset binds")
	}
}
