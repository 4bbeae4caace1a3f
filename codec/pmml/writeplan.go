package pmml

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// plan is how an ensemble becomes a model of PMML.
type plan struct {
	*model.Ensemble
	form   form
	target string // the name of the label
	scores []score
	votes  bool    // of probabilities: each leaf is for one class
	method string  // of a chain: the normalizationMethod of its last model
	factor float64 // of a chain: of all scores
}

// form is the form of a plan.
type form uint8

// The forms.
const (
	probabilities form = iota // trees of classes, whose distributions or votes are averaged
	plain                     // trees of numbers: a sum or a mean
	chain                     // such a sum for each score, and a RegressionModel for the link
	oneVsAll                  // a chain with a RegressionModel for each class before the last one
)

// score is how trees make a score: their weighted sum, or their weighted mean, + bias.
type score struct {
	members []member
	mean    bool
	bias    float64
}

// member is a tree of a score.
type member struct {
	tree    *tree.Tree
	value   int // which of the tree's values
	weight  float64
	refused map[int32]bool // leaves without a prediction
}

// newPlan makes the plan of an ensemble.
func newPlan(e *model.Ensemble) (*plan, error) {
	p := &plan{Ensemble: e, factor: 1}
	check := func() error { return foreign.All(p.checkTraits, p.checkSpec, p.checkFields, p.chooseForm) }
	for _, step := range []func() error{check, p.addScores, p.checkProbabilities, p.checkOneVsAll} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// checkTraits refuses what PMML has no form for. Which names XML has is checked below.
func (p *plan) checkTraits() error {
	return foreign.CheckTraits(formatName, p.Ensemble, foreign.LabelBytes, foreign.ColumnBytes, foreign.Refusals,
		foreign.NoPrediction, foreign.ClassCounts, foreign.ByCode, foreign.Surrogates, foreign.Stops)
}

// checkSpec refuses models that PMML has no form for.
func (p *plan) checkSpec() error {
	s := &p.Meta
	switch {
	case len(s.Schema.Fields) == 0:
		return cannot("a model without columns")
	case s.Task.Classes() && len(s.Classes) < 2:
		return cannot("a classifier of one class")
	case !writable(s.Label):
		return cannot("the name of the label, which has characters that XML does not have")
	case s.Schema.TokensOf != nil:
		return cannot("texts that mean a missing value in one column alone")
	case slices.Contains(s.Classes, ""):
		return cannot("a class whose name is empty")
	case !allOf(s.Classes, writable) || !allOf(s.Schema.Tokens, writable):
		return cannot("a class or a text for missing values with characters that XML does not have")
	}
	return nil
}

// checkFields refuses columns that PMML has no form for, and finds a name for the target.
func (p *plan) checkFields() error {
	names := map[string]bool{}
	for i := range p.Meta.Schema.Fields {
		f := &p.Meta.Schema.Fields[i]
		names[f.Name] = true
		if f.Name == "" || !allOf(append([]string{f.Name}, f.Levels...), writable) {
			return cannot("the column %.50q: XML does not have all characters of its name or of a "+
				"category, or the name is empty", f.Name)
		}
	}
	if len(names) < len(p.Meta.Schema.Fields) {
		return cannot("two columns of one name")
	}
	if p.target = p.Meta.Label; p.target == "" {
		p.target = "target"
	}
	for names[p.target] {
		p.target += "_"
	}
	return nil
}

// allOf reports whether a condition holds for all texts.
func allOf(texts []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return !holds(s) })
}

// chooseForm chooses the form by the link.
func (p *plan) chooseForm() error {
	k, classes := p.width(), p.Meta.Task.Classes()
	l := link.Of(p.Link, k)
	d := l.Describe()
	p.form, p.factor = chain, d.Factor
	for method, of := range links {
		if of == d.Kind {
			p.method = method
		}
	}
	switch d.Kind {
	case link.Identity():
		if p.form = plain; classes {
			p.form = probabilities
			return nil
		}
	case link.OneVsAll():
		p.form = oneVsAll
	default:
		if p.method == "" {
			return cannot("the link %s", l.Name())
		}
	}
	several := p.method == "softmax" || p.method == "simplemax"
	switch {
	case !classes && k > 1:
		return cannot("a model of several numbers")
	case !classes && several, classes && k == 1 && several, classes && p.method == "exp":
		return cannot("the link %s of %d scores for %s", l.Name(), k, p.Meta.Task)
	case classes && k > 1 && !several:
		return cannot("the link %s of each class, whose probabilities do not add up to 1", l.Name())
	}
	return nil
}

// addScores distributes the trees among scores. A mean is that of the trees of a score.
func (p *plan) addScores() error {
	divisors := p.Divisors()
	p.scores = make([]score, p.width())
	for k := range p.scores {
		s := &p.scores[k]
		if p.Bias != nil {
			s.bias = p.Bias[k]
		}
		for i, t := range p.Trees {
			one := member{tree: t, weight: p.WeightOf(i), refused: p.refused(i)}
			if o := p.OutputOf(i); o < 0 {
				one.value = k
			} else if k != int(o) {
				continue
			}
			if divisors != nil && one.weight < 0 {
				return cannot("a mean with a negative weight")
			}
			s.members = append(s.members, one)
		}
		if len(s.members) == 0 { // a leaf of 0
			leaf, err := tree.NewBuilder(tree.Scalar, 1, false).Build()
			if err != nil {
				return err
			}
			s.members = []member{{tree: leaf, weight: 1}}
			continue
		}
		s.mean = divisors != nil
		if s.mean && !(divisors[k] > 0 && divisors[k] <= math.MaxFloat64) {
			return cannot("a mean of weights that add up to %v", divisors[k])
		}
	}
	return nil
}

// refused returns the leaves of tree i that have no prediction; nil: there are none.
func (p *plan) refused(i int) map[int32]bool {
	var leaves map[int32]bool
	for _, r := range p.Refused {
		if int(r.Tree) == i {
			if leaves == nil {
				leaves = map[int32]bool{}
			}
			leaves[r.Leaf] = true
		}
	}
	return leaves
}

// width returns the number of scores: without trees, two classes have one.
func (p *plan) width() int {
	if n := len(p.Meta.Classes); p.Meta.Task.Classes() && n > 2 {
		return n
	}
	return p.Scores()
}

// rounding is the difference that rounding may make to the sum of the probabilities of a leaf, or
// of the weights of trees.
const rounding = 1e-13

// checkProbabilities refuses trees of classes whose mean is no probability, and finds out whether
// all leaves are for one class.
func (p *plan) checkProbabilities() error {
	if p.form != probabilities {
		return nil
	}
	total := 0.0
	for i := range p.Trees {
		if total += p.WeightOf(i); p.WeightOf(i) < 0 {
			return cannot("class probabilities with negative weights")
		}
	}
	switch {
	case len(p.Trees) == 0:
		return cannot("class probabilities without trees")
	case p.Bias != nil && slices.ContainsFunc(p.Bias, func(b float64) bool { return b != 0 }):
		return cannot("class probabilities with start values")
	case p.Combine == model.Sum && !(math.Abs(total-1) <= rounding):
		return cannot("a sum of class probabilities that is no mean")
	}
	width := len(p.scores)
	p.votes = len(p.Trees) > 1
	counts := make([]float64, len(p.Meta.Classes))
	for i, t := range p.Trees {
		single := p.OutputOf(i) >= 0 && width > 1
		if t.Leaf.Width != width || t.Leaf.Linear != nil || single {
			return cannot("trees for single classes without a link")
		}
		refused := p.refused(i)
		for n := range int32(t.Len()) {
			v := t.Value(n)
			if v == nil || refused[n] || t.Kind(n) != tree.Leaf && t.Missing(n) != tree.MissingStop {
				continue
			}
			if err := classCounts(counts, t, v); err != nil {
				return err
			}
			p.votes = p.votes && slices.Max(counts) > 0 && oneClass(counts)
		}
	}
	return nil
}

// classCounts writes what the probabilities of a leaf are fractions of.
func classCounts(dst []float64, t *tree.Tree, v []float64) error {
	if len(v) == 1 {
		dst[0], dst[1] = 1-v[0], v[0]
	} else {
		copy(dst, v)
	}
	sum := 0.0
	for _, x := range dst {
		if sum += x; !(x >= 0) {
			return cannot("a leaf with a class probability below 0")
		}
	}
	if t.Leaf.Kind == tree.Counts {
		if sum == 0 {
			for k := range dst {
				dst[k] = 1
			}
		}
		if !(sum <= math.MaxFloat64/2) {
			return cannot("a leaf of so many rows")
		}
		return nil
	}
	if !(math.Abs(sum-1) <= rounding) {
		return cannot("a leaf whose class probabilities do not add up to 1")
	}
	return nil
}

// oneClass reports whether one count alone is not 0.
func oneClass(counts []float64) bool {
	n := 0
	for _, x := range counts {
		if x != 0 {
			n++
		}
	}
	return n == 1
}

// leastScore is the score from which on the probability of a class is not 0. Below it link.OneVsAll
// becomes a softmax.
const leastScore = -700

// checkOneVsAll refuses one-vs-all models in which all classes of a row may have the probability 0:
// PMML has no probabilities then.
func (p *plan) checkOneVsAll() error {
	if p.form != oneVsAll {
		return nil
	}
	for k := range p.scores {
		s := &p.scores[k]
		least, weights := 0.0, 0.0
		for _, m := range s.members {
			low, high := m.bounds()
			least += min(float64(m.weight*low), float64(m.weight*high))
			weights += m.weight
		}
		if s.mean {
			least /= weights
		}
		if least+s.bias >= leastScore {
			return nil
		}
	}
	return cannot("one-vs-all scores that may all be below %d", leastScore)
}

// bounds returns the least and the greatest value that a member may have.
func (m *member) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for n := range int32(m.tree.Len()) {
		if v := m.tree.Value(n); v != nil {
			x := valueOf(m.tree, v, m.value)
			low, high = min(low, x), max(high, x)
		}
	}
	return low, high
}

// valueOf returns one of the values of a node: of counts a probability.
func valueOf(t *tree.Tree, v []float64, at int) float64 {
	if t.Leaf.Kind != tree.Counts {
		return v[at]
	}
	fractions := make([]float64, len(v))
	tree.Probabilities(fractions, v)
	return fractions[at]
}
