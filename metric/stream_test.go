package metric_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
)

// some returns rows from ... to-1 of a sample of classes.
func some(s *metric.Sample, from, to int) *metric.Sample {
	own := *s
	own.Class, own.Pred = s.Class[from:to], s.Pred[from*s.Width:to*s.Width]
	if s.Weight != nil {
		own.Weight = s.Weight[from:to]
	}
	return &own
}

// Blocks of rows have the metrics of all rows, to the last bit, whatever the blocks, and so do the
// functions of the single metrics.
func TestStreamsAreAsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(1, 60).Draw(t, "rows"), rapid.IntRange(2, 4).Draw(t, "classes")
		task := data.Multiclass
		if width == 2 {
			task = rapid.SampledFrom([]data.Task{data.Binary, data.Anomaly}).Draw(t, "task")
		}
		s := &metric.Sample{Width: width, FirstPositive: rapid.Bool().Draw(t, "first positive"),
			Class: rapid.SliceOfN(rapid.Uint32Range(0, uint32(width-1)), n, n).Draw(t, "class"),
			Pred:  rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.1, 0.3, 0.7, 1}), n*width, n*width).Draw(t, "predictions")}
		if rapid.Bool().Draw(t, "weighted") {
			s.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.3, 1, 7}), n, n).Draw(t, "weights")
		}
		want, none, err := metric.Evaluate(task, s)
		if err != nil {
			t.Fatal(err)
		}
		stream, ok := metric.NewStream(task, n)
		if !ok {
			t.Fatalf("%s is not streamed", task)
		}
		for from := 0; from < n; {
			to := min(n, from+rapid.IntRange(0, 20).Draw(t, "block"))
			if err := stream.Add(some(s, from, to)); err != nil {
				t.Fatal(err)
			}
			from = to
		}
		for range 2 { // values do not change what was added
			got, gotNone, err := stream.Values()
			if d := cmp.Diff(want, got); d != "" || err != nil || (none == nil) != (gotNone == nil) {
				t.Fatalf("%v %v, want %v\n%s", err, gotNone, none, d)
			}
		}
		if d := cmp.Diff(metric.Confusion(s), stream.Confusion()); d != "" || stream.Rows() != n {
			t.Fatal(d)
		}
		for _, v := range want {
			m, _ := metric.Lookup(v.Name)
			if alone, err := m.Func(s); err != nil || alone != v.Value {
				t.Fatalf("%s: %v %v, want %v", v.Name, alone, err, v.Value)
			}
		}
	})
}

// More rows than were announced, other classes, and what no metric can be of are errors.
func TestStreamFails(t *testing.T) {
	if _, ok := metric.NewStream(data.Regression, 3); ok {
		t.Error("numbers are streamed")
	}
	s, _ := metric.NewStream(data.Binary, 3)
	if _, _, err := s.Values(); err == nil {
		t.Error("no rows are evaluated")
	}
	two := &metric.Sample{Width: 2, Class: []uint32{0, 1}, Pred: []float64{1, 0, 0, 1}}
	if err := s.Add(two); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(two); err == nil {
		t.Error("4 rows of 3 are taken")
	}
	if err := s.Add(&metric.Sample{Width: 3, Class: []uint32{0}, Pred: []float64{1, 0, 0}}); err == nil {
		t.Error("other classes are taken")
	}
	if err := s.Add(&metric.Sample{Width: 2, Class: []uint32{2}, Pred: []float64{1, 0}}); err == nil {
		t.Error("a class of none is taken")
	}
}
