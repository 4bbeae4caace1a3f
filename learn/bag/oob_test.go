package bag_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/bag"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/model"
)

// outOfBag works out, from the members and their samples, the error and the number of rows that
// were never out of the bag. rows are in ascending order; those that stand there several times
// count as often.
func outOfBag(t *testing.T, l *bag.Learner, ds *data.Dataset, members []model.Model, rows []int32,
	seed uint64) (wrong float64, never int) {
	t.Helper()
	s, err := sample.New(l.Sample, sample.Rows{N: len(rows)})
	if err != nil {
		t.Fatal(err)
	}
	votes := map[int32][]float64{}
	times := map[int32]float64{}
	for _, r := range rows {
		times[r]++
	}
	for i, m := range members {
		count := make([]uint32, len(rows))
		s.Sample(count, rng.Seed(seed, 1, uint64(i)))
		in := map[int32]bool{}
		for at, c := range count {
			in[rows[at]] = in[rows[at]] || c > 0
		}
		o := model.Options{}
		if l.Vote == bag.VoteMajority {
			o.Output = model.Label
		}
		p, err := m.Bind(&ds.Schema, o)
		if err != nil {
			t.Fatal(err)
		}
		for r := range times {
			if in[r] {
				continue
			}
			if votes[r] == nil {
				votes[r] = make([]float64, 3)
			}
			output := make([]float64, p.Width())
			if err := p.Predict(output, ds.Frame, []int32{r}); err != nil {
				t.Fatal(err)
			}
			if len(output) == 1 {
				votes[r][int(output[0])]++
				continue
			}
			for k, v := range output {
				votes[r][k] += v
			}
		}
	}
	total := 0.0
	for r, w := range times {
		if votes[r] == nil {
			never++
			continue
		}
		w *= ds.Target.WeightAt(r)
		total += w
		if model.ArgMax(votes[r]) != int(ds.Target.Class[r]) {
			wrong += w
		}
	}
	return wrong / total, never
}

func TestOutOfBag(t *testing.T) {
	ds := table(t, 150)
	weighted := table(t, 150)
	weighted.Target.Weight = make([]float64, 150)
	for i := range 150 {
		weighted.Target.Weight[i] = float64(1 + i%4)
	}
	twice := append(data.AllRows(100), data.AllRows(60)...)
	for name, c := range map[string]struct {
		ds       *data.Dataset
		rows     []int32
		settings []string
	}{
		"few members":   {ds, nil, []string{"members=3", "base=rules"}},
		"probabilities": {ds, nil, []string{"members=30", "base=rules", "columns=0.6"}},
		"votes": {ds, nil, []string{"members=30", "base=rules", "columns=0.6",
			"vote=majority"}},
		"weights":     {weighted, nil, []string{"members=9", "base=rules", "sample=subsample"}},
		"repetitions": {ds, twice, []string{"members=9", "base=rules"}},
	} {
		l := made(t, c.settings...)
		m := mustFit(t, l, c.ds, learn.Job{Rows: c.rows, Seed: 12}).(*committee.Committee)
		rows := data.AllRows(150)
		if c.rows != nil {
			rows = nil
			for r := range int32(100) {
				if rows = append(rows, r); r < 60 {
					rows = append(rows, r)
				}
			}
		}
		wrong, never := outOfBag(t, l, c.ds, m.Members, rows, 12)
		s := summary(t, m)
		if s.OutOfBag == nil || s.OutOfBag.Never != never ||
			math.Abs(*s.OutOfBag.Error-wrong) > 1e-12 || s.OutOfBag.Members != len(m.Members) {
			t.Errorf("%s: %+v, want error %g and %d rows never out", name, s.OutOfBag, wrong, never)
		}
		if last := len(s.OutOfBag.Curve.Error) - 1; s.OutOfBag.Curve.Members[last] != len(m.Members) || math.Abs(s.OutOfBag.Curve.Error[last]-wrong) > 1e-6 {
			t.Errorf("%s: the curve ends at %d members, error %g", name,
				s.OutOfBag.Curve.Members[last], s.OutOfBag.Curve.Error[last])
		}
	}
}

func TestNothingOutOfTheBag(t *testing.T) {
	ds := table(t, 40)
	if s := summary(t, mustFit(t, made(t, "members=2", "sample=none", "columns=0.5"), ds,
		learn.Job{})); s.OutOfBag != nil {
		t.Errorf("%+v", s)
	}
	_, err := fit(t.Context(), made(t, "sample=none", "early_stopping=5"), ds, learn.Job{})
	if err == nil || !strings.HasPrefix(err.Error(),
		"early_stopping needs out-of-bag rows, and every member") {
		t.Errorf("error %v", err)
	}
}

// TestReportOutOfBag: out-of-bag predictions are reported on request; the mean of a single
// member is its prediction.
func TestReportOutOfBag(t *testing.T) {
	ds := table(t, 50)
	var reported *learn.HoldOut
	m := mustFit(t, made(t, "members=1", "base=rules"), ds,
		learn.Job{Rows: data.AllRows(40), OutOfBag: func(o *learn.HoldOut) error {
			reported = o
			return nil
		}})
	if reported == nil || reported.Width != 3 || !slices.Equal(reported.Rows, data.AllRows(40)) {
		t.Fatalf("reported %+v", reported)
	}
	p, err := m.Bind(&ds.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 120)
	if err := p.Predict(want, ds.Frame, reported.Rows); err != nil {
		t.Fatal(err)
	}
	never := 0
	for i, v := range reported.Values {
		if math.IsNaN(v) {
			never++
		} else if math.Abs(v-want[i]) > 1e-11 {
			t.Errorf("row %d, class %d: %g, want %g", i/3, i%3, v, want[i])
		}
	}
	if never != 3*summary(t, m).OutOfBag.Never || never == 0 || never == 120 {
		t.Errorf("%d values of rows that were never out of the bag", never)
	}
	stop := errors.New("no")
	if m, err := fit(t.Context(), made(t, "members=1"), ds,
		learn.Job{OutOfBag: func(*learn.HoldOut) error { return stop }}); !errors.Is(err, stop) ||
		m == nil {
		t.Errorf("model %v, error %v", m, err)
	}
	for _, settings := range [][]string{{"sample=none"}, {"sample=subsample", "fraction=1"}} {
		l := made(t, settings...)
		if _, err := fit(t.Context(), l, ds,
			learn.Job{OutOfBag: func(*learn.HoldOut) error { return nil }}); err == nil ||
			l.Capabilities().NoneOut == nil {
			t.Errorf("%v: error %v and %v", settings, err, l.Capabilities().NoneOut)
		}
	}
	if err := made(t, "sample=subsample").Capabilities().NoneOut; err != nil {
		t.Error(err)
	}
}

// TestSettled: training stops where the rule is met, and the bag is then the one of so many
// members.
func TestSettled(t *testing.T) {
	ds := table(t, 150)
	settled := mustFit(t, made(t, "members=400", "base.depth=3", "early_stopping=12",
		"tolerance=0.02"), ds, learn.Job{Seed: 3, Workers: 5})
	s := summary(t, settled)
	if !s.OutOfBag.Settled || s.Members < 32 || s.Members >= 400 ||
		s.OutOfBag.Members != s.Members {
		t.Fatalf("settled %t after %d members", s.OutOfBag.Settled, s.Members)
	}
	all := mustFit(t, made(t, "members=400", "base.depth=3"), ds, learn.Job{Seed: 3})
	if summary(t, all).OutOfBag.Settled {
		t.Error("settled without being requested")
	}
	if d := cmp.Diff(leaves(t, all, ds.Frame, s.Members),
		leaves(t, settled, ds.Frame, 0)); d != "" {
		t.Error("members differ from those of the whole bag")
	}
}

func TestNumbersOutOfBag(t *testing.T) {
	ds := table(t, 200)
	y := make([]float64, 200)
	for i := range y {
		y[i] = 3 * ds.Columns[0].Number(i)
	}
	ds.Target = data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}
	s := summary(t, mustFit(t, made(t, "members=40"), ds, learn.Job{}))
	if s.OutOfBag.Error != nil || !(*s.OutOfBag.MSE > 0 && *s.OutOfBag.MSE < 10) ||
		!(*s.OutOfBag.R2 > 0.95) {
		t.Errorf("%+v", s.OutOfBag)
	}
}

// TestNoErrorOfQuantilesAndHazards: predictions that are no estimates of the label have no
// out-of-bag error, and what would need one is refused.
func TestNoErrorOfQuantilesAndHazards(t *testing.T) {
	ds := table(t, 60)
	y, seen := make([]float64, 60), make([]uint8, 60)
	for i := range y {
		y[i], seen[i] = float64(1+i%7), uint8(i%2)
	}
	for base, task := range map[string]data.Task{"base=gbm base.loss=quantile " +
		"base.loss.quantiles=0.1,0.9 base.trees=3": data.Regression, "base=cox": data.Survival} {
		ds.Target = data.Target{Name: "y", Task: task, Y: [][]float64{y}}
		if task == data.Survival {
			ds.Target.Event = seen
		}
		settings := append(strings.Fields(base), "members=4")
		if s := summary(t, mustFit(t, made(t, settings...), ds, learn.Job{})); s.OutOfBag != nil {
			t.Errorf("%s: out of bag %+v", base, s.OutOfBag)
		}
		for _, needs := range []string{"early_stopping=2", "importance=permutation"} {
			_, err := fit(t.Context(), made(t, append(settings, needs)...), ds, learn.Job{})
			if name, _, _ := strings.Cut(needs, "="); err == nil ||
				!strings.HasPrefix(err.Error(), name) ||
				!strings.Contains(err.Error(), "compares predictions with labels") {
				t.Errorf("%s %s: error %v", base, needs, err)
			}
		}
	}
}
