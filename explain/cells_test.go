package explain

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/axes"
	"github.com/coppice-ml/coppice/model"
)

// A cell without rows gets the value of the nearest one that has some, be it of one row.
func TestCellsWithoutRows(t *testing.T) {
	for _, c := range []struct {
		ends []float64
		want float64
	}{{[]float64{0, 2, 3, 10}, 10}, {[]float64{0, 6, 7, 8}, 30}} {
		cells := newCells(1, 3)
		copy(cells.count, []float64{1, 0, 5})
		copy(cells.value, []float64{10, 0, 30})
		cells.fill(&axes.Intervals{Ends: []float64{0, 1}, Count: []float64{6}},
			&axes.Intervals{Ends: c.ends, Count: cells.count})
		if want := []float64{10, c.want, 30}; !slices.Equal(cells.value, want) {
			t.Errorf("%v: %v, want %v", c.ends, cells.value, want)
		}
	}
}

// Of cells that are as near the first one counts, by rows.
func TestCellsAsNear(t *testing.T) {
	c := newCells(3, 3)
	for place, value := range map[[2]int]float64{{0, 1}: 1, {1, 0}: 2, {1, 2}: 3, {2, 1}: 4} {
		c.count[c.at(place[0], place[1])], c.value[c.at(place[0], place[1])] = 1, value
	}
	v := &axes.Intervals{Ends: []float64{0, 1, 3, 4}, Count: []float64{1, 2, 1}}
	c.fill(v, v)
	if want := []float64{1, 1, 1, 2, 1, 3, 2, 4, 3}; !slices.Equal(c.value, want) {
		t.Errorf("%v, want %v", c.value, want)
	}
}

// Effects of pairs are sums of differences without what each column has alone, and their mean over
// the rows is 0. Each is summed anew here.
func TestEffectsOfCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		high, wide := rapid.IntRange(1, 4).Draw(t, "high"), rapid.IntRange(1, 4).Draw(t, "wide")
		c := newCells(high, wide)
		for i := range c.count {
			c.count[i] = float64(rapid.IntRange(0, 3).Draw(t, "rows"))
			c.value[i] = float64(rapid.IntRange(-4, 4).Draw(t, "difference"))
		}
		c.count[rapid.IntRange(0, len(c.count)-1).Draw(t, "a cell with rows")]++
		n := func(i, j int) float64 { return c.count[i*wide+j] }
		sum := func(i, j int) (s float64) {
			for a := range i {
				for b := range j {
					s += c.value[a*wide+b]
				}
			}
			return s
		}
		first := func(i int) (s float64) {
			for a := range i {
				rows, rise := 0.0, 0.0
				for j := range wide {
					rows += n(a, j)
					rise += n(a, j) * (sum(a+1, j) - sum(a, j) + sum(a+1, j+1) - sum(a, j+1)) / 2
				}
				if rows > 0 {
					rise /= rows
				}
				s += rise
			}
			return s
		}
		second := func(j int) (s float64) {
			for b := range j {
				rows, rise := 0.0, 0.0
				for i := range high {
					rows += n(i, b)
					rise += n(i, b) * (sum(i, b+1) - sum(i, b) + sum(i+1, b+1) - sum(i+1, b)) / 2
				}
				if rows > 0 {
					rise /= rows
				}
				s += rise
			}
			return s
		}
		effect := func(i, j int) float64 { return sum(i, j) - first(i) - second(j) }
		rows, mean := 0.0, 0.0
		for i := range high {
			for j := range wide {
				rows += n(i, j)
				mean += n(i, j) * (effect(i, j) + effect(i+1, j) + effect(i, j+1) + effect(i+1, j+1)) / 4
			}
		}
		got := c.effects()
		if len(got) != (high+1)*(wide+1) {
			t.Fatalf("%d effects at the corners of %d x %d cells", len(got), high, wide)
		}
		for i := range high + 1 {
			for j := range wide + 1 {
				if want := effect(i, j) - mean/rows; math.Abs(got[i*(wide+1)+j]-want) > 1e-9 {
					t.Errorf("corner %d, %d: %v, want %v", i, j, got[i*(wide+1)+j], want)
				}
			}
		}
	})
}

// Sums are divided by any count but 0.
func TestDivide(t *testing.T) {
	sums := []float64{6, 6, 6, 6}
	divide(sums, []float64{0, 1, 2, 3})
	if want := []float64{6, 6, 3, 2}; !slices.Equal(sums, want) {
		t.Errorf("%v, want %v", sums, want)
	}
	sums = []float64{6}
	if divide(sums, []float64{0.5}); sums[0] != 12 {
		t.Errorf("%v", sums)
	}
}

// Columns have 50 points unless options hold another number, from 2 up.
func TestPoints(t *testing.T) {
	for points, want := range map[int]int{0: 50, 1: 0, -1: 0, 2: 2, 3: 3, 100: 100} {
		got, err := (&EffectOptions{Points: points}).points()
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%d points: %d, %v", points, got, err)
		}
	}
}

// The size of an effect is its absolute value, rounded to all but its last twelve bits.
func TestSizeOfEffects(t *testing.T) {
	for _, x := range []float64{0, 1, -1, 1.0 / 3, -2.0 / 7, 1e-9, 12345.678} {
		bits := math.Float64bits(math.Abs(x))
		for off := range uint64(9000) {
			effect := math.Float64frombits(bits + off)
			got := math.Float64bits(size(-effect))
			if got%4096 != 0 || got+2048 < bits+off || got > bits+off+2048 {
				t.Fatalf("%v has the size %v", effect, size(effect))
			}
		}
	}
}

// Each row of proximities is visited once, by any number of workers.
func TestEachRowOnce(t *testing.T) {
	for _, rows := range []int{1, 31, 32, 33, 64, 100} {
		for _, workers := range []int{1, 3} {
			p := &Proximities{rows: rows, workers: workers}
			visits := make([]atomic.Int32, rows)
			if err := p.each(t.Context(), func(_ *meeting, i int32) { visits[i].Add(1) }); err != nil {
				t.Fatal(err)
			}
			for i := range visits {
				if n := visits[i].Load(); n != 1 {
					t.Errorf("row %d of %d is visited %d times by %d workers", i, rows, n, workers)
				}
			}
		}
	}
}

// Each task has the metric of permutations that is documented.
func TestMetricsOfPermutations(t *testing.T) {
	for task, want := range map[data.Task]string{data.Binary: "auc", data.Anomaly: "auc", data.Multiclass: "accuracy",
		data.Regression: "rmse", data.Ranking: "ndcg@10", data.Survival: "concordance"} {
		if got := metricFor(&model.Spec{Task: task}); got != want {
			t.Errorf("%s: %s, want %s", task, got, want)
		}
	}
	if got := metricFor(&model.Spec{Task: data.Regression, Quantiles: []float64{0.5}}); got != "pinball" {
		t.Errorf("quantiles: %s", got)
	}
}
