package codectest

import (
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/loss/link"
)

// TinyMachine returns two vectors in the column of Tiny, each on its class's side.
func TinyMachine() *dense.Machine {
	m := &dense.Machine{Model: dense.Model{Meta: Tiny().Meta, Encoding: tinyEncoding()},
		Kernel:  dense.Kernel{Kind: dense.RBF, Gamma: 0.5},
		Vectors: []float64{-1, 1}, Coef: []float64{-1, 1}, Bias: []float64{0.25},
		Link: link.Logistic()}
	m.Meta.Learner = "svm"
	return m
}

// FullMachine returns a machine of two scores with the hard texts of Full. No field is zero.
func FullMachine() *dense.Machine {
	m := &dense.Machine{Model: dense.Model{Meta: Full().Meta, Encoding: fullEncoding()},
		Kernel:  dense.Kernel{Kind: dense.Poly, Gamma: 1e-300, Coef0: -0.5, Degree: 64},
		Vectors: []float64{0.5, 1, 0, 0, 1e100, -1, 0, 0, 1, -5e-324},
		Coef:    []float64{1, -1e100, 5e-324, 0.1}, Bias: []float64{-1e100, 3},
		Link: link.OneVsAll()}
	m.Meta.Learner = "svm"
	return m
}

// Machines generates valid vector machines of up to 5 vectors.
func Machines() *rapid.Generator[*dense.Machine] {
	return rapid.Custom(func(t *rapid.T) *dense.Machine {
		m := &dense.Machine{Model: dense.Model{Meta: spec().Filter(isSupervised).Draw(t, "spec")}}
		m.Encoding = Encoding(t, m.Meta.Schema.Fields)
		m.Kernel.Kind = dense.KernelKind(rapid.IntRange(0, int(dense.SigmoidKernel)).Draw(t, "kernel"))
		if m.Kernel.Kind != dense.LinearKernel {
			m.Kernel.Gamma = rapid.Float64Range(1e-9, 1e100).Draw(t, "gamma")
		}
		if m.Kernel.Kind >= dense.Poly {
			m.Kernel.Coef0 = rapid.Float64Range(-1e100, 1e100).Draw(t, "coef0")
		}
		if m.Kernel.Kind == dense.Poly {
			m.Kernel.Degree = rapid.IntRange(1, dense.MaxDegree).Draw(t, "degree")
		}
		scores, n := len(m.Meta.Classes), rapid.IntRange(0, 5).Draw(t, "vectors")
		if m.Meta.Task == data.Regression || scores == 2 && rapid.Bool().Draw(t, "one") {
			scores = 1
		}
		m.Bias = randomNumbers(t, scores, 1e100, "bias")
		m.Coef = randomNumbers(t, scores*n, 1e100, "coefficients")
		m.Vectors = randomNumbers(t, n*m.Encoding.Width(), dense.Limit, "vectors")
		if rapid.Bool().Draw(t, "linked") {
			m.Link = anyLink().Draw(t, "link")
		}
		return m
	})
}
