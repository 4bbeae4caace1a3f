package metric_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
)

// A sample of some rows of a target has their labels and all that belongs to them, in their order.
func TestSamplesOfTargets(t *testing.T) {
	target := data.Target{Y: [][]float64{{1, 2, 3, 4}}, Weight: []float64{5, 6, 7, 8}, Group: []int64{9, 8, 7, 6},
		Upper: []float64{2, 3, 4, 5}, Event: []uint8{1, 0, 0, 1}}
	s := metric.SampleOf(&target, []int32{3, 1})
	if !slices.Equal(s.Y, []float64{4, 2}) || !slices.Equal(s.Weight, []float64{8, 6}) || !slices.Equal(s.Group, []int64{6, 8}) ||
		!slices.Equal(s.Upper, []float64{5, 3}) || !slices.Equal(s.Event, []uint8{1, 0}) || s.Class != nil {
		t.Errorf("%+v", s)
	}
	s = metric.SampleOf(&data.Target{Class: []uint32{0, 1, 2}}, []int32{2, 0})
	if !slices.Equal(s.Class, []uint32{2, 0}) || s.Y != nil || s.Weight != nil || s.Group != nil {
		t.Errorf("%+v", s)
	}
}

// Each task has a main metric, which it has among its metrics, and a name that is none is an error.
func TestMainMetrics(t *testing.T) {
	for task, want := range map[data.Task]string{data.Binary: "logloss", data.Multiclass: "logloss", data.Ranking: "ndcg@10",
		data.Survival: "concordance", data.Regression: "rmse"} {
		got := metric.Main(task)
		m, ok := metric.Lookup(got)
		if got != want || !ok || !m.Fits(task) {
			t.Errorf("%s of %s, want %s", got, task, want)
		}
	}
	if _, err := metric.Of("zeal", &metric.Sample{}); err == nil || !strings.HasPrefix(err.Error(), `unknown metric "zeal": use one of `) {
		t.Errorf("error %v", err)
	}
}

// A stream knows the weights, the positive class and the queries of its rows.
func TestWhatStreamsKnow(t *testing.T) {
	of := func(task data.Task, s *metric.Sample) *metric.Stream {
		t.Helper()
		stream, err := metric.StreamOf(task, s)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := stream.Values(); err != nil {
			t.Fatal(err)
		}
		return stream
	}
	classes := of(data.Binary, &metric.Sample{Class: []uint32{0, 1}, Pred: []float64{0.5, 0.5, 0.1, 0.9}, Width: 2,
		FirstPositive: true, Weight: []float64{1, 2}})
	numbers := of(data.Regression, &metric.Sample{Y: []float64{1, 2}, Pred: []float64{1, 3}, Width: 1})
	if !classes.Weighted() || !classes.FirstPositive() || classes.Queries() != nil || classes.Rows() != 2 || numbers.Weighted() ||
		numbers.FirstPositive() || numbers.Confusion() != nil {
		t.Errorf("%v %v %v, %v %v", classes.Weighted(), classes.FirstPositive(), classes.Queries(), numbers.Weighted(), numbers.FirstPositive())
	}
	queries := of(data.Ranking, &metric.Sample{Y: []float64{1, 0, 0, 0, 2}, Pred: []float64{1, 2, 3, 4, 5}, Width: 1,
		Group: []int64{1, 1, 2, 2, 3}})
	if q := queries.Queries(); q == nil || q.All != 3 || q.Counted != 2 {
		t.Errorf("queries %+v", q)
	}
	if empty := metric.NewStream(data.Binary, 3, metric.Storage{}); empty.Weighted() || empty.FirstPositive() || empty.Rows() != 0 {
		t.Error("a stream without rows has weights or a positive class")
	}
}
