package gosource

import (
	"fmt"

	"github.com/coppice-ml/coppice/loss/link"
)

// linkSource is how a link becomes source.
type linkSource struct {
	each   string   // the format of an expression for each score by itself
	row    string   // or the function that overwrites all scores
	own    string   // what these call
	copied []string // and which functions of package kernel
}

// sources are the sources of links, by their kinds.
var sources = map[link.Link]linkSource{
	link.Identity(): {},
	link.Exp():      {each: "exp(%s)", copied: []string{"Exp"}},
	link.Halving():  {each: "exp2(-%s)", copied: []string{"Exp2"}},
	link.Logistic(): {each: "sigmoid(%s)", own: sigmoidSource, copied: []string{"Exp"}},
	link.Probit():   {each: "normalCDF(%s)", copied: []string{"NormalCDF"}},
	link.ApproximateProbit(): {each: "approximateProbit(%s)", own: approximateProbitSource,
		copied: []string{"Log"}},
	link.Softplus(): {each: "softplus(%s)", own: softplusSource,
		copied: []string{"Exp", "Log1p"}},
	link.SignedSquare():   {each: "signedSquare(%s)", own: signedSquareSource},
	link.Step():           {each: "above(%s)", own: aboveSource},
	link.Softmax():        {row: "softmax", own: softmaxSource, copied: []string{"Exp"}},
	link.SoftmaxNonzero(): {row: "softmaxNonzero", own: softmaxNonzeroSource, copied: []string{"Exp"}},
	link.OneVsAll(): {row: "oneVsAll", own: sigmoidSource + softmaxSource + oneVsAllSource,
		copied: []string{"Exp"}},
	link.Clipped():   {row: "clipped", own: clippedSource},
	link.Ascending(): {row: "ascending", own: ascendingSource},
}

// sourceOf returns the source of a link, false if there is none.
func sourceOf(l link.Link) (linkSource, bool) {
	d := link.OrIdentity(l).Describe()
	source, ok := sources[d.Kind]
	if d.Factor != 1 {
		source.each = fmt.Sprintf(source.each, "float64("+number(d.Factor)+" * %s)")
		ok = ok && source.row == ""
	}
	return source, ok
}

const sigmoidSource = `// sigmoid returns 1 / (1 + e^-x).
func sigmoid(x float64) float64 {
	if x < 0 {
		e := exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + exp(-x))
}

`

const softmaxSource = `// softmax replaces scores by probabilities.
func softmax(v []float64) {
	top := math.Inf(-1)
	for _, x := range v {
		if x > top {
			top = x
		}
	}
	sum := 0.0
	for i, x := range v {
		v[i] = exp(x - top)
		if x == top {
			v[i] = 1
		}
	}
	for _, e := range v {
		sum += e
	}
	for i := range v {
		v[i] /= sum
	}
}

`

// softmaxNonzeroSource is link.SoftmaxNonzero.
const softmaxNonzeroSource = `// softmaxNonzero replaces scores by probabilities: a softmax of those that are not 0.
func softmaxNonzero(v []float64) {
	const zero = float64(float32(1e-7))
	top := math.Inf(-1)
	zeros := 0
	for _, x := range v {
		if math.Abs(x) <= zero {
			zeros++
		} else {
			if x > top {
				top = x
			}
		}
	}
	if zeros == len(v) {
		for i := range v {
			v[i] = math.NaN()
		}
		return
	}
	sum := 0.0
	for i, x := range v {
		switch {
		case math.Abs(x) <= zero:
			v[i] = 0
		case x == top:
			v[i] = 1
		default:
			v[i] = exp(x - top)
		}
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}

`

// oneVsAllSource is link.OneVsAll.
const oneVsAllSource = `// oneVsAll replaces scores by probabilities: a sigmoid for each class, divided by their sum. The
// sum of very small ones would be 0.
func oneVsAll(v []float64) {
	top := math.Inf(-1)
	for _, x := range v {
		if x > top {
			top = x
		}
	}
	if top < -700 {
		softmax(v)
		return
	}
	sum := 0.0
	for i, x := range v {
		v[i] = sigmoid(x)
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}

`

const signedSquareSource = `// signedSquare returns x * |x|.
func signedSquare(x float64) float64 {
	if x < 0 {
		return x * -x
	}
	return x * x
}

`

const softplusSource = `// softplus returns log(1 + e^x).
func softplus(x float64) float64 {
	y := log1p(exp(-math.Abs(x)))
	if x > 0 {
		y += x
	}
	return y
}

`

const aboveSource = `// above returns 1 for what is above 0, else 0.
func above(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 0:
		return 1
	}
	return 0
}

`

// approximateProbitSource is link.ApproximateProbit.
const approximateProbitSource = `// approximateProbit returns about the x below which a standard normal variable lies with
// probability p.
func approximateProbit(p float64) float64 {
	const (
		a     = float64(float32(0.147))
		pi    = float64(float32(3.14159))
		root2 = float64(float32(1.41421356))
	)
	y := float64(2*p) - 1
	l := log(float64((1 - y) * (1 + y)))
	half := float64(0.5*l) + 2/(pi*a)
	square := math.Sqrt(float64(half*half)-l/a) - half
	return math.Copysign(root2*math.Sqrt(square), y)
}

`

// clippedSource is link.Clipped.
const clippedSource = `// clipped replaces scores by probabilities: those above 0, divided by their sum.
func clipped(v []float64) {
	top := 0.0
	for _, x := range v {
		top = math.Max(top, x) // NaN if one is, as of rows that are refused
	}
	if top == 0 {
		for i := range v {
			v[i] = 1 / float64(len(v))
		}
		return
	}
	sum := 0.0
	for i, x := range v {
		if x == top {
			v[i] = 1
		} else {
			v[i] = math.Max(0, x/top)
		}
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}

`

const ascendingSource = `// ascending puts scores into ascending order.
func ascending(v []float64) {
	for i := range v {
		for k := i; k > 0 && v[k] < v[k-1]; k-- {
			v[k], v[k-1] = v[k-1], v[k]
		}
	}
}

`
