package pmml

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// part is a model of a file, which may be a segment of another.
type part struct {
	classes    bool
	trees      []*treeModel
	method     string // of MiningModel: multipleModelMethod
	factor     float64
	constant   float64 // a prediction is factor x the trees' + constant
	outputs    []string
	chain      []*part
	regression *regression
}

// regression is a RegressionModel: the last of a chain.
type regression struct {
	classes bool
	method  string
	tables  []table
}

// table is an equation: intercept + coefficient x the field of that name; "": the intercept alone.
type table struct {
	class       string
	field       string
	intercept   float64
	coefficient float64
}

// model reads the model that element e starts.
func (p *reader) model(e *element, replace map[int32]float64) (*part, error) {
	switch e.name {
	case "TreeModel":
		return p.tree(e, replace)
	case "MiningModel":
		return p.mining(e, replace)
	case "RegressionModel":
		return p.regression(e, replace)
	}
	return nil, unsupported("a model %.50s", e.name)
}

// about reads an element that all models may have.
func (p *reader) about(e *element, m *part) error {
	switch e.name {
	case "Targets":
		return p.targets(m)
	case "Output":
		return p.children(func(e *element) error {
			if e.name == "OutputField" {
				if err := p.Take(64); err != nil {
					return err
				}
				if f := e.get("feature"); f == "predictedValue" || f == "" {
					m.outputs = append(m.outputs, e.get("name"))
				}
			}
			return p.skip()
		})
	case "LocalTransformations":
		return p.transformations()
	case "Extension", "ModelStats", "ModelExplanation", "ModelVerification":
		return p.skip()
	}
	return unsupported("%.50s in a model", e.name)
}

// targets reads how predictions are scaled.
func (p *reader) targets(m *part) error {
	return p.children(func(e *element) (err error) {
		if e.name != "Target" {
			return p.skip()
		}
		for _, name := range []string{"min", "max", "castInteger"} {
			if e.get(name) != "" {
				return unsupported("Target with %s", name)
			}
		}
		if m.factor, err = e.number("rescaleFactor", 1); err != nil {
			return err
		}
		if m.constant, err = e.number("rescaleConstant", 0); err != nil {
			return err
		}
		return p.children(func(e *element) error {
			if e.name == "TargetValue" && e.get("defaultValue") != "" {
				return unsupported("TargetValue with defaultValue")
			}
			return p.skip()
		})
	})
}

// mining reads a MiningModel.
func (p *reader) mining(e *element, replace map[int32]float64) (*part, error) {
	m := &part{classes: e.get("functionName") == "classification", factor: 1}
	if f := e.get("functionName"); !m.classes && f != "regression" {
		return nil, unsupported("functionName %.50q", f)
	}
	err := p.children(func(e *element) (err error) {
		switch e.name {
		case "MiningSchema":
			replace, err = p.miningSchema(replace)
			return err
		case "Segmentation":
			if m.method != "" {
				return errors.New("two segmentations")
			}
			return p.segmentation(e, m, replace)
		}
		return p.about(e, m)
	})
	if err == nil && m.method == "" {
		err = unsupported("a MiningModel without Segmentation")
	}
	return m, err
}

func (p *reader) segmentation(e *element, m *part, replace map[int32]float64) error {
	switch m.method = e.get("multipleModelMethod"); m.method {
	case "sum", "weightedSum":
		if m.classes {
			return unsupported("the %s of classes", m.method)
		}
	case "average", "weightedAverage", "modelChain":
	case "majorityVote", "weightedMajorityVote":
		if !m.classes {
			return unsupported("%s of numbers", m.method)
		}
	default:
		return unsupported("multipleModelMethod %.50q", m.method)
	}
	return p.children(func(e *element) error {
		if e.name != "Segment" {
			return p.skip()
		}
		weight, err := e.number("weight", 1)
		if err != nil {
			return err
		}
		var sub *part
		err = p.children(func(e *element) (err error) {
			switch {
			case e.name == "True":
				return p.skip()
			case e.name == "Extension":
				return p.skip()
			case isPredicate(e.name):
				return unsupported("a segment with the condition %s", e.name)
			case sub != nil:
				return errors.New("a segment with two models")
			}
			sub, err = p.model(e, replace)
			return err
		})
		if err != nil {
			return err
		}
		if sub == nil {
			return errors.New("a segment without a model")
		}
		return p.segment(m, sub, weight)
	})
}

// segment adds a segment to a model.
func (p *reader) segment(m, sub *part, weight float64) error {
	if err := p.Take(64); err != nil {
		return err
	}
	if m.method == "modelChain" {
		m.chain = append(m.chain, sub)
		return nil
	}
	if sub.regression != nil || sub.method != "" || sub.factor != 1 || sub.constant != 0 {
		return unsupported("%s of anything but trees", m.method)
	}
	if sub.classes != m.classes {
		return errors.New("segments with classes and with numbers")
	}
	t := sub.trees[0]
	switch m.method {
	case "weightedSum", "weightedAverage", "weightedMajorityVote":
		t.weight = weight
	}
	t.fraction = m.method == "average" || m.method == "weightedAverage"
	m.trees = append(m.trees, t)
	return nil
}

// regression reads a RegressionModel.
func (p *reader) regression(e *element, replace map[int32]float64) (*part, error) {
	r := &regression{classes: e.get("functionName") == "classification",
		method: e.get("normalizationMethod")}
	m := &part{classes: r.classes, factor: 1, regression: r}
	err := p.children(func(e *element) error {
		switch e.name {
		case "MiningSchema":
			_, err := p.miningSchema(replace)
			return err
		case "RegressionTable":
			return p.table(e, r)
		}
		return p.about(e, m)
	})
	if err == nil && (m.factor != 1 || m.constant != 0) {
		err = unsupported("Targets of a RegressionModel")
	}
	return m, err
}

func (p *reader) table(e *element, r *regression) (err error) {
	if err := p.Take(256); err != nil {
		return err
	}
	t := table{class: e.get("targetCategory")}
	if t.intercept, err = e.number("intercept", 0); err != nil {
		return err
	}
	err = p.children(func(e *element) (err error) {
		if e.name == "Extension" {
			return p.skip()
		}
		if e.name != "NumericPredictor" || t.field != "" ||
			e.get("exponent") != "" && e.get("exponent") != "1" {
			return unsupported("a RegressionTable with more than one NumericPredictor")
		}
		if t.field = e.get("name"); t.field == "" {
			return errors.New("a NumericPredictor without a name")
		}
		if e.get("coefficient") == "" {
			return errors.New("a NumericPredictor without a coefficient")
		}
		if t.coefficient, err = e.number("coefficient", 1); err != nil {
			return err
		}
		return p.skip()
	})
	r.tables = append(r.tables, t)
	return err
}

// scoring is how trees make a prediction: a sum or a mean of them for each score, then a link.
type scoring struct {
	task    data.Task
	classes []string
	trees   []*treeModel
	scores  int
	vector  bool // trees have a value for each class
	mean    bool // of the trees, by their weights
	bias    []float64
	link    string // "", "logit", "exp", "softmax", "probit"
}

// classCode returns the number of a class.
func (f *file) classCode(text string, p *reader) (int32, error) {
	if f.target == nil {
		f.target = &column{open: true, texts: true, dataType: "string"}
	}
	if !f.target.texts && len(f.target.levels) == 0 {
		f.target.texts, f.target.open = true, true
	}
	code, err := f.target.level(text, p.Budget)
	if err == nil && code < 0 {
		err = fmt.Errorf("the class %.50q is not in the DataDictionary", text)
	}
	return code, err
}

// score makes the scoring of a model.
func (f *file) score(m *part) error {
	switch {
	case m.method == "modelChain":
		return f.scoreChain(m)
	case m.regression != nil:
		return unsupported("a RegressionModel alone")
	}
	f.trees, f.scores = m.trees, 1
	if m.classes {
		if m.factor != 1 || m.constant != 0 {
			return unsupported("Targets of classes")
		}
		f.vector = true
		return f.setClasses(f.target)
	}
	f.task = data.Regression
	f.mean = isMean(m)
	f.scale(m, 0, 1, 0)
	return nil
}

// isMean reports whether a model is the mean of its trees.
func isMean(m *part) bool { return m.method == "average" || m.method == "weightedAverage" }

// setClasses sets the classes to the values of a column.
func (f *file) setClasses(c *column) error {
	f.mean = true
	if c == nil || len(c.levels) < 2 {
		return unsupported("a classification of less than two classes")
	}
	f.classes, f.scores, f.task = c.levels, len(c.levels), data.Multiclass
	if len(f.classes) == 2 {
		f.task = data.Binary
	}
	return nil
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
func (f *file) scoreChain(m *part) error {
	n := len(m.chain)
	if n == 1 && m.factor == 1 && m.constant == 0 {
		return f.score(m.chain[0])
	}
	if n < 2 || m.chain[n-1].regression == nil || m.factor != 1 || m.constant != 0 {
		return unsupported("a modelChain that does not end with a RegressionModel")
	}
	r := m.chain[n-1].regression
	byName := map[string]*part{}
	for _, sub := range m.chain[:n-1] {
		if sub.classes || len(sub.trees) == 0 {
			return unsupported("a modelChain of anything but trees of numbers")
		}
		for _, name := range sub.outputs {
			byName[name] = sub
		}
	}
	if err := f.setLink(r); err != nil {
		return err
	}
	for k, t := range r.tables[:f.scores] {
		sub := byName[t.field]
		if t.field == "" {
			sub = &part{}
		}
		if sub == nil {
			return unsupported("the field %.50q in a RegressionTable, which no segment predicts, or "+
				"two tables have", t.field)
		}
		for _, name := range sub.outputs {
			delete(byName, name)
		}
		f.trees = append(f.trees, sub.trees...)
		f.scale(sub, k, t.coefficient, t.intercept)
	}
	return nil
}

// setLink sets classes, scores and the link.
func (f *file) setLink(r *regression) error {
	f.link, f.scores, f.task = r.method, 1, data.Regression
	switch f.link {
	case "none":
		f.link = ""
	case "softmax":
		if !r.classes {
			f.link = "logit" // as the standard defines it
		}
	case "", "logit", "exp", "probit":
	default:
		return unsupported("normalizationMethod %.50q", r.method)
	}
	if !r.classes {
		if len(r.tables) != 1 {
			return unsupported("%d tables of a regression", len(r.tables))
		}
		return nil
	}
	switch {
	case len(r.tables) == 2 && f.link == "logit":
		if t := r.tables[1]; t.field != "" || t.intercept != 0 {
			return unsupported("logit of two equations for two classes")
		}
		f.classes, f.task = []string{r.tables[1].class, r.tables[0].class}, data.Binary
		return nil
	case f.link != "softmax" || len(r.tables) < 2:
		return unsupported("normalizationMethod %.50q of %d classes", r.method, len(r.tables))
	}
	f.scores, f.task = len(r.tables), data.Multiclass
	if f.scores == 2 {
		f.task = data.Binary
	}
	for _, t := range r.tables {
		f.classes = append(f.classes, t.class)
	}
	return nil
}
