package metric_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
)

// some returns rows from ... to-1 of a sample.
func some(s *metric.Sample, from, to int) *metric.Sample {
	own := *s
	own.Pred = s.Pred[from*s.Width : to*s.Width]
	if s.Class != nil {
		own.Class = s.Class[from:to]
	} else {
		own.Y = s.Y[from:to]
	}
	if s.Weight != nil {
		own.Weight = s.Weight[from:to]
	}
	if s.Group != nil {
		own.Group = s.Group[from:to]
	}
	if s.Upper != nil {
		own.Upper = s.Upper[from:to]
	}
	if s.Event != nil {
		own.Event = s.Event[from:to]
	}
	return &own
}

// storage draws a limit of memory, so that many runs are merged, few, or none.
func storage(t *rapid.T, folder string) metric.Storage {
	return metric.Storage{Folder: folder, Bytes: rapid.SampledFrom([]int64{0, 1, 300, 1500, 1 << 20}).Draw(t, "memory")}
}

// streams checks that blocks of rows have the metrics of all rows, to the last bit, whatever the
// blocks and however little is kept in memory, and so do the functions of the single metrics.
func streams(t *rapid.T, task data.Task, s *metric.Sample, folder string) {
	n := s.Rows()
	want, none, err := metric.Evaluate(task, s)
	if err != nil {
		t.Fatal(err)
	}
	stream := metric.NewStream(task, n, storage(t, folder))
	defer func() {
		if err := stream.Close(); err != nil {
			t.Error(err)
		}
	}()
	for from := 0; from < n; {
		to := min(n, from+rapid.IntRange(0, 40).Draw(t, "block"))
		block := some(s, from, to)
		block.Pred, block.Y = slices.Clone(block.Pred), slices.Clone(block.Y)
		block.Weight, block.Group = slices.Clone(block.Weight), slices.Clone(block.Group)
		block.Upper, block.Event = slices.Clone(block.Upper), slices.Clone(block.Event)
		if err := stream.Add(block); err != nil {
			t.Fatal(err)
		}
		clear(block.Pred) // which the next block may use
		clear(block.Y)
		clear(block.Weight)
		clear(block.Group)
		clear(block.Upper)
		clear(block.Event)
		from = to
	}
	for range 2 { // values do not change what was added
		got, gotNone, err := stream.Values()
		if stream.Add(some(s, 0, 1)) == nil {
			t.Fatal("rows are added after the values")
		}
		if d := cmp.Diff(want, got); d != "" || err != nil || (none == nil) != (gotNone == nil) {
			t.Fatalf("%v %v, want %v\n%s", err, gotNone, none, d)
		}
	}
	if stream.Rows() != n {
		t.Fatalf("%d rows, want %d", stream.Rows(), n)
	}
	if s.Class != nil {
		if d := cmp.Diff(metric.Confusion(s), stream.Confusion()); d != "" {
			t.Fatal(d)
		}
		whole, err := metric.StreamOf(task, s)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(whole.Classes(), stream.Classes(), cmpopts.EquateNaNs()); d != "" || (stream.Classes() == nil) != (s.Width < 3) {
			t.Fatalf("classes: %s", d)
		}
	}
	for _, v := range want {
		if alone, err := metric.Of(v.Name, s); err != nil || alone != v.Value {
			t.Fatalf("%s: %v %v, want %v", v.Name, alone, err, v.Value)
		}
	}
}

func TestStreamsOfClasses(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(1, 120).Draw(t, "rows"), rapid.IntRange(2, 4).Draw(t, "classes")
		task := data.Multiclass
		if width == 2 {
			task = rapid.SampledFrom([]data.Task{data.Binary, data.Anomaly}).Draw(t, "task")
		}
		score := rapid.SampledFrom([]float64{math.Copysign(0, -1), 0, 0.1, 0.3, 0.7, 1})
		if rapid.Bool().Draw(t, "few ties") {
			score = rapid.Float64Range(0, 1)
		}
		s := &metric.Sample{Width: width, FirstPositive: rapid.Bool().Draw(t, "first positive"),
			Class: rapid.SliceOfN(rapid.Uint32Range(0, uint32(width-1)), n, n).Draw(t, "class"),
			Pred:  rapid.SliceOfN(score, n*width, n*width).Draw(t, "predictions")}
		if rapid.Bool().Draw(t, "weighted") {
			s.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.3, 1, 7, 1e-17}), n, n).Draw(t, "weights")
		}
		streams(t, task, s, folder)
	})
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// Sums of numbers overflow or vanish in some of these samples, and rows are gone over again.
func TestStreamsOfNumbers(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(1, 120).Draw(t, "rows"), rapid.IntRange(1, 2).Draw(t, "quantiles")
		unit := rapid.SampledFrom([]int{0, 0, 600, -600, 1010}).Draw(t, "unit")
		value := rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return math.Ldexp(float64(i)/16, unit) })
		s := &metric.Sample{Width: width, Y: rapid.SliceOfN(value, n, n).Draw(t, "labels"),
			Pred: rapid.SliceOfN(value, n*width, n*width).Draw(t, "predictions")}
		if width > 1 || rapid.Bool().Draw(t, "a quantile") {
			s.Quantiles = []float64{0.1, 0.7}[:width]
		}
		if rapid.Bool().Draw(t, "weighted") {
			s.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.3, 1, 7}), n, n).Draw(t, "weights")
		}
		streams(t, data.Regression, s, folder)
	})
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// Groups stand together in some of these samples, and come again later in others. Few have strange
// grades, which leave gains undefined.
func TestStreamsOfRankings(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "rows")
		grade := rapid.SampledFrom([]float64{0, 0, 1, 2, 40, 0.5})
		if rapid.IntRange(0, 9).Draw(t, "strange grades") == 0 {
			grade = rapid.SampledFrom([]float64{-1, 0, 1, 1001})
		}
		s := &metric.Sample{Width: 1, Y: rapid.SliceOfN(grade, n, n).Draw(t, "grades"), Workers: rapid.IntRange(0, 2).Draw(t, "workers"),
			Pred:  rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 0, 0.25, 3, 1e300}), n, n).Draw(t, "predictions"),
			Group: rapid.SliceOfN(rapid.SampledFrom([]int64{-1 << 62, -1, 0, 1, 5, 1 << 62}), n, n).Draw(t, "groups")}
		if rapid.Bool().Draw(t, "together") {
			for i := range s.Group {
				s.Group[i] = int64(-i / 7)
			}
		}
		if rapid.Bool().Draw(t, "weighted") {
			s.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.3, 1, 7}), n, n).Draw(t, "weights")
		}
		streams(t, data.Ranking, s, folder)
	})
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// Times of survival are known, or lie between ends, or were not reached.
func TestStreamsOfSurvival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "rows")
		time := rapid.SampledFrom([]float64{1, 2, 2.5, 3, 7})
		s := &metric.Sample{Width: 1, Y: rapid.SliceOfN(time, n, n).Draw(t, "times"),
			Pred: rapid.SliceOfN(time, n, n).Draw(t, "predictions"), Risk: rapid.Bool().Draw(t, "risk")}
		switch rapid.SampledFrom([]string{"times", "events", "ends"}).Draw(t, "kind") {
		case "events":
			s.Event = rapid.SliceOfN(rapid.Uint8Range(0, 1), n, n).Draw(t, "events")
		case "ends":
			for _, y := range s.Y {
				s.Upper = append(s.Upper, y+rapid.SampledFrom([]float64{0, 1, math.Inf(1)}).Draw(t, "longer"))
			}
		}
		if rapid.Bool().Draw(t, "weighted") {
			s.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.3, 1, 7}), n, n).Draw(t, "weights")
		}
		streams(t, data.Survival, s, "")
	})
}

// Metrics that are evaluated on request take rows in blocks, too.
func TestMetricsOnRequestOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "rows")
		value := rapid.SampledFrom([]float64{-1, 0, 0.1, 0.25, 1, 2, 3, 50})
		s := &metric.Sample{Width: 1, Y: rapid.SliceOfN(value, n, n).Draw(t, "labels"),
			Pred: rapid.SliceOfN(value, n, n).Draw(t, "predictions")}
		for _, name := range []string{"mape", "rmsle", "poisson_deviance", "gamma_deviance",
			"tweedie_deviance@1.5", "pinball@0.2"} {
			want, wantErr := metric.Of(name, s)
			got, err := metric.OfBlocks(name, some(s, 0, n/3), some(s, n/3, n))
			if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: %v %v, want %v %v", name, got, err, want, wantErr)
			}
		}
	})
}

// More rows than were announced, other classes, and what no metric can be of are errors.
func TestStreamFails(t *testing.T) {
	s := metric.NewStream(data.Binary, 3, metric.Storage{})
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

// No rows can be added once the values were computed, though fewer came than were announced.
func TestStreamEnds(t *testing.T) {
	two := &metric.Sample{Width: 2, Class: []uint32{0, 1}, Pred: []float64{1, 0, 0, 1}}
	s := metric.NewStream(data.Binary, 10, metric.Storage{})
	for range 2 {
		if err := s.Add(two); err != nil {
			t.Fatal(err)
		}
	}
	want, _, err := s.Values()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(two); err == nil || err.Error() != "rows are added after the values were computed" {
		t.Errorf("rows behind the values: %v", err)
	}
	if got, _, err := s.Values(); err != nil || !slices.Equal(got, want) || s.Rows() != 4 {
		t.Errorf("%v %v, want %v", got, err, want)
	}
}

// Blocks have what the first of them has, and an error names what one lacks or has beside it. It
// counts rows from the first block on.
func TestUnlikeBlocks(t *testing.T) {
	add := func(change func(s *metric.Sample)) error {
		s := metric.NewStream(data.Survival, 10, metric.Storage{})
		block := func() *metric.Sample {
			return &metric.Sample{Width: 1, Y: []float64{1, 2}, Pred: []float64{1, 2}}
		}
		if err := s.Add(block()); err != nil {
			t.Fatal(err)
		}
		other := block()
		change(other)
		return s.Add(other)
	}
	for want, change := range map[string]func(s *metric.Sample){
		"some rows have weights, others have none":    func(s *metric.Sample) { s.Weight = []float64{1, 1} },
		"some rows have groups, others have none":     func(s *metric.Sample) { s.Group = []int64{1, 1} },
		"some rows have upper ends, others have none": func(s *metric.Sample) { s.Upper = []float64{3, 3} },
		"some rows have events, others have none":     func(s *metric.Sample) { s.Event = []uint8{1, 1} },
		"row 3 has weight -1":                         func(s *metric.Sample) { s.Weight = []float64{-1, 1} },
		"row 4 has label +Inf":                        func(s *metric.Sample) { s.Y[1] = math.Inf(1) },
		"row 4 has prediction NaN":                    func(s *metric.Sample) { s.Pred[1] = math.NaN() },
		"row 3 has a time from 1 to 0":                func(s *metric.Sample) { s.Upper = []float64{0, 3} },
	} {
		if err := add(change); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := add(func(*metric.Sample) {}); err != nil {
		t.Error(err)
	}
	s := metric.NewStream(data.Binary, 10, metric.Storage{})
	for i, class := range []uint32{1, 2} {
		err := s.Add(&metric.Sample{Width: 2, Class: []uint32{0, class}, Pred: []float64{1, 0, 0, 1}})
		if want := "row 4 has class 2 of 2"; (i == 1) != (err != nil && err.Error() == want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A folder that no file can be made in is an error of the rows that need one, and of the values.
// Rows that memory holds need none.
func TestStreamWithoutFolder(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	for task, s := range map[data.Task]*metric.Sample{
		data.Binary:     {Width: 2, Class: make([]uint32, 100), Pred: make([]float64, 200)},
		data.Regression: {Width: 1, Y: make([]float64, 100), Pred: make([]float64, 100)},
		data.Ranking:    {Width: 1, Y: make([]float64, 100), Pred: make([]float64, 100), Group: make([]int64, 100)},
	} {
		for _, bytes := range []int64{0, 1 << 20, 100} {
			stream := metric.NewStream(task, 100, metric.Storage{Bytes: bytes, Folder: none})
			err := stream.Add(s)
			_, _, again := stream.Values()
			for _, err := range []error{err, again} {
				if refused := err != nil && strings.HasPrefix(err.Error(), "cannot make a scratch file in "+none); refused != (bytes == 100) || err != nil && !refused {
					t.Errorf("%s, %d bytes: %v", task, bytes, err)
				}
			}
			if err := stream.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
