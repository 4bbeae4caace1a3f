package calibrate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
)

// rise turns the probabilities of a row by an isotonic calibrator.
func rise(u *committee.Calibrator, probabilities []float64) {
	c := committee.Calibrated{Method: committee.Isotonic, Calibrators: []committee.Calibrator{*u}}
	c.Apply(probabilities)
}

// squares returns the weighted squared distance of a line from values.
func squares(u *committee.Calibrator, x, values, weight []float64) float64 {
	sum := 0.0
	for i := range x {
		probabilities := []float64{1 - x[i], x[i]}
		rise(u, probabilities)
		sum += weight[i] * (probabilities[1] - values[i]) * (probabilities[1] - values[i])
	}
	return sum
}

// The line of Isotonic rises, and no other rising line through its corners' places is nearer: a
// step away from it, in the direction of any rising line, adds to the squared distance.
func TestIsotonicIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		fraction := rapid.Map(rapid.IntRange(0, 12), func(i int) float64 { return float64(i) / 12 })
		x, values := rapid.SliceOfN(fraction, n, n).Draw(t, "x"),
			rapid.SliceOfN(fraction, n, n).Draw(t, "values")
		weight := rapid.SliceOfN(rapid.Float64Range(0.1, 5), n, n).Draw(t, "weight")
		u := committee.Calibrator{}
		u.At, u.Value = fitIsotonic(x, values, weight)
		if !slices.IsSorted(u.Value) || !slices.IsSorted(u.At) ||
			len(slices.Compact(slices.Clone(u.At))) != len(u.At) {
			t.Fatalf("corners %v, values %v do not rise", u.At, u.Value)
		}
		best := squares(&u, x, values, weight)
		// another rising function of the places, taken at all of them
		other := committee.Calibrator{At: slices.Compact(slices.Sorted(slices.Values(x)))}
		other.Value = rapid.SliceOfN(rapid.Float64Range(0, 1), len(other.At), len(other.At)).Draw(t,
			"other")
		slices.Sort(other.Value)
		for _, step := range []float64{1, 0.1, 0.001} {
			mixed := committee.Calibrator{At: other.At}
			for i, at := range other.At {
				own := []float64{1 - at, at}
				rise(&u, own)
				mixed.Value = append(mixed.Value, own[1]+step*(other.Value[i]-own[1]))
			}
			if got := squares(&mixed, x, values, weight); got < best-1e-9 {
				t.Fatalf("a line at distance %g is nearer than %g", got, best)
			}
		}
	})
}

// logLoss is the log loss of a sharpness.
func logLoss(s float64, z []float64, class []uint32, classes int) float64 {
	loss := 0.0
	for i, c := range class {
		row := z[i*classes : (i+1)*classes]
		total := 0.0
		for _, v := range row {
			total += kernel.Exp(s * (v - row[c]))
		}
		loss += kernel.Log(total)
	}
	return loss
}

// No sharpness has a smaller log loss than that of Temperature, and 1, where nothing is changed, is
// one of them.
func TestTemperatureIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, n := rapid.IntRange(2, 4).Draw(t, "classes"), rapid.IntRange(1, 20).Draw(t, "n")
		z := rapid.SliceOfN(rapid.Float64Range(-13, 0), n*classes, n*classes).Draw(t, "z")
		class := rapid.SliceOfN(rapid.Uint32Range(0, uint32(classes-1)), n, n).Draw(t, "class")
		s := fitTemperature(z, class, classes, nil)
		if !(s >= 0 && s <= maxSharpness) {
			t.Fatalf("sharpness %g", s)
		}
		best := logLoss(s, z, class, classes)
		for _, other := range []float64{0, 1, s * 0.99, s * 1.01,
			rapid.Float64Range(0, 50).Draw(t, "other")} {
			if other <= maxSharpness && logLoss(other, z, class, classes) < best-1e-9*max(1, best) {
				t.Fatalf("sharpness %g has log loss %g, %g has less: %g", s, best, other,
					logLoss(other, z, class, classes))
			}
		}
	})
}

// The gradient of Platt's loss is zero at the optimum, and the mean of its values is that of the
// targets.
func TestPlattIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		z := rapid.SliceOfN(rapid.Float64Range(-14, 14), n, n).Draw(t, "z")
		positive := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "positive")
		a, b := fitPlatt(z, positive, nil)
		p := newPlatt(z, positive, nil)
		ga, gb, _, _, _ := p.derivatives(a, b)
		if tolerance := 1e-6 * float64(n); math.Abs(ga) > tolerance || math.Abs(gb) > tolerance {
			t.Fatalf("slope %g, intercept %g: gradient %g, %g", a, b, ga, gb)
		}
	})
}

// Calibrated probabilities are probabilities, whatever the calibrators. Rising ones keep the order
// of rows.
func TestApplyKeepsProbabilities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, n := rapid.IntRange(2, 4).Draw(t, "classes"), rapid.IntRange(2, 25).Draw(t, "n")
		h := &holdOut{classes: classes, weight: ones(n)}
		for range n {
			row := rapid.SliceOfN(rapid.Float64Range(0, 1), classes, classes).Draw(t, "row")
			row[0] += 1e-9
			total := 0.0
			for _, v := range row {
				total += v
			}
			for _, v := range row {
				h.probabilities = append(h.probabilities, v/total)
			}
			h.class = append(h.class, rapid.Uint32Range(0, uint32(classes-1)).Draw(t, "class"))
		}
		m := committee.CalibrationMethod(rapid.IntRange(0, 3).Draw(t, "method"))
		before, order := slices.Clone(h.probabilities), h.calibrators(m)
		h.apply(&committee.Calibrated{Method: m, Calibrators: order})
		for i := range n {
			total := 0.0
			for _, p := range h.probabilities[i*classes : (i+1)*classes] {
				if !(p >= 0 && p <= 1) {
					t.Fatalf("probability %g", p)
				}
				total += p
			}
			if math.Abs(total-1) > 1e-12 {
				t.Fatalf("probabilities sum to %g", total)
			}
			if j := rapid.IntRange(0, n-1).Draw(t, "other"); classes == 2 &&
				before[2*i+1] < before[2*j+1] &&
				h.probabilities[2*i+1] > h.probabilities[2*j+1]+1e-15 {
				t.Fatalf("%s turns %g and %g around: %g and %g", m, before[2*i+1], before[2*j+1],
					h.probabilities[2*i+1], h.probabilities[2*j+1])
			}
		}
	})
}

// No threshold is better for an aim than the one chosen: all that partition the rows in another way
// are tried.
func TestThresholdIsBest(t *testing.T) {
	costs := data.Costs{{0, 1}, {3, 0}}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		probabilities := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 9),
			func(i int) float64 { return float64(i) / 10 }), n, n).Draw(t, "probabilities")
		class := rapid.SliceOfN(rapid.Uint32Range(0, 1), n, n).Draw(t, "class")
		weight := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 3),
			func(i int) float64 { return float64(i) }), n, n).Draw(t, "weight")
		aim := rapid.Map(rapid.IntRange(1, len(aims())), func(i int) Aim { return Aim(i) }).Draw(t, "aim")
		at, value := bestThreshold(aim, probabilities, yes(class), weight, costs)
		of := func(threshold float64) float64 {
			var o metric.Outcomes
			for i, s := range probabilities {
				o.Add(class[i] == 1, s > threshold, weight[i])
			}
			return aims()[aim-1].of(o, costs)
		}
		if got := of(at); got != value || !(at > 0 && at <= 1) {
			t.Fatalf("%v: threshold %g gives %g, reported was %g", aim, at, got, value)
		}
		for other := 0.05; other < 1; other += 0.1 {
			if got := of(other); got > value {
				t.Fatalf("%v: threshold %g gives %g, %g gives %g", aim, at, value, other, got)
			}
		}
	})
}

// By hand: where a threshold lies, and which of equal ones is taken.
func TestThresholdByHand(t *testing.T) {
	for _, c := range []struct {
		aim           Aim
		probabilities []float64
		class         []uint32
		at, value     float64
	}{
		{AimF1, []float64{0.1, 0.2, 0.3, 0.4}, []uint32{0, 0, 1, 1}, 0.25, 1},
		{AimF1, []float64{0.1, 0.2, 0.9, 0.95}, []uint32{0, 0, 1, 1}, 0.5, 1}, // 1/2 lies between
		{AimF1, []float64{0.1, 0.2, 0.3}, []uint32{1, 1, 1}, 0.05, 1},         // below all
		// 0 cannot be above a threshold
		{AimF1, []float64{0, 0, 0.6, 0.8}, []uint32{1, 1, 0, 1}, 0.7, 0.5},
		{AimCost, []float64{0.1, 0.2, 0.3, 1}, []uint32{0, 0, 0, 0}, 1, 0}, // nothing is above 1
		// two false alarms are cheaper
		{AimCost, []float64{0.1, 0.2, 0.3, 0.4}, []uint32{0, 1, 0, 0}, 0.15, -2},
	} {
		at, value := bestThreshold(c.aim, c.probabilities, yes(c.class), nil,
			data.Costs{{0, 1}, {3, 0}})
		if math.Abs(at-c.at) > 1e-15 || math.Abs(value-c.value) > 1e-15 {
			t.Errorf("%v of %v, classes %v: threshold %g, value %g, want %g and %g", c.aim,
				c.probabilities, c.class, at, value, c.at, c.value)
		}
	}
}

// A calibrator that would reverse the base's order is constant.
func TestFallingCurveIsLevel(t *testing.T) {
	h := &holdOut{classes: 2, weight: ones(4), class: []uint32{1, 1, 0, 0},
		probabilities: []float64{0.9, 0.1, 0.8, 0.2, 0.2, 0.8, 0.1, 0.9}}
	if u := h.calibrators(committee.Platt)[0]; u.Slope != 0 || math.Abs(u.Intercept) > 1e-12 {
		t.Errorf("slope %g, intercept %g", u.Slope, u.Intercept)
	}
	if u := h.calibrators(committee.Temperature)[0]; u.Slope != 0 {
		t.Errorf("sharpness %g", u.Slope)
	}
}

// Repeated rows and weights count alike.
func TestWeightsAreMultiplicities(t *testing.T) {
	base := []float64{0.9, 0.8, 0.7, 0.4, 0.35, 0.2, 0.1, 0.6}
	class := []uint32{1, 1, 0, 1, 0, 0, 0, 1}
	ds := readable(t, base, base, class)
	plan := &split.Plan{K: 2, Assign: []int32{0, 1, 0, 1, 0, 1, 0, 1}}
	for _, method := range []committee.CalibrationMethod{committee.Platt, committee.Isotonic,
		committee.Temperature} {
		l := New(nil)
		l.Base.Name, l.Base.Learner, l.Method, l.ThresholdFor = "reader", reader{}, method, AimF1
		repeated := fitted(t, l, ds, learn.Job{Rows: []int32{0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 7},
			Plan: plan})
		ds.Target.Weight = []float64{1, 1, 3, 1, 1, 1, 1, 2}
		weighted := fitted(t, l, ds, learn.Job{Rows: data.AllRows(8), Plan: plan})
		ds.Target.Weight = nil
		plain := fitted(t, l, ds, learn.Job{Rows: data.AllRows(8), Plan: plan})
		if !sameCalibrators(repeated.Calibrators, weighted.Calibrators) ||
			repeated.Meta.Decision.Threshold != weighted.Meta.Decision.Threshold {
			t.Errorf("%s: repeated rows give %+v, weights %+v", method, repeated.Calibrators,
				weighted.Calibrators)
		}
		if sameCalibrators(plain.Calibrators, weighted.Calibrators) {
			t.Errorf("%s: weights change nothing: %+v", method, plain.Calibrators)
		}
	}
}

// The calibrators are fitted to the out-of-fold predictions that are reported, each row once.
func TestHoldOutIsReported(t *testing.T) {
	base := []float64{0.9, 0.8, 0.7, 0.4, 0.35, 0.2, 0.1, 0.6}
	ds := readable(t, base, base, []uint32{1, 1, 0, 1, 0, 0, 0, 1})
	l := New(nil)
	l.Base.Name, l.Base.Learner = "reader", reader{}
	var reported []learn.HoldOut
	fitted(t, l, ds, learn.Job{Rows: []int32{0, 1, 2, 2, 3, 4, 5, 6, 7},
		Plan: &split.Plan{K: 2, Assign: []int32{0, 1, 0, 1, 0, 1, 0, 1}},
		HoldOut: func(what string, h *learn.HoldOut) error {
			if what != "calibration" {
				t.Errorf("a report of %s", what)
			}
			reported = append(reported, *h)
			return nil
		}})
	if len(reported) != 1 || reported[0].Width != 2 ||
		!slices.Equal(reported[0].Rows, data.AllRows(8)) || reported[0].Values[1] != base[0] {
		t.Errorf("reported %+v", reported)
	}
}

func sameCalibrators(a, b []committee.Calibrator) bool {
	return slices.EqualFunc(a, b, func(u, v committee.Calibrator) bool {
		return u.Slope == v.Slope && u.Intercept == v.Intercept && slices.Equal(u.At, v.At) &&
			slices.Equal(u.Value, v.Value)
	})
}
