package eval

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// numbered returns a sample of consecutive rows, in which all but the predictions is the row's
// number.
func numbered(first, rows int, weighted bool) *metric.Sample {
	s := &metric.Sample{Width: 1}
	for row := first; row < first+rows; row++ {
		s.Y, s.Pred = append(s.Y, float64(row)), append(s.Pred, float64(row*7%11))
		if weighted {
			s.Weight = append(s.Weight, float64(1+row))
		}
	}
	return s
}

// A running evaluation keeps the rows whose hashes are at most a limit, in their order. They become
// 50,000 where they would be more than 100,000.
func TestRunningKeeps(t *testing.T) {
	r := &Running{bound: &bound{spec: &model.Spec{Task: data.Regression}}, limit: math.MaxUint64}
	rows := 0
	for _, c := range []struct{ add, kept int }{
		{1, 1}, {49_999, 50_000}, {49_999, 99_999}, {1, 100_000}, {1, 50_000}, {30_000, -1}, {150_000, -1},
	} {
		r.keep(numbered(rows, c.add, true))
		rows += c.add
		var want []float64
		for i := range rows {
			if rng.Seed(0, uint64(i)) <= r.limit {
				want = append(want, float64(i))
			}
		}
		if !slices.Equal(r.kept.Y, want) || r.rows != rows || len(r.hash) != len(want) {
			t.Fatalf("%d of %d rows are kept, want those of the %d least hashes", len(r.kept.Y), rows, len(want))
		}
		if n := len(want); c.kept >= 0 && n != c.kept || n > 100_000 || n < min(rows, 50_000) {
			t.Errorf("%d of %d rows are kept", n, rows)
		}
		for i, y := range r.kept.Y {
			if r.kept.Weight[i] != 1+y || r.kept.Pred[i] != float64(int(y)*7%11) || r.hash[i] != rng.Seed(0, uint64(y)) {
				t.Fatalf("row %v has the weight %v, prediction %v and hash %d", y, r.kept.Weight[i], r.kept.Pred[i], r.hash[i])
			}
		}
	}
}

// Samples are joined in all that they have of rows.
func TestJoined(t *testing.T) {
	whole := &metric.Sample{Width: 2}
	for i := range 9 {
		x := float64(i)
		whole.Y, whole.Upper, whole.Weight = append(whole.Y, x), append(whole.Upper, x+1), append(whole.Weight, x+2)
		whole.Event, whole.Group = append(whole.Event, uint8(i%2)), append(whole.Group, int64(i+3))
		whole.Class, whole.Chosen = append(whole.Class, uint32(i+4)), append(whole.Chosen, uint32(i+5))
		whole.Pred = append(whole.Pred, x+6, x+7)
	}
	for _, cut := range []int{0, 1, 4, 9} {
		rows := data.AllRows(9)
		got := joined(joined(nil, pick(whole, rows[:cut])), pick(whole, rows[cut:]))
		if !equalRows(got, whole) {
			t.Errorf("cut at %d: %+v, want %+v", cut, got, whole)
		}
	}
}

func equalRows(a, b *metric.Sample) bool {
	return slices.Equal(a.Y, b.Y) && slices.Equal(a.Upper, b.Upper) && slices.Equal(a.Weight, b.Weight) &&
		slices.Equal(a.Event, b.Event) && slices.Equal(a.Group, b.Group) && slices.Equal(a.Class, b.Class) &&
		slices.Equal(a.Chosen, b.Chosen) && slices.Equal(a.Pred, b.Pred)
}

// A running evaluation has the metrics of all rows, and intervals about them of the deviations of
// those that are kept, which shrink by the root of their share.
func TestRunningReport(t *testing.T) {
	whole := numbered(0, 400, false)
	o := IntervalOptions{Resamples: 40, Workers: 1}
	for _, kept := range []int{400, 100} {
		r := &Running{bound: &bound{spec: &model.Spec{Task: data.Regression}}, rows: 400,
			stream: metric.NewStream(data.Regression, math.MaxInt32, metric.Storage{})}
		rows := data.AllRows(400)[400-kept:]
		r.kept = pick(whole, rows)
		for _, half := range [][]int32{data.AllRows(400)[:150], data.AllRows(400)[150:]} {
			if err := r.stream.Add(pick(whole, half)); err != nil {
				t.Fatal(err)
			}
		}
		report, got, err := r.Report(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		values, _, err := metric.Evaluate(data.Regression, whole)
		if err != nil {
			t.Fatal(err)
		}
		of, _, err := Intervals(t.Context(), data.Regression, pick(whole, rows), o)
		if err != nil || len(of) < 3 || len(got) != len(values) || report.Rows != 400 {
			t.Fatal(err, of, got, report)
		}
		scale := math.Sqrt(float64(kept) / 400)
		for i, v := range values {
			want := Interval{v.Name, v.Value, v.Value, v.Value}
			if at := slices.IndexFunc(of, func(one Interval) bool { return one.Name == v.Name }); at >= 0 {
				want.Low += scale * (of[at].Low - of[at].Value)
				want.High += scale * (of[at].High - of[at].Value)
			}
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }
			if g := got[i]; g.Name != v.Name || !near(g.Value, v.Value) || !near(g.Low, want.Low) || !near(g.High, want.High) ||
				report.Metrics[i].Name != v.Name || !near(report.Metrics[i].Value, v.Value) {
				t.Errorf("%d rows kept: %+v and %+v, want %+v", kept, g, report.Metrics[i], want)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Where no metric is defined a report says why. Rankings name those that they would have.
func TestReportOfUndefinedMetrics(t *testing.T) {
	for _, c := range []struct {
		task  data.Task
		s     *metric.Sample
		names int
	}{
		{data.Ranking, &metric.Sample{Width: 1, Y: []float64{0, 0}, Pred: []float64{1, 2}, Group: []int64{1, 1}},
			len(metric.ForTask(data.Ranking))},
		{data.Regression, &metric.Sample{Width: 1, Y: []float64{1, 2}, Pred: []float64{1, 2}, Weight: []float64{0, 0}}, 0},
	} {
		r, err := newReport(c.task, nil, c.s)
		if err != nil || r.Undefined == "" || r.Rows != 2 || len(r.Metrics) != c.names {
			t.Fatalf("%s: %+v, %v", c.task, r, err)
		}
		for i, v := range r.Metrics {
			if v.Name != metric.ForTask(c.task)[i].Name || !math.IsNaN(v.Value) {
				t.Errorf("%s: %+v", c.task, v)
			}
		}
		running := &Running{bound: &bound{spec: &model.Spec{Task: c.task}},
			stream: metric.NewStream(c.task, 2, metric.Storage{})}
		if err := running.stream.Add(c.s); err != nil {
			t.Fatal(err)
		}
		got, intervals, err := running.Report(t.Context(), IntervalOptions{})
		if err != nil || intervals != nil || got.Undefined != r.Undefined || len(got.Metrics) != c.names {
			t.Errorf("%s: %+v, %v, %v", c.task, got, intervals, err)
		}
	}
}
