package lightgbm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// plan is how an ensemble becomes a file: LightGBM has the same number of trees for each score, and
// scores are plain sums or means of them.
type plan struct {
	*model.Ensemble
	fields    []data.Field // after them trees have derived columns, all input.Nonzero
	objective string       // the line of the objective, "" for none
	average   bool         // scores are means
	named     bool         // pandas_categorical has levels, so that codes are places among them
	codes     [][]int32    // by column: the codes that its levels are; nil: their places
	parts     [][]part     // by iteration and score
}

// part is a tree of a file: one output of a tree of the model, as scale x value + shift.
type part struct {
	tree         *tree.Tree // nil: a constant, shift
	leaves       []int32    // the numbers that LightGBM had for the leaves, by node; nil: none
	output       int        // of the tree's values
	scale, shift float64
}

func cannot(what string, args ...any) error {
	return &codec.UnsupportedError{Format: textName,
		What: "LightGBM's text cannot hold " + fmt.Sprintf(what, args...)}
}

// newPlan plans the file of the rounds that the model uses by default.
func newPlan(e *model.Ensemble) (*plan, error) {
	numbers := [][]int32(nil)
	if e.Origin != nil && e.Origin.Tool == tool {
		numbers = e.Origin.Leaf
	}
	p := &plan{Ensemble: e.First(0), fields: e.Meta.Schema.Fields}
	if len(p.Trees) < len(e.Trees) {
		numbers = nil
	}
	if err := foreign.All(p.checkTraits, p.checkEquations, p.checkNames, p.findObjective); err != nil {
		return nil, err
	}
	p.objective = like(e.Origin, p.objective)
	p.findCodes()
	p.addParts(numbers)
	return p, nil
}

// checkTraits leaves out what concerns labels, since LightGBM's predictions have none.
func (p *plan) checkTraits() error {
	return foreign.CheckTraits(textName, p.Ensemble, foreign.Costs, foreign.Threshold, foreign.LabelBytes,
		foreign.ZeroMissing, foreign.ClassCounts, foreign.Equations)
}

// checkEquations refuses equations of derived columns.
func (p *plan) checkEquations() error {
	derived := func(f int32) bool { return int(f) >= len(p.fields) }
	for _, t := range p.Trees {
		if l := t.Leaf.Linear; l != nil && slices.ContainsFunc(l.Feature, derived) {
			return cannot("an equation of a derived column")
		}
	}
	return nil
}

// checkNames refuses columns whose names would break the lines of the text.
func (p *plan) checkNames() error {
	breaks := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	for i := range p.fields {
		if name := p.fields[i].Name; name == "" || strings.ContainsFunc(name, breaks) {
			return cannot("the column name %q: it needs a name without spaces", name)
		}
	}
	return nil
}

// findCodes finds out what the file has as categories: levels of a data frame, or codes alone.
func (p *plan) findCodes() {
	p.named = slices.ContainsFunc(p.fields, func(f data.Field) bool { return len(f.Levels) > 0 && !f.BareCodes() })
	p.codes = make([][]int32, len(p.fields))
	for i := range p.fields {
		if f := &p.fields[i]; !p.named && f.Format == data.CodeLevels {
			for _, level := range f.Levels {
				code, _ := strconv.ParseInt(level, 10, 32) // which the schema has checked
				p.codes[i] = append(p.codes[i], int32(code))
			}
		}
	}
}

// findObjective chooses the objective whose response is that of the model.
func (p *plan) findObjective() error {
	k, task := p.Scores(), p.Meta.Task
	d := link.Of(p.Link, k).Describe()
	l, factor := d.Kind, d.Factor
	one := k == 1 && task == data.Regression
	switch {
	case task == data.Survival:
		return cannot("a model of %s", task)
	case l == link.Identity() && k == 1 && task == data.Ranking:
		p.objective = "lambdarank"
	case l == link.Identity() && one && len(p.Meta.Quantiles) == 1:
		p.objective = "quantile"
	case l == link.Identity() && k == 1:
		p.objective = "regression"
	case l == link.Identity():
		p.objective = ""
	case l == link.Logistic() && k == 1 && task.Classes() && len(p.Meta.Classes) == 2:
		p.objective = fmt.Sprintf("binary sigmoid:%v", factor)
	case l == link.Logistic() && k > 1 && task.Classes():
		p.objective = fmt.Sprintf("multiclassova num_class:%d sigmoid:%v", k, factor)
	case l == link.Logistic() && one && factor == 1:
		p.objective = "cross_entropy"
	case l == link.Softmax() && k > 1 && task.Classes():
		p.objective = fmt.Sprintf("multiclass num_class:%d", k)
	case l == link.Exp() && one:
		p.objective = "poisson"
	case l == link.Softplus() && one:
		p.objective = "cross_entropy_lambda"
	case l == link.SignedSquare() && one:
		p.objective = "regression sqrt"
	default:
		return cannot("the link %s of a model of %s with %d scores", p.Link.Name(), task, k)
	}
	return nil
}

// addParts distributes the trees among iterations. Weights and start values go into the leaves:
//
//	sums     weight x value; the first tree of a score gets its start value too
//	means    weight x value x iterations / sum of weights of the score + start value, in all trees
//
// An output with fewer trees than others gets constants.
func (p *plan) addParts(numbers [][]int32) {
	parts := make([][]part, p.Scores())
	for i, t := range p.Trees {
		one := part{tree: t, scale: p.WeightOf(i)}
		if numbers != nil {
			one.leaves = numbers[i]
		}
		for k := range parts {
			if o := p.OutputOf(i); o < 0 {
				one.output = k
			} else if k != int(o) {
				continue
			}
			parts[k] = append(parts[k], one)
		}
	}
	n := 1
	for k := range parts {
		n = max(n, len(parts[k]))
	}
	divisors := p.Divisors()
	p.average = divisors != nil && n > 1
	p.parts = make([][]part, n)
	for i := range p.parts {
		for k := range parts {
			one := part{}
			if i < len(parts[k]) {
				if one = parts[k][i]; divisors != nil {
					one.scale = scaled(one.scale, float64(n)/divisors[k])
				}
			}
			if p.Bias != nil && (i == 0 || p.average) {
				one.shift = p.Bias[k]
			}
			p.parts[i] = append(p.parts[i], one)
		}
	}
}

// scaled multiplies a weight, and returns 1 where only rounding keeps the product from it.
func scaled(weight, factor float64) float64 {
	x := float64(weight * factor)
	if math.Abs(x-1) < 1e-14 {
		return 1
	}
	return x
}
