package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/figure"
)

// One far value does not spoil an axis: it ends before the value, and a mark names it.
func TestFarValuesDoNotSpoilAxes(t *testing.T) {
	f := &feature{name: "income"}
	for i := range 300 {
		f.values = append(f.values, float64(i%50))
	}
	if s := f.side(); s.Low != s.High || s.Label != "income" {
		t.Errorf("without far values the axis is %+v", s)
	}
	f.values[7], f.values[8] = 1e6, math.NaN()
	for name, s := range map[string]figure.Side{"of rows": f.side(),
		"of a grid": f.alongGrid([]float64{0, 20, 40, 1e6})} {
		if !(s.High > 48 && s.High < 60) || s.Low != 0 || !strings.Contains(s.Label, "up to 1000000 ▸") ||
			strings.Contains(s.Label, "◂") {
			t.Errorf("the axis %s is %+v", name, s)
		}
	}
	zeros := &feature{name: "gain", values: make([]float64, 300)}
	zeros.values[3] = 1e6
	s := zeros.alongGrid([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1e6})
	if !(s.High < 20) || !strings.Contains(s.Label, "▸") {
		t.Errorf("the axis of zeros is %+v", s)
	}
}

// Lines are cut off exactly at the ends of an axis, and broken where they leave it.
func TestLinesEndWithTheAxis(t *testing.T) {
	x, y := clip([]float64{0, 10, 110, 210}, []float64{0, 10, 60, 0}, figure.Side{Low: 5, High: 60})
	if fmt.Sprint(x, y) != "[5 10 60 NaN] [5 10 35 NaN]" {
		t.Errorf("the line is %v, %v", x, y)
	}
	x, _ = clip([]float64{-10, 100}, []float64{0, 0}, figure.Side{Low: 0, High: 10})
	if fmt.Sprint(x) != "[0 10 NaN]" {
		t.Errorf("a line across the whole axis is %v", x)
	}
	x, y = clip([]float64{1, 9, 1}, []float64{0, 1, 2}, figure.Side{Low: 0, High: 5})
	if fmt.Sprint(x, y) != "[1 5 NaN 5 1] [0 0.5 NaN 1.5 2]" {
		t.Errorf("a line that comes back is %v, %v", x, y)
	}
	x, _ = clip([]float64{1, 2}, []float64{3, 4}, figure.Side{})
	if len(x) != 2 {
		t.Errorf("an axis without fixed ends cuts %v", x)
	}
}

// A few single rows far from all others do not spoil the axis of predictions, which holds the
// means.
func TestSingleRowsDoNotSpoilTheAxisOfPredictions(t *testing.T) {
	r := &dependenceReport{Outputs: []string{"price"}}
	f := &featureDependence{Mean: [][]number{{10, 14}}, Local: [][]number{{10, 15}}, values: []float64{0, 1},
		at: []float64{0, 1},
		of: &feature{name: "age", values: []float64{0, 1}}}
	for i := range 30 {
		f.Each = append(f.Each, []number{number(8 + i%5), number(9 + i%5)})
	}
	if s := r.predicted(f, "price"); s.Low < s.High {
		t.Errorf("without a far row the axis is cut: %+v", s)
	}
	f.Each[3] = []number{900, 1000}
	s := r.predicted(f, "price")
	if !(s.Low == 8 && s.High > 15 && s.High < 16) || s.Label != "price (up to 1000 ▸)" {
		t.Errorf("with a far row the axis is %+v", s)
	}
	if p := r.panel(f); !strings.Contains(p.Y.Label, "up to 1000 ▴") {
		t.Errorf("the chart's axis is called %q", p.Y.Label)
	}
}

// Bars of contributions grow to both sides of the middle.
func TestGauge(t *testing.T) {
	for _, c := range []struct {
		value number
		want  string
	}{{0.5, `<rect x="48" y="1.5" width="24" height="8" fill="#d55e00"`},
		{-1, `<rect x="0" y="1.5" width="48" height="8" fill="#0072b2"`}} {
		if got := gauge(c.value, -1, 1, 0, 0); !strings.Contains(string(got), c.want) {
			t.Errorf("the bar of %v is %s, want %s", c.value, got, c.want)
		}
	}
}
