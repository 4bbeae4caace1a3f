package isolation_test

import (
	"errors"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// fit trains on all rows of a data set.
func fit(t testing.TB, l *isolation.Learner, ds *data.Dataset, job learn.Job) *model.Ensemble {
	t.Helper()
	return learntest.MustFit(t, learn.Env{}, l, ds, job).(*model.Ensemble)
}

// predict returns an output of one value for each row of a table.
func predict(t testing.TB, m model.Model, f *data.Frame, o model.Output) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{Output: o}, nil)
}

// column makes a table of one column of numbers.
func column(t testing.TB, x ...float64) *data.Dataset {
	t.Helper()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers(x)})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f}
}

// cloud returns n numbers between 0 and 1.
func cloud(n int) []float64 {
	r := rng.New(5)
	x := make([]float64, n)
	for i := range x {
		x[i] = r.Float64()
	}
	return x
}

// TestUsualPaths: c(m) is the mean depth of m rows where each split leaves 1 ... m-1 of them on its
// first side, all numbers with the same probability:
//
//	c(m) = 1 + sum over k of (k/m c(k) + (m-k)/m c(m-k)) / (m-1) = 1 + 2 / (m (m-1)) sum over k of k c(k)
func TestUsualPaths(t *testing.T) {
	const most = 300
	got := isolation.UsualPaths(most)
	if want := []float64{0, 0, 1, 5.0 / 3, 13.0 / 6, 77.0 / 30}; len(got) != most+1 ||
		!slices.EqualFunc(got[:6], want, near) {
		t.Errorf("%d lengths that begin with %v, want %v", len(got), got[:6], want)
	}
	sum := new(big.Rat) // of k c(k)
	for m := int64(2); m <= most; m++ {
		c := new(big.Rat).Mul(sum, big.NewRat(2, m*(m-1)))
		c.Add(c, big.NewRat(1, 1))
		if want, _ := c.Float64(); !near(got[m], want) {
			t.Errorf("c(%d) is %v, want %v", m, got[m], want)
		}
		sum.Add(sum, c.Mul(c, big.NewRat(m, 1)))
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-14*math.Abs(b) }

// Rows that cannot be told apart have paths as long as is usual: the score 0.5, of a single row
// too, which is no anomaly.
func TestConstant(t *testing.T) {
	nan := math.NaN()
	for name, ds := range map[string]*data.Dataset{"number": column(t, 3, 3, 3, 3, 3),
		"missing": column(t, nan, nan, nan), "one row": column(t, 7)} {
		for trees := range 120 {
			m := fit(t, &isolation.Learner{Trees: trees + 1, Subsample: 256}, ds, learn.Job{})
			labels := predict(t, m, ds.Frame, model.Label)
			for i, s := range predict(t, m, ds.Frame, model.Response) {
				if s != 0.5 || labels[i] != 0 {
					t.Errorf("%s, %d trees: row %d has score %v and label %v, want 0.5 and 0", name,
						trees+1, i, s, labels[i])
				}
			}
		}
	}
}

// A missing value is separated from known ones that are all equal.
func TestMissingBesideConstant(t *testing.T) {
	x := slices.Repeat([]float64{3}, 100)
	x[5] = math.NaN()
	ds := column(t, x...)
	s := predict(t, fit(t, isolation.New(), ds, learn.Job{}), ds.Frame, model.Response)
	if s[5] < 0.9 || s[0] > 0.5 {
		t.Errorf("the missing value has score %.3f, known ones %.3f", s[5], s[0])
	}
}

// A row far from all others, on either side and in any of several columns, has the greatest score,
// which is called an anomaly.
func TestOutlier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, columns := rapid.IntRange(10, 400).Draw(t, "rows"),
			rapid.IntRange(1, 4).Draw(t, "columns")
		seed := rapid.Uint64().Draw(t, "seed")
		r := rng.New(seed)
		cells := make([][]float64, rows)
		for i := range cells {
			for range columns {
				cells[i] = append(cells[i], r.Float64())
			}
		}
		out := rapid.IntRange(0, rows-1).Draw(t, "outlier")
		for k := range columns {
			cells[out][k] = rapid.SampledFrom([]float64{-1e3, 1e3, 1e300}).Draw(t, "value")
		}
		f, err := data.FromRows(cells, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := fitRapid(t, &isolation.Learner{Trees: 50, Subsample: rows}, &data.Dataset{Frame: f},
			learn.Job{Seed: seed})
		p, err := m.Bind(&f.Schema, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, rows)
		if err := p.Predict(scores, f, nil); err != nil {
			t.Fatal(err)
		}
		for i, s := range scores {
			if i != out && s >= scores[out] || s <= 0 || s >= 1 {
				t.Fatalf("row %d has score %v, the outlier, row %d, %v", i, s, out, scores[out])
			}
		}
		if scores[out] <= m.Meta.Decision.Threshold {
			t.Fatalf("score %v is no anomaly", scores[out])
		}
	})
}

func fitRapid(t *rapid.T, l *isolation.Learner, ds *data.Dataset, job learn.Job) *model.Ensemble {
	f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), &ds.Target, job)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble)
}

// A category that training did not meet, or met once, is more of an anomaly than frequent ones. A
// missing value is as good as any number.
func TestRareValues(t *testing.T) {
	ds := column(t, cloud(200)...)
	ds.Schema.Fields = append(ds.Schema.Fields,
		data.Field{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "once", "never"}})
	codes := make([]uint32, 200)
	for i := range codes {
		codes[i] = uint32(i % 2)
	}
	codes[9], ds.Columns[0].Numbers()[3] = 2, math.NaN()
	ds.Columns = append(ds.Columns, data.Codes(codes))
	m := fit(t, isolation.New(), ds, learn.Job{Seed: 2})
	f, err := data.NewFrame(ds.Schema,
		[]data.Column{data.Numbers([]float64{0.5, 0.5, 0.5, 0.5, 0.5, math.NaN()}),
			data.Codes([]uint32{0, 1, 2, 3, data.UnseenCode, 0})})
	if err != nil {
		t.Fatal(err)
	}
	s := predict(t, m, f, model.Response)
	for _, i := range []int{2, 3, 4} {
		if usual := max(s[0], s[1]); s[i] < usual+0.05 {
			t.Errorf("row %d has score %.3f, rows with frequent values have up to %.3f", i, s[i],
				usual)
		}
	}
	if s[5] > 0.5 {
		t.Errorf("a missing number has score %.3f", s[5])
	}
}

// Several copies of an outlier hide each other, be they repeated rows or rows of greater weight; a
// row of weight 0 is not there.
func TestMultiplicity(t *testing.T) {
	x := append(cloud(100), 50)
	ds := column(t, x...)
	rows := data.AllRows(101)
	l := isolation.New()
	one := predict(t, fit(t, l, ds, learn.Job{Rows: rows}), ds.Frame, model.Response)[100]
	for range 30 {
		rows = append(rows, 100)
	}
	l.Subsample = 64
	many := predict(t, fit(t, l, ds, learn.Job{Rows: rows}), ds.Frame, model.Response)[100]
	ds.Target.Weight = make([]float64, 101)
	for i := range x {
		ds.Target.Weight[i] = 1
	}
	ds.Target.Weight[100] = 1e9
	heavy := fit(t, l, ds, learn.Job{})
	for i, grown := range heavy.Trees {
		walk := grown.Over(ds.Columns)
		leaf := walk.LeafOf(100)
		for r := range int32(100) {
			if walk.LeafOf(r) == leaf {
				t.Fatalf("tree %d has no row that is sampled almost surely", i)
			}
		}
	}
	if one < 0.8 || many > 0.6 {
		t.Errorf("an outlier has score %.3f, %.3f if there are 31 of them", one, many)
	}
	ds.Target.Weight[100] = 0
	without := fit(t, l, ds, learn.Job{})
	ds.Target.Weight = ds.Target.Weight[:100]
	ds.Columns[0].Numbers()[100] = math.Inf(1)
	if got := fit(t, l, &data.Dataset{Frame: ds.Subset(data.AllRows(100)), Target: ds.Target},
		learn.Job{}); !reflect.DeepEqual(got.Trees, without.Trees) {
		t.Error("a row of weight 0 changes the trees")
	}
	var noRows = learn.Job{Rows: []int32{}}
	f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(t.Context(), &data.Target{}, noRows); err == nil ||
		!strings.Contains(err.Error(), "no rows") {
		t.Errorf("error %v, want that there are no rows", err)
	}
}

func TestExceeded(t *testing.T) {
	for _, c := range []struct {
		scores    []float64
		fraction  float64
		threshold float64
		above     int
	}{
		{[]float64{3, 1, 5, 2, 4}, 0.25, 4, 1},
		{[]float64{3, 1, 5, 2, 4}, 0.375, 3.5, 2},
		{[]float64{3, 1, 5, 2, 4}, 0.5, 3, 2},
		{[]float64{1, 2}, 0.25, 1.75, 1},
		{[]float64{2, 2, 2, 1}, 0.5, 2, 0},
		{[]float64{7}, 0.5, 7, 0},
	} {
		if threshold, above := isolation.Exceeded(slices.Clone(c.scores),
			c.fraction); threshold != c.threshold || above != c.above {
			t.Errorf("%v, fraction %g: %d exceed %v, want %d and %v", c.scores, c.fraction, above,
				threshold, c.above, c.threshold)
		}
	}
}

// With contamination, as many training rows as requested are labelled anomalies; scores stay
// what they were.
func TestContamination(t *testing.T) {
	ds := column(t, cloud(501)...)
	plain := fit(t, isolation.New(), ds, learn.Job{Seed: 4})
	l := isolation.New()
	l.Contamination = 0.1
	m := fit(t, l, ds, learn.Job{Seed: 4})
	s := learntest.Summary[isolation.Summary](t, m)
	labelled := 0
	for _, label := range predict(t, m, ds.Frame, model.Label) {
		labelled += int(label)
	}
	if s.Anomalies == nil || *s.Anomalies != labelled || labelled < 45 || labelled > 50 {
		t.Errorf("%d of 501 rows are labelled, the summary is %s", labelled, m.Meta.Summary)
	}
	if !slices.Equal(predict(t, m, ds.Frame, model.Response),
		predict(t, plain, ds.Frame, model.Response)) || plain.Meta.Decision.Threshold != 0.5 {
		t.Error("the threshold is part of the scores, or not 0.5 without contamination")
	}
	if strings.Contains(string(plain.Meta.Summary), "anomalies") {
		t.Errorf("the summary has anomalies that were not counted: %s", plain.Meta.Summary)
	}
}

// The cover of a leaf is the number of the tree's rows that end there.
func TestCovers(t *testing.T) {
	ds, l := column(t, cloud(50)...), isolation.New()
	l.Trees, l.Subsample = 5, 20
	for i, grown := range fit(t, l, ds, learn.Job{}).Trees {
		covers := grown.Covers()
		if covers[0] != 20 {
			t.Errorf("tree %d has %v rows, want 20", i, covers[0])
		}
		for n := range int32(grown.Len()) {
			c := grown.Child(n)
			if leaf := c < 0; leaf && covers[n] == 0 || !leaf &&
				covers[n] != covers[c]+covers[c+1] {
				t.Errorf("tree %d: node %d has %v rows, its children from %d on do not", i, n,
					covers[n], c)
			}
		}
	}
}

// An observer that has enough gets the trees so far.
func TestObserver(t *testing.T) {
	ds := column(t, cloud(50)...)
	f, err := isolation.New().Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	m, err := f.Fit(t.Context(), &data.Target{}, learn.Job{Observe: func(r learn.Round) error {
		if r.N == 10 && r.Of == 100 && r.Stage == "grow" {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || m == nil {
		t.Fatalf("model %v, error %v", m, err)
	}
	e := m.(*model.Ensemble)
	if all := fit(t, isolation.New(), ds, learn.Job{}); len(e.Trees) != 10 ||
		!reflect.DeepEqual(e.Trees, all.Trees[:10]) {
		t.Errorf("%d trees, want the first 10 of all", len(e.Trees))
	}
}

func TestParamsRefused(t *testing.T) {
	for set, want := range map[string]string{
		"trees=0": "trees", "subsample=1": "subsample", "contamination=0.51": "contamination",
		"contamination=-0.1": "contamination",
		"contamination=NaN":  "contamination", "rows=3": "unknown parameter",
	} {
		if err := isolation.New().Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %s", set, err, want)
		}
	}
	if _, err := (&isolation.Learner{}).Prepare(t.Context(), column(t, 1).Frame, nil, nil,
		learn.Env{}); err == nil {
		t.Error("a learner without parameters prepares")
	}
}
