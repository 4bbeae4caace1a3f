package pmml

import "slices"

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
func (p *reader) model(e *element, replace map[int32]float64) *part {
	switch e.name {
	case "TreeModel":
		return p.tree(e, replace)
	case "MiningModel":
		return p.mining(e, replace)
	case "RegressionModel":
		return p.regression(e, replace)
	}
	refuse("a model %.50s: TreeModel and MiningModel can be read", e.name)
	return nil
}

// about reads an element that all models may have.
func (p *reader) about(e *element, m *part) {
	switch e.name {
	case "Targets":
		p.targets(m)
	case "Output":
		p.output(m)
	case "LocalTransformations":
		p.fields.transformations()
	case "Extension", "ModelStats", "ModelExplanation", "ModelVerification":
	default:
		refuse("%.50s in a model", e.name)
	}
}

// targets reads how predictions are scaled.
func (p *reader) targets(m *part) {
	p.children(func(e *element) {
		if e.name != "Target" {
			return
		}
		for _, name := range []string{"min", "max", "castInteger"} {
			if e.get(name) != "" {
				refuse("Target with %s", name)
			}
		}
		m.factor = e.number("rescaleFactor", 1)
		m.constant = e.number("rescaleConstant", 0)
		p.children(func(e *element) {
			if e.name == "TargetValue" && e.get("defaultValue") != "" {
				refuse("TargetValue with defaultValue")
			}
		})
	})
}

// mining reads a MiningModel.
func (p *reader) mining(e *element, replace map[int32]float64) *part {
	m := &part{classes: e.get("functionName") == "classification", factor: 1}
	if f := e.get("functionName"); !m.classes && f != "regression" {
		refuse("functionName %.50q", f)
	}
	p.children(func(e *element) {
		switch e.name {
		case "MiningSchema":
			replace = p.miningSchema(replace)
		case "Segmentation":
			if m.method != "" {
				fail("two segmentations")
			}
			p.segmentation(e, m, replace)
		default:
			p.about(e, m)
		}
	})
	if m.method == "" {
		refuse("a MiningModel without Segmentation")
	}
	return m
}

func (p *reader) segmentation(e *element, m *part, replace map[int32]float64) {
	switch m.method = e.get("multipleModelMethod"); m.method {
	case "sum", "weightedSum":
		if m.classes {
			refuse("the %s of classes", m.method)
		}
	case "average", "weightedAverage", "modelChain":
	case "majorityVote", "weightedMajorityVote":
		if !m.classes {
			refuse("%s of numbers", m.method)
		}
	default:
		refuse("multipleModelMethod %.50q", m.method)
	}
	p.children(func(e *element) {
		if e.name == "Segment" {
			p.segment(e, m, replace)
		}
	})
	switch {
	case len(m.chain) > 0:
	case len(m.trees) == 0:
		fail("a segmentation without segments")
	case !slices.ContainsFunc(m.trees, func(t *treeModel) bool { return t.condition == nil }):
		refuse("a %s whose segments all have conditions: rows of which none is true "+
			"have no prediction", m.method)
	}
}

// segment reads a segment.
func (p *reader) segment(e *element, m *part, replace map[int32]float64) {
	weight := e.number("weight", 1)
	var sub *part
	condition := predicate{}
	p.children(func(e *element) {
		switch {
		case e.name == "Extension":
		case isPredicate(e.name):
			if e.name != "True" && m.method != "sum" && m.method != "weightedSum" {
				refuse("%s of segments with the condition %s", m.method, e.name)
			}
			condition = p.predicate(e)
		case sub != nil:
			fail("a segment with two models")
		default:
			sub = p.model(e, replace)
		}
	})
	switch {
	case sub == nil:
		fail("a segment without a model")
	case sub.started:
		refuse("output fields of gbm in a segment")
	}
	p.join(m, sub, weight)
	if condition.operator == always {
		return
	}
	t := m.trees[len(m.trees)-1]
	if len(t.replace) > len(replace) {
		refuse("a segment with a condition and its own missingValueReplacement")
	}
	t.condition = &condition
}

// join adds a segment to a model.
func (p *reader) join(m, sub *part, weight float64) {
	p.Need(64)
	if m.method == "modelChain" {
		m.chain = append(m.chain, sub)
		return
	}
	if sub.regression != nil || sub.method != "" || sub.factor != 1 || sub.constant != 0 {
		refuse("%s of anything but trees", m.method)
	}
	if sub.classes != m.classes {
		fail("segments with classes and with numbers")
	}
	t := sub.trees[0]
	switch m.method {
	case "weightedSum", "weightedAverage", "weightedMajorityVote":
		t.weight = weight
	}
	t.fraction = m.method == "average" || m.method == "weightedAverage"
	m.trees = append(m.trees, t)
}
