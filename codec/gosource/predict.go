package gosource

import (
	"fmt"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// number writes a float64 without loss, but for the sign of zero, which no sum and no comparison of
// generated programs depends on.
func number(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.IsInf(x, 1):
		return "math.Inf(1)"
	case math.IsInf(x, -1):
		return "math.Inf(-1)"
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// predict writes the functions Raw, Predict and Label.
func (g *generator) predict() error {
	g.raw()
	if err := g.response(); err != nil {
		return err
	}
	if len(g.classes) > 0 {
		g.label()
	}
	if g.exponential() {
		g.WriteString(kernel.ExpSource())
	}
	return nil
}

// scoreType is the type of Raw.
func (g *generator) scoreType() string { return arrayType(g.scores) }

// arrayType is the type of so many numbers.
func arrayType(n int) string {
	if n == 1 {
		return "float64"
	}
	return fmt.Sprintf("[%d]float64", n)
}

// raw writes Raw, which adds up the trees in their order, as the engine does.
func (g *generator) raw() {
	m := g.model
	g.printf("// Raw returns the raw score of a row, before the link function.\n"+
		"func Raw(r *Row) %s {\n", g.scoreType())
	divisors := m.Divisors()
	mean := divisors != nil
	bias := make([]float64, g.scores)
	for k, b := range m.Bias {
		bias[k] = b + 0 // no negative zero
	}
	if g.scores == 1 {
		start := bias[0]
		if mean {
			start = 0
		}
		g.printf("\ts := float64(%s)\n", number(start))
	} else {
		g.printf("\tvar s %s\n", g.scoreType())
		for k, b := range bias {
			if b != 0 && !mean {
				g.printf("\ts[%d] = %s\n", k, number(b))
			}
		}
	}
	g.printf("%s", g.form.start())
	for i := range m.Trees {
		w := 1.0
		if m.Weights != nil {
			w = m.Weights[i]
		}
		g.addTree(i, w)
	}
	if mean {
		for k, b := range bias {
			g.printf("\t%s = %s/%s + %s\n", g.score(k), g.score(k), number(divisors[k]), number(b))
		}
	}
	g.printf("\treturn s\n}\n\n")
}

// score is the variable of a score.
func (g *generator) score(k int) string {
	if g.scores == 1 {
		return "s"
	}
	return fmt.Sprintf("s[%d]", k)
}

// addTree writes the addition of a tree.
func (g *generator) addTree(i int, weight float64) {
	t, output := g.model.Trees[i], 0
	call := g.form.call(i)
	if o := g.model.Output; o != nil && o[i] >= 0 {
		output = int(o[i])
	}
	if t.Leaf.Width == 1 {
		if weight != 1 {
			call = fmt.Sprintf("float64(%s * %s)", number(weight), call)
		}
		g.printf("\t%s += %s\n", g.score(output), call)
		return
	}
	g.printf("\tadd(&s, %s, %s)\n", number(weight), call)
}

// response writes Predict.
func (g *generator) response() error {
	m := g.model
	l := m.Link
	if l == nil {
		l = link.Identity{}
	}
	if len(g.classes) == 2 && g.scores == 1 {
		return g.twoClasses(l)
	}
	g.printf("// Predict returns the response of a row%s.\nfunc Predict(r *Row) %s {\n"+
		"\ts := Raw(r)\n", g.responseWords(), g.scoreType())
	switch l := l.(type) {
	case link.Identity:
	case link.Exp:
		g.each("exp(%s)")
	case link.Logistic:
		g.each("sigmoid(%s)")
	case link.ScaledLogistic:
		g.each("sigmoid(float64(" + number(l.Factor) + " * %s))")
	case link.Softmax:
		g.printf("\tsoftmax(s[:])\n")
	case link.OneVsAll:
		g.printf("\toneVsAll(s[:])\n")
	case link.SignedSquare:
		g.each("signedSquare(%s)")
	default:
		return unsupported("the link %s", l.Name())
	}
	g.printf("\treturn s\n}\n\n")
	g.linkFunctions(l)
	return nil
}

// responseWords describes the response.
func (g *generator) responseWords() string {
	if len(g.classes) > 0 {
		return ": the probability of each class, in the order of Classes"
	}
	return ""
}

// each applies a function to each score.
func (g *generator) each(function string) {
	if g.scores == 1 {
		g.printf("\ts = "+function+"\n", "s")
		return
	}
	g.printf("\tfor k := range s {\n\t\ts[k] = "+function+"\n\t}\n", "s[k]")
}

// twoClasses writes Predict where one score stands for two classes.
func (g *generator) twoClasses(l link.Link) error {
	g.printf("// Predict returns the response of a row%s.\nfunc Predict(r *Row) [2]float64 {\n"+
		"\ts := Raw(r)\n", g.responseWords())
	switch l := l.(type) {
	case link.Logistic:
		g.printf("\treturn [2]float64{sigmoid(-s), sigmoid(s)}\n}\n\n")
	case link.ScaledLogistic:
		k := number(l.Factor)
		g.printf("\treturn [2]float64{sigmoid(float64(%s * -s)), sigmoid(float64(%s * s))}\n"+
			"}\n\n", k, k)
	case link.Identity:
		g.printf("\treturn [2]float64{1 - s, s}\n}\n\n")
	default:
		return unsupported("the link %s of two classes", l.Name())
	}
	g.linkFunctions(l)
	return nil
}

// linkFunctions writes what the link needs beside exp.
func (g *generator) linkFunctions(l link.Link) {
	switch l.(type) {
	case link.Logistic, link.ScaledLogistic:
		g.WriteString(sigmoidSource)
	case link.Softmax:
		g.WriteString(softmaxSource)
	case link.OneVsAll:
		g.WriteString(sigmoidSource + softmaxSource + oneVsAllSource)
	case link.SignedSquare:
		g.WriteString(signedSquareSource)
	}
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
		top = max(top, x)
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

// oneVsAllSource is link.OneVsAll.
const oneVsAllSource = `// oneVsAll replaces scores by probabilities: a sigmoid for each class, divided by their sum. The
// sum of very small ones would be 0.
func oneVsAll(v []float64) {
	top := math.Inf(-1)
	for _, x := range v {
		top = max(top, x)
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

// label writes Label and the names of the classes.
func (g *generator) label() {
	g.printf("// Classes are the names of the classes, in the order of their probabilities.\n" +
		"var Classes = [...]string{")
	for i, class := range g.model.Meta.Classes {
		if i > 0 {
			g.printf(", ")
		}
		g.printf("%q", class)
	}
	g.printf("}\n\n// The places of the classes in Classes.\nconst (\n")
	for i, class := range g.classes {
		iota := ""
		if i == 0 {
			iota = " = iota"
		}
		g.printf("\t%s%s\n", class, iota)
	}
	g.printf(")\n\n// Label returns the place in Classes of the predicted class of a row.\n" +
		"func Label(r *Row) int {\n\tp := Predict(r)\n")
	d := &g.model.Meta.Decision
	switch {
	case d.Threshold == 0:
		g.printf("\tbest := 0\n\tfor k := range p {\n\t\tif p[k] > p[best] {\n" +
			"\t\t\tbest = k\n\t\t}\n\t}\n\treturn best\n}\n\n")
	case d.FirstPositive:
		g.printf("\tif p[0] > %s {\n\t\treturn 0\n\t}\n\treturn 1\n}\n\n", number(d.Threshold))
	default:
		g.printf("\tif p[1] > %s {\n\t\treturn 1\n\t}\n\treturn 0\n}\n\n", number(d.Threshold))
	}
}
