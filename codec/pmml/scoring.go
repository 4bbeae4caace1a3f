package pmml

import "github.com/coppice-ml/coppice/data"

// scoring is how trees make a prediction: a sum or a mean of them for each score, then a link.
type scoring struct {
	task    data.Task
	classes []string
	trees   []*treeModel
	scores  int
	vector  bool // trees have a value for each class
	mean    bool // of the trees, by their weights
	bias    []float64
	link    string // "", "logit", "exp", "softmax", "probit", "simplemax" (of logit)
}

// classCode returns the number of a class.
func (f *file) classCode(text string, p *reader) int32 {
	if f.target == nil {
		f.target = &column{open: true, texts: true, dataType: "string"}
	}
	if !f.target.texts && len(f.target.levels) == 0 {
		f.target.texts, f.target.open = true, true
	}
	code := f.target.level(text, p.Budget)
	if code < 0 {
		fail("the class %.50q is not in the DataDictionary", text)
	}
	return code
}

// score makes the scoring of a model.
func (f *file) score(m *part) {
	switch {
	case m.method == "modelChain":
		f.scoreChain(m)
		return
	case m.regression != nil:
		refuse("a RegressionModel alone")
	}
	f.trees, f.scores = m.trees, 1
	if m.classes {
		if m.factor != 1 || m.constant != 0 || m.started {
			refuse("Targets of classes, or output fields of gbm")
		}
		f.vector = true
		f.setClasses(f.target)
		return
	}
	f.task = data.Regression
	f.mean = isMean(m)
	f.scale(m, 0, 1, m.start)
	if m.logistic {
		f.link = "logit"
	}
}

// isMean reports whether a model is the mean of its trees.
func isMean(m *part) bool { return m.method == "average" || m.method == "weightedAverage" }

// setClasses sets the classes to the values of a column.
func (f *file) setClasses(c *column) {
	f.mean = true
	if c == nil || len(c.levels) < 2 {
		refuse("a classification of less than two classes")
	}
	f.classes, f.scores, f.task = c.levels, len(c.levels), data.Multiclass
	if len(f.classes) == 2 {
		f.task = data.Binary
	}
}

// scale lets trees feed a score, as factor x (m.factor x value + m.constant) + shift.
func (f *file) scale(m *part, score int, factor, shift float64) {
	for len(f.bias) < f.scores {
		f.bias = append(f.bias, 0)
	}
	f.bias[score] = float64(factor*m.constant) + shift
	weights := 0.0
	for _, t := range m.trees {
		weights += t.weight
	}
	factor *= m.factor
	for _, t := range m.trees {
		t.output = int32(score)
		if f.mean && factor != 1 || !f.mean && isMean(m) {
			t.weight /= weights
		}
		t.weight *= factor
	}
	if factor != 1 {
		f.mean = false
	}
}

// scoreChain makes the scoring of models of numbers with a RegressionModel after them.
func (f *file) scoreChain(m *part) {
	n := len(m.chain)
	if n == 1 && m.factor == 1 && m.constant == 0 {
		f.score(m.chain[0])
		return
	}
	if n < 2 || m.chain[n-1].regression == nil || m.factor != 1 || m.constant != 0 {
		refuse("a modelChain that does not end with a RegressionModel")
	}
	r := m.chain[n-1].regression
	byName := map[string]*part{}
	for _, sub := range m.chain[:n-1] {
		if sub.classes || len(sub.trees) == 0 && !sub.isLogistic() {
			refuse("a modelChain of anything but trees of numbers, or a logit of them")
		}
		for _, name := range sub.outputs {
			byName[name] = sub
		}
	}
	f.setLink(r)
	for k, t := range r.tables[:f.scores] {
		sub, t := f.input(byName, t)
		f.trees = append(f.trees, sub.trees...)
		f.scale(sub, k, t.coefficient, t.intercept)
	}
}

// isLogistic reports whether a model is the logistic function of one equation.
func (m *part) isLogistic() bool {
	r := m.regression
	return r != nil && !r.classes && len(r.tables) == 1 &&
		(r.method == "logit" || r.method == "softmax")
}

// input returns the model that an equation has as input, none for the intercept alone, and the
// equation of it. Where a simplemax has logistic functions as inputs these are theirs. Each output
// is the input of one equation.
func (f *file) input(byName map[string]*part, t table) (*part, table) {
	if f.link == "simplemax" {
		sub := byName[t.field]
		if sub == nil || !sub.isLogistic() || t.coefficient != 1 || t.intercept != 0 {
			refuse("a simplemax of anything but logistic functions")
		}
		delete(byName, t.field)
		t = sub.regression.tables[0]
	}
	if t.field == "" {
		return &part{}, t
	}
	sub := byName[t.field]
	if sub == nil || sub.regression != nil {
		refuse("the field %.50q in a RegressionTable, which no sum of trees "+
			"predicts, or two tables have", t.field)
	}
	for _, name := range sub.outputs {
		delete(byName, name)
	}
	return sub, t
}

// setLink sets classes, scores and the link.
func (f *file) setLink(r *regression) {
	f.link, f.scores, f.task = r.method, 1, data.Regression
	switch f.link {
	case "none":
		f.link = ""
	case "softmax":
		if !r.classes {
			f.link = "logit" // as the standard defines it
		}
	case "", "logit", "exp", "probit", "simplemax":
	default:
		refuse("normalizationMethod %.50q", r.method)
	}
	if !r.classes {
		if len(r.tables) != 1 || f.link == "simplemax" {
			refuse("%d tables of a regression, or its simplemax", len(r.tables))
		}
		return
	}
	switch {
	case len(r.tables) == 2 && (f.link == "logit" || f.link == "probit"):
		if t := r.tables[1]; t.field != "" || t.intercept != 0 {
			refuse("%s of two equations for two classes", f.link)
		}
		f.classes, f.task = []string{r.tables[1].class, r.tables[0].class}, data.Binary
		return
	case f.link != "softmax" && f.link != "simplemax" || len(r.tables) < 2:
		refuse("normalizationMethod %.50q of %d classes", r.method, len(r.tables))
	}
	f.scores, f.task = len(r.tables), data.Multiclass
	if f.scores == 2 {
		f.task = data.Binary
	}
	for _, t := range r.tables {
		f.classes = append(f.classes, t.class)
	}
}
