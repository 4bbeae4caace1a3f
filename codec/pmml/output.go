package pmml

import (
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// output reads the names that a model gives to its prediction.
func (p *reader) output(m *part) {
	p.children(func(e *element) {
		if e.name != "OutputField" {
			return
		}
		p.Need(64)
		name := e.get("name")
		switch e.get("feature") {
		case "predictedValue", "":
			m.outputs = append(m.outputs, name)
		case "transformedValue":
			if strings.HasPrefix(name, "Gaussian") || strings.HasPrefix(name, "Bernoulli") {
				p.ofGBM(m, name)
			}
		}
	})
}

// The output fields of R's gbm. Its trees have no start value: that stands in the first or the
// second of these fields, and the third has the probability that gbm predicts.
//
//	GaussianPrediction           Predicted_y + start
//	BernoulliLinkPrediction      Predicted_y + start
//	BernoulliResponsePrediction  1 / (1 + exp(-1 * BernoulliLinkPrediction))
const (
	gbmNumber      = "GaussianPrediction"
	gbmScore       = "BernoulliLinkPrediction"
	gbmProbability = "BernoulliResponsePrediction"
	gbmLogistic    = "/(1,+(1,exp(*(-1," + gbmScore + "))))"
)

// ofGBM reads an output field that may be one of gbm's, which make the prediction of a model.
func (p *reader) ofGBM(m *part, name string) {
	p.children(func(e *element) {
		if name != gbmNumber && name != gbmScore && name != gbmProbability || e.name == "Extension" {
			return
		}
		formula := p.formula(e)
		if name == gbmProbability {
			if m.logistic = m.started && formula == gbmLogistic; !m.logistic {
				refuse("the output field %s that gbm does not write so", name)
			}
			return
		}
		for _, output := range m.outputs {
			if start, ok := strings.CutPrefix(formula, "+("+output+","); ok && !m.started {
				m.started = true
				m.start = number(strings.TrimSuffix(start, ")"))
				return
			}
		}
		refuse("the output field %s that gbm does not write so", name)
	})
}

// formula returns the text of an expression of functions, fields and constants, such as "+(x,1)";
// all others are "?".
func (p *reader) formula(e *element) string {
	p.Need(256)
	switch e.name {
	case "FieldRef":
		return e.get("field")
	case "Constant":
		text := strings.TrimSpace(p.content())
		if x, ok := finiteNumber(text); ok {
			text = data.NumberText(x, 64)
		}
		return text
	case "Apply":
		function := e.get("function")
		var arguments []string
		p.children(func(e *element) {
			arguments = append(arguments, p.formula(e))
		})
		text := function + "(" + strings.Join(arguments, ",") + ")"
		p.Need(int64(len(text)))
		return text
	}
	return "?"
}
