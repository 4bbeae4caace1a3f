package loss_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/losstest"
)

// TestPartialLikelihood against its definition, with equal times and weights.
func TestPartialLikelihood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "rows")
		target := &data.Target{Y: [][]float64{make([]float64, n)}, Weight: make([]float64, n),
			Event: make([]uint8, n)}
		raw := make([]float64, n)
		for i := range n {
			target.Y[0][i] = float64(rapid.IntRange(0, 6).Draw(t, "time"))
			target.Weight[i] = float64(rapid.IntRange(0, 3).Draw(t, "weight"))
			target.Event[i] = uint8(rapid.IntRange(0, 1).Draw(t, "event"))
			raw[i] = rapid.Float64Range(-3, 3).Draw(t, "score")
		}
		target.Event[0], target.Weight[0] = 1, 1
		o, err := losstest.New("cox").Bind(target, data.AllRows(n))
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for i, y := range target.Y[0] {
			risk := 0.0
			for j, z := range target.Y[0] {
				if z >= y {
					risk += target.Weight[j] * math.Exp(raw[j])
				}
			}
			if w := target.Weight[i] * float64(target.Event[i]); w > 0 {
				want += w * (math.Log(risk) - raw[i])
			}
		}
		if got := o.Value(raw, 1) * o.Weight(); math.Abs(got-want) > 1e-12*max(1, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestHazardsThatOverflow: scores may be as far from 0 as they like; what all are given changes
// nothing.
func TestHazardsThatOverflow(t *testing.T) {
	target := &data.Target{Y: [][]float64{{1, 2, 3, 4}}}
	o, err := losstest.New("cox").Bind(target, data.AllRows(4))
	if err != nil {
		t.Fatal(err)
	}
	near, far := []float64{0, 1, -1, 0.5}, []float64{2000, 2001, 1999, 2000.5}
	g, h, farG, farH := make([]float64, 4), make([]float64, 4), make([]float64, 4),
		make([]float64, 4)
	o.Gradients(g, h, near, 1)
	o.Gradients(farG, farH, far, 1)
	for i := range g {
		if math.Abs(g[i]-farG[i]) > 1e-12 || math.Abs(h[i]-farH[i]) > 1e-12 {
			t.Errorf("row %d: g, h = %v, %v, far from 0 %v, %v", i, g[i], h[i], farG[i], farH[i])
		}
	}
	if math.Abs(o.Value(near, 1)-o.Value(far, 1)) > 1e-12 {
		t.Errorf("loss %v, far from 0 %v", o.Value(near, 1), o.Value(far, 1))
	}
	// scores that fall steeply with time, and rise steeply
	for _, steep := range [][]float64{{900, 0, -900, -1800}, {-1800, -900, 0, 900}} {
		o.Gradients(g, h, steep, 1)
		for i := range g {
			if math.IsNaN(g[i]+h[i]) || math.IsInf(g[i]+h[i], 0) {
				t.Errorf("g = %v, h = %v at %v", g, h, steep)
			}
		}
	}
}

func TestRefusedTimes(t *testing.T) {
	for _, c := range []struct {
		name   string
		target data.Target
		row    int
		want   string
	}{
		{"cox", data.Target{Y: [][]float64{{1, -2}}}, 1, "loss=cox needs labels of 0 or more, and a column of events, this is -2"},
		{"cox", data.Target{Y: [][]float64{{1, 2}}, Event: []uint8{0, 0}}, -1, "loss=cox needs rows whose event was seen, there are none"},
		{"cox", data.Target{Y: [][]float64{{1, 2}}, Upper: []float64{1, 2}}, -1, "loss=cox takes no upper ends of times: use loss=aft"},
		{"aft", data.Target{Y: [][]float64{{1, 0}}}, 1, "loss=aft needs times above 0 where the event was seen, this is 0"},
		{"aft", data.Target{Y: [][]float64{{1, 3}}, Upper: []float64{1, 2}}, 1, "loss=aft needs upper ends of labels that are no less than the lower ones, this is 3 to 2"},
		{"aft", data.Target{Y: [][]float64{{1, 3}}, Upper: []float64{math.NaN(), 4}}, 0, "loss=aft needs upper ends of labels that are no less than the lower ones, this is 1 to NaN"},
		{"aft", data.Target{Y: [][]float64{{1}}, Upper: []float64{1}, Event: []uint8{1}}, -1, "loss=aft: labels have both upper ends and events: leave one out"},
	} {
		_, err := bind(t, c.name, nil, &c.target)
		var fault *loss.LabelError
		if !errors.As(err, &fault) || fault.Row != c.row || err.Error() != c.want {
			t.Errorf("%s: %v, want %q of row %d", c.name, err, c.want, c.row)
		}
	}
}

// TestStartOfTimes: of log-normal times it is the log of their geometric mean; where no event was
// observed it is finite.
func TestStartOfTimes(t *testing.T) {
	for _, c := range []struct {
		settings  []string
		y         []float64
		event     []uint8
		low, high float64
	}{
		{nil, []float64{1, math.E * math.E}, nil, 1 - 1e-15, 1 + 1e-15},
		{[]string{"distribution=logistic"}, []float64{1, math.E * math.E}, nil, 1 - 1e-15, 1 + 1e-15},
		{[]string{"distribution=extreme"}, []float64{2, 4}, nil, math.Log(3) - 1e-14, math.Log(3) + 1e-14},
		{nil, []float64{1, 1, 1}, []uint8{0, 0, 0}, 5, 36},
		{[]string{"distribution=extreme", "sigma=2"}, []float64{1, 1, 1}, []uint8{0, 0, 0}, 36, 72},
		{nil, []float64{1, 1}, []uint8{1, 0}, 0.5, 0.7},
	} {
		o, err := bind(t, "aft", c.settings, &data.Target{Y: [][]float64{c.y}, Event: c.event})
		if err != nil {
			t.Fatal(err)
		}
		start := []float64{0}
		if o.Init(start); !(start[0] >= c.low && start[0] <= c.high) {
			t.Errorf("%v of %v starts at %v, want %v to %v", c.settings, c.y, start[0],
				c.low, c.high)
		}
	}
}

// TestFarTimes: far from their times rows have derivatives that are finite, of all distributions
// but the extreme one, whose hazard grows exponentially.
func TestFarTimes(t *testing.T) {
	target := &data.Target{Y: [][]float64{{1, 1, 1, 0}}, Upper: []float64{1, math.Inf(1), 2, 1}}
	for _, distribution := range []string{"normal", "logistic", "extreme"} {
		o, err := bind(t, "aft", []string{"distribution=" + distribution}, target)
		if err != nil {
			t.Fatal(err)
		}
		g, h := make([]float64, 4), make([]float64, 4)
		for _, x := range []float64{-1e6, -600, -40, 40, 1e6} {
			if distribution == "extreme" && x < -600 {
				continue
			}
			o.Gradients(g, h, []float64{x, x, x, x}, 1)
			for i := range g {
				if math.IsNaN(g[i]) || math.IsInf(g[i], 0) || !(h[i] >= 0) || math.IsInf(h[i], 0) {
					t.Errorf("%s, row %d at %v: g, h = %v, %v", distribution, i, x, g[i], h[i])
				}
			}
		}
	}
}
