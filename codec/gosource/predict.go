package gosource

import (
	"fmt"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/data"
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
	of := ""
	if g.scores == 1 && len(m.Meta.Classes) == 2 && m.Meta.Task.Classes() {
		of = fmt.Sprintf(" It is the score of class %q.", m.Meta.Classes[1])
	}
	g.printf("// Raw returns the raw score of a row, before the link function.%s\n"+
		"func Raw(r *Row) %s {\n", of, g.scoreType())
	g.guard(notNumbers(g.scores))
	if len(g.statistics) > 0 {
		g.printf("\td := derive(r)\n\treturn raw(&d)\n}\n\nfunc raw(r *derived) %s {\n", g.scoreType())
	}
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
		g.addTree(i, m.WeightOf(i))
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
	if o := g.model.Output; o != nil && o[i] >= 0 {
		output = int(o[i])
	}
	call := g.form.call(i, weight, output)
	if call == "" {
		return
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
	l := g.model.Link
	source, ok := sourceOf(l)
	if !ok {
		return unsupported("the link %s", l.Name())
	}
	g.printf("// Predict returns the response of a row%s.\n", g.responseWords())
	switch {
	case g.fromOneScore():
		g.twoClasses(l, &source)
	case source.row != "" && g.scores == 1:
		g.printf("func Predict(r *Row) float64 {\n\ts := [1]float64{Raw(r)}\n\t%s(s[:])\n"+
			"\treturn s[0]\n}\n\n", source.row)
	case source.row != "":
		g.printf("func Predict(r *Row) %s {\n\ts := Raw(r)\n\t%s(s[:])\n\treturn s\n}\n\n",
			g.scoreType(), source.row)
	case source.each == "":
		g.printf("func Predict(r *Row) %s { return Raw(r) }\n\n", g.scoreType())
	default:
		g.printf("func Predict(r *Row) %s {\n\ts := Raw(r)\n", g.scoreType())
		g.each(source.each)
		g.printf("\treturn s\n}\n\n")
	}
	g.WriteString(source.own)
	code, err := copied(source.copied)
	g.WriteString(code)
	return err
}

// fromOneScore reports whether one score makes the probabilities of two classes.
func (g *generator) fromOneScore() bool { return g.scores == 1 && g.model.Outputs() == 2 }

// responseWords describes the response.
func (g *generator) responseWords() string {
	switch {
	case g.model.Meta.Task == data.Anomaly:
		return ": its anomaly score"
	case len(g.classes) > 0:
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

// twoClasses writes Predict where one score stands for two classes. A symmetric link is applied to
// both signs.
func (g *generator) twoClasses(l link.Link, source *linkSource) {
	g.printf("func Predict(r *Row) [2]float64 {\n\ts := Raw(r)\n")
	switch {
	case link.OrIdentity(l).Describe().Symmetric:
		g.printf("\treturn [2]float64{"+source.each+", "+source.each+"}\n}\n\n", "-s", "s")
		return
	case source.row != "":
		g.printf("\tp := [1]float64{s}\n\t%s(p[:])\n\ts = p[0]\n", source.row)
	case source.each != "":
		g.printf("\ts = "+source.each+"\n", "s")
	}
	g.printf("\treturn [2]float64{1 - s, s}\n}\n\n")
}

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
		"func Label(r *Row) int {\n")
	g.guard("-1")
	g.printf("\tp := Predict(r)\n")
	d := &g.model.Meta.Decision
	switch {
	case d.Threshold == 0 && d.Costs != nil:
		g.costs(d.Costs)
	case d.Threshold == 0:
		g.printf("\tbest := 0\n\tfor k := range p {\n\t\tif p[k] > p[best] {\n" +
			"\t\t\tbest = k\n\t\t}\n\t}\n\treturn best\n}\n\n")
	case d.FirstPositive:
		g.printf("\tif p[0] > %s {\n\t\treturn 0\n\t}\n\treturn 1\n}\n\n", number(d.Threshold))
	case g.model.Meta.Task == data.Anomaly:
		g.printf("\tif p > %s {\n\t\treturn 1\n\t}\n\treturn 0\n}\n\n", number(d.Threshold))
	default:
		g.printf("\tif p[1] > %s {\n\t\treturn 1\n\t}\n\treturn 0\n}\n\n", number(d.Threshold))
	}
}

// costs writes the end of Label where the class of least expected cost is predicted, as data.Costs
// chooses it, and what it calls.
func (g *generator) costs(costs data.Costs) {
	g.printf("\tbest, least := 0, expectedCost(&p, 0)\n\tfor j := 1; j < len(p); j++ {\n"+
		"\t\tif c := expectedCost(&p, j); c < least*(1-1e-12) {\n\t\t\tbest, least = j, c\n\t\t}\n"+
		"\t}\n\treturn best\n}\n\n"+
		"// costs are what predictions cost: of the first class, the one in the first place.\n"+
		"var costs = [...][%d]float64{\n", len(costs))
	for _, row := range costs {
		g.printf("\t{%s},\n", joined(row))
	}
	g.printf("}\n\n// expectedCost returns what predicting a class costs on average.\n"+
		"func expectedCost(p *[%d]float64, predicted int) float64 {\n\tsum := 0.0\n"+
		"\tfor k, x := range p {\n\t\tsum += float64(x * costs[k][predicted])\n\t}\n"+
		"\treturn sum\n}\n\n", len(costs))
}
