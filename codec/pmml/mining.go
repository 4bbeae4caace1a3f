package pmml

import (
	"errors"
	"slices"
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
	start      float64 // of gbm, if started: it is added to the prediction
	started    bool
	logistic   bool // the prediction is the logistic function of that
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
	return nil, unsupported("a model %.50s: TreeModel and MiningModel can be read", e.name)
}

// about reads an element that all models may have.
func (p *reader) about(e *element, m *part) error {
	switch e.name {
	case "Targets":
		return p.targets(m)
	case "Output":
		return p.output(m)
	case "LocalTransformations":
		return p.fields.transformations()
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
	err := p.children(func(e *element) error {
		if e.name != "Segment" {
			return p.skip()
		}
		return p.segment(e, m, replace)
	})
	switch {
	case err != nil || len(m.chain) > 0:
		return err
	case len(m.trees) == 0:
		return errors.New("a segmentation without segments")
	case !slices.ContainsFunc(m.trees, func(t *treeModel) bool { return t.condition == nil }):
		return unsupported("a %s whose segments all have conditions: rows of which none is true "+
			"have no prediction", m.method)
	}
	return nil
}

// segment reads a segment.
func (p *reader) segment(e *element, m *part, replace map[int32]float64) error {
	weight, err := e.number("weight", 1)
	if err != nil {
		return err
	}
	var sub *part
	condition := predicate{}
	err = p.children(func(e *element) (err error) {
		switch {
		case e.name == "Extension":
			return p.skip()
		case isPredicate(e.name):
			if e.name != "True" && m.method != "sum" && m.method != "weightedSum" {
				return unsupported("%s of segments with the condition %s", m.method, e.name)
			}
			condition, err = p.predicate(e)
			return err
		case sub != nil:
			return errors.New("a segment with two models")
		}
		sub, err = p.model(e, replace)
		return err
	})
	switch {
	case err != nil:
		return err
	case sub == nil:
		return errors.New("a segment without a model")
	case sub.started:
		return unsupported("output fields of gbm in a segment")
	}
	if err := p.join(m, sub, weight); err != nil || condition.operator == always {
		return err
	}
	t := m.trees[len(m.trees)-1]
	if len(t.replace) > len(replace) {
		return unsupported("a segment with a condition and its own missingValueReplacement")
	}
	t.condition = &condition
	return nil
}

// join adds a segment to a model.
func (p *reader) join(m, sub *part, weight float64) error {
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
