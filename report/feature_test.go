package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/report/plot"
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
	for name, s := range map[string]plot.Side{"of rows": f.side(),
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

// Lines are cut off exactly at the ends of an axis.
func TestLinesEndWithTheAxis(t *testing.T) {
	x, y := clip([]float64{0, 10, 110, 210}, []float64{0, 10, 60, 0}, plot.Side{Low: 5, High: 60})
	if !slices.Equal(x, []float64{5, 10, 60}) || !slices.Equal(y, []float64{5, 10, 35}) {
		t.Errorf("the line is %v, %v", x, y)
	}
	x, _ = clip([]float64{-10, 100}, []float64{0, 0}, plot.Side{Low: 0, High: 10})
	if !slices.Equal(x, []float64{0, 10}) {
		t.Errorf("a line across the whole axis is %v", x)
	}
	x, _ = clip([]float64{1, 2}, []float64{3, 4}, plot.Side{})
	if len(x) != 2 {
		t.Errorf("an axis without fixed ends cuts %v", x)
	}
}
