package plot_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/report/plot"
)

// figure has both kinds of axes, all styles, and a point that is left out.
func figure() *plot.Figure {
	nan := math.NaN()
	return &plot.Figure{Title: "Powers of two", Subtitle: "over their exponents",
		Notes: []string{"A note."}, Charts: []plot.Chart{
			{X: plot.Scale{Label: "exponent", Zero: true}, Y: plot.Scale{Label: "power", Log: true},
				Curves: []plot.Curve{
					{Name: "powers", X: []float64{0, 1, 2, 3, 4}, Y: []float64{1, 2, 4, nan, 16}, Style: plot.LineMarks},
					{Name: "straight", X: []float64{0, 4}, Y: []float64{1, 16}, Style: plot.Dashes, Colour: 1},
				}},
			{X: plot.Scale{Label: "power", Log: true}, Y: plot.Scale{Label: "exponent"},
				Curves: []plot.Curve{
					{Name: "exponents", X: []float64{1, 2, 4, 20000}, Y: []float64{0, 1, 2, 14}, Bar: []float64{0, 0.5, 1, 1.5}, Style: plot.Marks, Colour: 2},
					{Name: "rows", X: []float64{10, 10, 100}, Y: []float64{3, 5, 6}, Style: plot.Points},
					{X: []float64{1, 20000}, Y: []float64{0, 14}},
				}},
		}}
}

func TestFigureGolden(t *testing.T) {
	var b bytes.Buffer
	if err := figure().Write(&b); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.Bytes())
	file := filepath.Join("testdata", "figure.svg")
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"),
		strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("%s differs (run with -update if that is meant): -want +got\n%s", file, diff)
	}
	if err := figure().Write(&fullDisk{100}); !errors.Is(err, errFull) {
		t.Errorf("a figure on a full disk: %v", err)
	}
}

func TestFigureTexts(t *testing.T) {
	var b bytes.Buffer
	if err := figure().Write(&b); err != nil {
		t.Fatal(err)
	}
	// the second chart has too many counts to be written side by side
	for text, want := range map[string]int{">Powers of two<": 2, ">powers<": 1, ">straight<": 1,
		">exponents<": 1, ">A note.<": 1, ">5<": 1, ">1000<": 1, ">2000<": 0} {
		if got := strings.Count(b.String(), text); got != want {
			t.Errorf("%q stands %d times, want %d", text, got, want)
		}
	}
	same := figure()
	same.Charts = []plot.Chart{same.Charts[0], same.Charts[0]}
	b.Reset()
	if err := same.Write(&b); err != nil || strings.Count(b.String(), ">powers<") != 1 {
		t.Errorf("the legend of two equal charts stands %d times (error %v)",
			strings.Count(b.String(), ">powers<"), err)
	}
}

func TestFigureRefused(t *testing.T) {
	one := func(c plot.Curve) *plot.Figure { return &plot.Figure{Charts: []plot.Chart{{Curves: []plot.Curve{c}}}} }
	nan := math.NaN()
	logarithmic := one(plot.Curve{X: []float64{1}, Y: []float64{2}, Bar: []float64{1.5}})
	logarithmic.Charts[0].Y.Log = true
	for want, fig := range map[string]*plot.Figure{
		"a figure of 0 charts":                       {},
		"a figure of 4 charts":                       {Charts: make([]plot.Chart, 4)},
		"chart 0: no curve has a point":              one(plot.Curve{X: []float64{nan}, Y: []float64{1}}),
		"curve 0: 1 places, 2 values and 0 bars":     one(plot.Curve{X: []float64{1}, Y: []float64{1, 2}}),
		"curve 0: 1 places, 1 values and 2 bars":     one(plot.Curve{X: []float64{1}, Y: []float64{1}, Bar: []float64{1, 2}}),
		"curve 0: unknown style 9":                   one(plot.Curve{X: []float64{1}, Y: []float64{1}, Style: 9}),
		"curve 0: unknown colour -1":                 one(plot.Curve{X: []float64{1}, Y: []float64{1}, Colour: -1}),
		"point 0 is not between 1 and 1e+15 on a":    logarithmic,
		"chart 1: curve 0: 0 places, 1 values and 0": {Charts: []plot.Chart{figure().Charts[0], {Curves: []plot.Curve{{Y: []float64{1}}}}}},
	} {
		var b bytes.Buffer
		if err := fig.Write(&b); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("error %v after %d bytes, want %q", err, b.Len(), want)
		}
	}
}

// TestAnyFigure: whatever the numbers are, a figure is well formed or refused.
func TestAnyFigure(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-3, 3),
		rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.MaxFloat64,
			-math.MaxFloat64, 1e-320}))
	scale := rapid.Custom(func(t *rapid.T) plot.Scale {
		return plot.Scale{Label: rapid.String().Draw(t, "label"),
			Zero: rapid.Bool().Draw(t, "zero"), Log: rapid.Bool().Draw(t, "log")}
	})
	curve := rapid.Custom(func(t *rapid.T) plot.Curve {
		n := rapid.IntRange(0, 5).Draw(t, "points")
		c := plot.Curve{Name: rapid.String().Draw(t, "name"),
			Colour: rapid.IntRange(0, 30).Draw(t, "colour"),
			Style:  plot.Style(rapid.IntRange(0, 5).Draw(t, "style")),
			X:      rapid.SliceOfN(number, n, n).Draw(t, "x"),
			Y:      rapid.SliceOfN(number, n, n).Draw(t, "y")}
		if rapid.Bool().Draw(t, "bars") {
			c.Bar = rapid.SliceOfN(number, n, n).Draw(t, "bar")
		}
		return c
	})
	chart := rapid.Custom(func(t *rapid.T) plot.Chart {
		return plot.Chart{X: scale.Draw(t, "x"), Y: scale.Draw(t, "y"),
			Curves: rapid.SliceOfN(curve, 0, 6).Draw(t, "curves")}
	})
	rapid.Check(t, func(t *rapid.T) {
		fig := &plot.Figure{Title: rapid.String().Draw(t, "title"),
			Charts: rapid.SliceOfN(chart, 1, 3).Draw(t, "charts")}
		var b bytes.Buffer
		if err := fig.Write(&b); err == nil {
			wellFormed(t, b.Bytes())
		} else if b.Len() > 0 {
			t.Fatalf("an error after the start of the picture: %v", err)
		}
	})
}
