package dense_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// TestKernels compares kernels with numbers by hand; they are the same for both orders.
func TestKernels(t *testing.T) {
	a, b := []float64{1, 2, -1}, []float64{3, 0.5, 1} // product 3, squared distance 10.25
	for _, c := range []struct {
		kernel dense.Kernel
		want   float64
	}{
		{dense.Kernel{}, 3},
		{dense.Kernel{Kind: dense.RBF, Gamma: 0.25}, math.Exp(-2.5625)},
		{dense.Kernel{Kind: dense.Poly, Gamma: 2, Coef0: -1, Degree: 3}, 125},
		{dense.Kernel{Kind: dense.Poly, Gamma: 1, Degree: 1}, 3},
		{dense.Kernel{Kind: dense.Poly, Gamma: 1e9, Degree: 64}, 1e100},
		{dense.Kernel{Kind: dense.SigmoidKernel, Gamma: 0.5, Coef0: -1}, math.Tanh(0.5)},
	} {
		if err := c.kernel.Validate(); err != nil {
			t.Error(err)
		}
		got := c.kernel.Value(a, b)
		if math.Abs(got-c.want) > 1e-15*math.Abs(c.want) || got != c.kernel.Value(b, a) {
			t.Errorf("%s: %g, want %g", c.kernel, got, c.want)
		}
	}
	for _, name := range []string{"linear", "rbf", "poly", "sigmoid"} {
		var k dense.KernelKind
		if err := k.UnmarshalText([]byte(name)); err != nil || k.String() != name {
			t.Errorf("%s: %v, %v", name, k, err)
		}
	}
	if new(dense.KernelKind).UnmarshalText([]byte("laplace")) == nil {
		t.Error("laplace is a kernel")
	}
}

// TestDegrees: powers by squaring are powers.
func TestDegrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, n := rapid.Float64Range(-3, 3).Draw(t, "x"), rapid.IntRange(1, dense.MaxDegree).Draw(t, "degree")
		k := dense.Kernel{Kind: dense.Poly, Gamma: 1, Degree: n}
		if got, want := k.Value([]float64{x}, []float64{1}), math.Pow(x, float64(n)); math.Abs(got-want) > 1e-13*math.Abs(want) {
			t.Fatalf("%g^%d is %g, want %g", x, n, got, want)
		}
	})
}

// two is a machine of two vectors on a line, 0.5 - 2 k(-1, x) + k(1, x), for two classes.
func twoVectors() *dense.Machine {
	return &dense.Machine{Model: dense.Model{Meta: model.Spec{Task: data.Binary, Classes: []string{"no", "yes"}, Label: "y", Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}}, Encoding: dense.Encoding{Columns: []dense.Column{{Mean: 10, Scale: 2, Low: 0, High: 20, Missing: -1, Unseen: -1}}}},
		Kernel: dense.Kernel{Kind: dense.Poly, Gamma: 1, Coef0: 1, Degree: 2}, Vectors: []float64{-1, 1}, Coef: []float64{-2, 1}, Bias: []float64{0.5},
		Link: link.Logistic()}
}

func predictMachine(t *testing.T, m *dense.Machine, o model.Output, x ...float64) []float64 {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	f, err := data.NewFrame(m.Meta.Schema, []data.Column{data.Numbers(x)})
	if err != nil {
		t.Fatal(err)
	}
	return modeltest.Predict(t, m, f, model.Options{Output: o}, nil)
}

func TestMachineByHand(t *testing.T) {
	// x = 12 is 1: 0.5 - 2 (1 - 1)^2 + (1 + 1)^2; x = 6 is -2: 0.5 - 2 (1 + 2)^2 + (1 - 2)^2;
	// missing is 0: 0.5 - 2 + 1.
	x := []float64{12, 6, math.NaN()}
	want := []float64{4.5, -16.5, -0.5}
	if got := predictMachine(t, twoVectors(), model.Raw, x...); !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	if got := predictMachine(t, twoVectors(), model.Label, x...); !slices.Equal(got, []float64{1, 0, 0}) {
		t.Errorf("labels %v", got)
	}
	for i, fraction := range predictMachine(t, twoVectors(), model.Response, x...) {
		score := want[i/2] * float64(2*(i%2)-1)
		if p := 1 / (1 + math.Exp(-score)); math.Abs(fraction-p) > 1e-15 {
			t.Errorf("probability %d is %g, want %g", i, fraction, p)
		}
	}
	number := twoVectors()
	number.Meta.Task, number.Meta.Classes, number.Link = data.Regression, nil, nil
	for _, o := range []model.Output{model.Response, model.Raw, model.Label} {
		if got := predictMachine(t, number, o, x...); !slices.Equal(got, want) {
			t.Errorf("output %s: %v, want %v", o, got, want)
		}
	}
	for _, o := range []model.Output{model.Leaf, model.Quantiles} {
		if _, err := twoVectors().Bind(&twoVectors().Meta.Schema, model.Options{Output: o}); err == nil {
			t.Errorf("output %s is there", o)
		}
	}
}

// TestExtremes: whatever a valid machine is requested, its answer is finite.
func TestMachineExtremes(t *testing.T) {
	m := twoVectors()
	m.Kernel.Degree, m.Kernel.Coef0 = 63, 1e100
	m.Vectors, m.Coef, m.Bias = []float64{1e100, -1e100}, []float64{1e100, 1e100}, []float64{1e100}
	for _, v := range predictMachine(t, m, model.Raw, math.MaxFloat64, -math.MaxFloat64, 0, math.Inf(1)) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("a score of %g", v)
		}
	}
}

func TestDescribe(t *testing.T) {
	if d := twoVectors().Describe(); !strings.HasPrefix(d.String(), "vectors: 2, kernel poly (gamma 1") {
		t.Error(d.String())
	}
}
