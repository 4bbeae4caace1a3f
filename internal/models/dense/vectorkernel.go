package dense

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/param"
)

// KernelKind is the form of a kernel.
type KernelKind = param.Enum[kindNames]

// The kinds of kernels of two vectors a and b.
const (
	LinearKernel  KernelKind = iota // a b
	RBF                             // exp(-gamma |a - b|^2)
	Poly                            // (gamma a b + coef0)^degree
	SigmoidKernel                   // tanh(gamma a b + coef0)
)

type kindNames struct{}

func (kindNames) Enum() (string, []string) {
	return "kernel", []string{"linear", "rbf", "poly", "sigmoid"}
}

// Kernel is a function of two vectors that stands for their product in another space.
type Kernel struct {
	Kind   KernelKind `json:"kind"`
	Gamma  float64    `json:"gamma,omitempty"`  // > 0; 0 for Linear
	Coef0  float64    `json:"coef0,omitempty"`  // 0 for Linear and RBF
	Degree int        `json:"degree,omitempty"` // of Poly, from 1 to MaxDegree, else 0
}

// MaxDegree is the greatest degree of a polynomial kernel.
const MaxDegree = 64

// LargestKernel is the greatest absolute value of a kernel, and of a coefficient: sums of products
// of both stay finite.
const LargestKernel = 1e100

// String names the kernel with its numbers: "rbf (gamma 0.25)".
func (k Kernel) String() string {
	switch k.Kind {
	case RBF:
		return "rbf (gamma " + humanize.Number(k.Gamma, 4) + ")"
	case Poly:
		return fmt.Sprintf("poly (gamma %s, coef0 %s, degree %d)", humanize.Number(k.Gamma, 4),
			humanize.Number(k.Coef0, 4), k.Degree)
	case SigmoidKernel:
		return fmt.Sprintf("sigmoid (gamma %s, coef0 %s)", humanize.Number(k.Gamma, 4),
			humanize.Number(k.Coef0, 4))
	}
	return k.Kind.String()
}

// Validate checks that the numbers fit the kind.
func (k *Kernel) Validate() error {
	switch {
	case k.Kind > SigmoidKernel:
		return fmt.Errorf("unknown kernel %d", k.Kind)
	case k.Kind == LinearKernel && *k != Kernel{}:
		return errors.New("a linear kernel with numbers of its own")
	case k.Kind != LinearKernel && !(k.Gamma > 0 && k.Gamma <= LargestKernel):
		return fmt.Errorf("gamma is %g", k.Gamma)
	case k.Kind == RBF && k.Coef0 != 0 || !(math.Abs(k.Coef0) <= LargestKernel):
		return fmt.Errorf("coef0 is %g", k.Coef0)
	case k.Kind == Poly && (k.Degree < 1 || k.Degree > MaxDegree) ||
		k.Kind != Poly && k.Degree != 0:
		return fmt.Errorf("the degree is %d", k.Degree)
	}
	return nil
}

// Value returns the kernel of two vectors of one length, no greater than 1e100 in absolute value:
// what is greater is truncated. It is the same for both orders of a and b.
func (k *Kernel) Value(a, b []float64) float64 {
	v := 0.0
	switch k.Kind {
	case RBF:
		return kernel.Exp(-float64(k.Gamma * kernel.SquaredDistance(a, b)))
	case LinearKernel:
		v = kernel.Dot(a, b)
	default:
		v = float64(k.Gamma*kernel.Dot(a, b)) + k.Coef0
	}
	switch k.Kind {
	case SigmoidKernel:
		return kernel.Tanh(v)
	case Poly:
		v = power(v, k.Degree)
	}
	return max(-LargestKernel, min(LargestKernel, v))
}

// power returns x to the power of n, n > 0, by squaring.
func power(x float64, n int) float64 {
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = float64(result * x)
		}
		x = float64(x * x)
	}
	return result
}
