package link_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/loss/link"
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

func TestApply(t *testing.T) {
	for _, c := range []struct {
		link     link.Link
		in, want []float64
	}{
		{link.Identity(), []float64{1, -2, inf}, []float64{1, -2, inf}},
		{link.Logistic(), []float64{0, inf, -inf, math.Log(3), -math.Log(3)}, []float64{0.5, 1, 0, 0.75, 0.25}},
		{link.Logistic(), []float64{800, -800}, []float64{1, 0}},
		{link.Logistic(), []float64{nan, 0}, []float64{nan, 0.5}},
		{link.Logistic(), nil, nil},
		{link.Softmax(), []float64{7}, []float64{1}},
		{link.Softmax(), []float64{1000, 1000}, []float64{0.5, 0.5}},
		{link.Softmax(), []float64{0, math.Log(2), math.Log(5)}, []float64{0.125, 0.25, 0.625}},
		{link.Softmax(), []float64{inf, 3, inf}, []float64{0.5, 0, 0.5}},
		{link.Softmax(), []float64{-inf, -inf}, []float64{0.5, 0.5}},
		{link.Softmax(), []float64{-inf, 3}, []float64{0, 1}},
		{link.Softmax(), []float64{nan, 3}, []float64{nan, nan}},
		{link.Softmax(), nil, nil},
		{link.Halving(), []float64{0, 1, -3, 0.5, inf, -inf}, []float64{1, 0.5, 8, math.Sqrt2 / 2, 0, inf}},
		{link.Halving(), []float64{1074, 1e300, nan}, []float64{0x1p-1074, 0, nan}},
		{link.Halving(), nil, nil},
		{link.Exp(), []float64{0, 1, -inf, inf, nan}, []float64{1, math.E, 0, inf, nan}},
		{link.Hazard(), []float64{0, 1, 710, -inf, inf, nan},
			[]float64{1, math.E, math.MaxFloat64, 0, math.MaxFloat64, nan}},
		{link.OneVsAll(), []float64{0, math.Log(3), -inf}, []float64{0.4, 0.6, 0}},
		{link.OneVsAll(), []float64{-1000, -1000}, []float64{0.5, 0.5}},
		{link.OneVsAll(), []float64{-inf, -inf}, []float64{0.5, 0.5}},
		{link.OneVsAll(), []float64{0, nan}, []float64{nan, nan}},
		{link.OneVsAll(), nil, nil},
		{link.Step(), []float64{3, -inf, 0, 1e-300, -1, inf, nan}, []float64{1, 0, 0, 1, 0, 1, nan}},
		{link.ScaledLogistic(0.5), []float64{0, inf, -inf, 2 * math.Log(3), nan}, []float64{0.5, 1, 0, 0.75, nan}},
		{link.ScaledLogistic(1e300), []float64{1e300, -1e300}, []float64{1, 0}},
		{link.SignedSquare(), []float64{3, -1.5, 0, 1e200, -inf, nan}, []float64{9, -2.25, 0, inf, -inf, nan}},
		{link.Softplus(), []float64{0, 1000, -1000, inf, -inf, nan}, []float64{math.Ln2, 1000, 0, inf, 0, nan}},
		{link.Softplus(), []float64{math.Log(3), -math.Log(3)}, []float64{math.Log(4), math.Log(4. / 3)}},
		{link.Probit(), []float64{0, 1, -1.959963984540054, inf, -inf, nan}, []float64{0.5, 0.8413447460685429, 0.025, 1, 0, nan}},
		{link.ApproximateProbit(), []float64{0.5, 0, 1, nan, 1.5, -0.5}, []float64{0, -inf, inf, nan, nan, nan}},
		{link.SoftmaxNonzero(), []float64{0, math.Log(3), 0}, []float64{0, 1, 0}},
		{link.SoftmaxNonzero(), []float64{math.Log(3), 0, -math.Log(3)}, []float64{0.9, 0, 0.1}},
		{link.SoftmaxNonzero(), []float64{-2000, 1e-8, -2000, -1e-8}, []float64{0.5, 0, 0.5, 0}},
		{link.SoftmaxNonzero(), []float64{0, 1e-8}, []float64{nan, nan}},
		{link.SoftmaxNonzero(), []float64{inf, 0, 3, inf}, []float64{0.5, 0, 0, 0.5}},
		{link.SoftmaxNonzero(), []float64{-inf, -inf, 0}, []float64{0.5, 0.5, 0}},
		{link.SoftmaxNonzero(), []float64{nan, 0, 3}, []float64{nan, nan, nan}},
		{link.SoftmaxNonzero(), nil, nil},
		{link.Ascending(), []float64{3, -inf, 2, inf}, []float64{-inf, 2, 3, inf}},
		{link.Clipped(), []float64{0.25, 1.25, -0.5}, []float64{1. / 6, 5. / 6, 0}},
		{link.Clipped(), []float64{-1, 0, -inf, -3}, []float64{0.25, 0.25, 0.25, 0.25}},
		{link.Clipped(), []float64{1e308, 1e308, 1e308}, []float64{1. / 3, 1. / 3, 1. / 3}},
		{link.Clipped(), []float64{inf, 3, inf}, []float64{0.5, 0, 0.5}},
		{link.Clipped(), []float64{nan, 3}, []float64{nan, nan}},
		{link.Clipped(), nil, nil},
	} {
		got := append([]float64(nil), c.in...)
		c.link.Apply(got)
		for i := range got {
			if d := math.Abs(got[i] - c.want[i]); d > 1e-15 ||
				math.IsNaN(got[i]) != math.IsNaN(c.want[i]) {
				t.Errorf("%s of %v = %v, want %v", c.link.Name(), c.in, got, c.want)
				break
			}
		}
	}
}

// The smallest probabilities keep their digits: 1/(1+exp(40)) is far below the spacing of numbers
// near 1.
func TestLogisticTail(t *testing.T) {
	v := []float64{-40}
	link.Logistic().Apply(v)
	if want := 4.248354255291589e-18; math.Abs(v[0]/want-1) > 1e-14 {
		t.Errorf("got %g, want %g", v[0], want)
	}
}

// Symmetric links: the probabilities of x and -x add up to 1, and a greater score has no smaller
// probability.
func TestSymmetric(t *testing.T) {
	links := append(link.Table(), link.ScaledLogistic(0.7), link.ScaledLogistic(30))
	found := 0
	for _, l := range links {
		if !l.Describe().Symmetric {
			continue
		}
		found++
		rapid.Check(t, func(t *rapid.T) {
			x := rapid.Float64Range(-700, 700).Draw(t, "x")
			v := []float64{x, -x, x + 1}
			l.Apply(v)
			if v[0] < 0 || v[0] > 1 || math.Abs(v[0]+v[1]-1) > 1e-15 || v[2] < v[0] {
				t.Fatalf("%s: p(%g) = %g, p(-x) = %g, p(x+1) = %g", l.Name(), x, v[0], v[1], v[2])
			}
		})
	}
	if found != 4 {
		t.Errorf("%d symmetric links, want 4", found)
	}
}

// What every link says of itself holds: its kind makes the same responses of the scores times the
// factor, and the rest is true where it is said and, for some score, false where it is not. Hazards
// end at the greatest number.
func TestDescriptions(t *testing.T) {
	scores := []float64{-math.MaxFloat64, -30, -2.5, -1, -0.25, -1e-9, 0, 1e-9, 0.25, 0.75, 1, 2.5, 30, math.MaxFloat64}
	one := func(l link.Link, x float64) float64 {
		v := []float64{x}
		l.Apply(v)
		return v[0]
	}
	for _, l := range append(link.Table(), link.ScaledLogistic(0.7), link.ScaledLogistic(30)) {
		d := l.Describe()
		if !(d.Factor > 0) || d.Kind.Describe() != (link.Description{d.Kind, 1, d.Monotone, d.Symmetric}) {
			t.Errorf("%s: %+v", l.Name(), d)
		}
		row, scaled := slices.Clone(scores), slices.Clone(scores)
		for i := range scaled {
			scaled[i] *= d.Factor
		}
		slices.Reverse(row) // so that a link that sorts is found to look at all scores
		slices.Reverse(scaled)
		l.Apply(row)
		d.Kind.Apply(scaled)
		slices.Reverse(row)
		slices.Reverse(scaled)
		rises, falls, symmetric := true, true, true
		for i, x := range scores {
			if l == link.Hazard() && math.IsInf(scaled[i], 1) {
				scaled[i] = math.MaxFloat64
			}
			if same := row[i] == scaled[i] || row[i] != row[i] && scaled[i] != scaled[i]; !same {
				t.Errorf("%s of %g is %g, of its kind %g", l.Name(), x, row[i], scaled[i])
			}
			own, before := one(l, x), one(l, scores[max(0, i-1)])
			alone := own == row[i]
			rises, falls = rises && alone && own >= before, falls && alone && own <= before
			symmetric = symmetric && alone && own >= 0 && math.Abs(own+one(l, -x)-1) <= 1e-15
		}
		if (d.Monotone == 1) != rises || (d.Monotone == -1) != falls || d.Symmetric != symmetric {
			t.Errorf("%s: %+v, but it rises: %v, falls: %v, is symmetric: %v", l.Name(), d, rises, falls, symmetric)
		}
		if link.OrIdentity(l) != l || link.IsIdentity(l) != (l == link.Identity()) {
			t.Errorf("%s is taken for the identity", l.Name())
		}
	}
	if link.OrIdentity(nil) != link.Identity() || !link.IsIdentity(nil) {
		t.Error("no link is not the identity")
	}
}

// The values of ONNX Runtime's formula with decimal constants, and the quantiles that they are
// near.
func TestApproximateProbit(t *testing.T) {
	for _, c := range []struct{ p, formula, quantile float64 }{
		{0.025, -1.9590482301908543, -1.959963984540054},
		{0.75, 0.6745739662497426, 0.6744897501960817},
		{0.999, 3.0846388084998484, 3.090232306167813},
	} {
		v := []float64{c.p}
		link.ApproximateProbit().Apply(v)
		if math.Abs(v[0]/c.formula-1) > 1e-6 || math.Abs(v[0]/c.quantile-1) > 0.005 {
			t.Errorf("at %g: %.17g, want %g, near %g", c.p, v[0], c.formula, c.quantile)
		}
	}
}

func TestSoftmaxAddsUpToOneAndKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Float64Range(-1e300, 1e300), 1, 20).Draw(t, "raw")
		v := append([]float64(nil), raw...)
		link.Softmax().Apply(v)
		sum := 0.0
		for i, p := range v {
			sum += p
			for j := range v {
				if raw[i] < raw[j] && p > v[j]+1e-15 {
					t.Fatalf("%v became %v", raw, v)
				}
			}
		}
		if math.Abs(sum-1) > 1e-14 {
			t.Fatalf("%v add up to %v", v, sum)
		}
	})
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range link.Table() {
		if seen[l.Name()] {
			t.Errorf("two links are called %q", l.Name())
		}
		seen[l.Name()] = true
		if got, err := link.ByName(l.Name()); err != nil || got != l {
			t.Errorf("ByName(%q) = %v, %v", l.Name(), got, err)
		}
	}
	for _, factor := range []float64{0.7, 1, 2, 1e-300, math.MaxFloat64, 0x1p-1074} {
		l := link.ScaledLogistic(factor)
		if got, err := link.ByName(l.Name()); err != nil || got != l {
			t.Errorf("ByName(%q) = %v, %v", l.Name(), got, err)
		}
	}
	for _, name := range []string{"logistic(", "logistic()", "logistic(0)", "logistic(-1)", "logistic(Inf)", "logistic(+Inf)",
		"logistic(NaN)", "logistic(0.70)", "logistic(1", "logistic(1))", "logistic(0x1p0)", "logistic( 1)", "logistic(1e999)"} {
		if l, err := link.ByName(name); err == nil {
			t.Errorf("%q is %v", name, l)
		}
	}
	if _, err := link.ByName("logit"); err == nil || !strings.Contains(err.Error(), "logistic") {
		t.Errorf("unknown link: %v", err)
	}
}
