package pmml

import (
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// output reads the names that a model gives to its prediction.
func (p *reader) output(m *part) error {
	return p.children(func(e *element) error {
		if e.name != "OutputField" {
			return p.skip()
		}
		if err := p.Take(64); err != nil {
			return err
		}
		name := e.get("name")
		switch e.get("feature") {
		case "predictedValue", "":
			m.outputs = append(m.outputs, name)
		case "transformedValue":
			if strings.HasPrefix(name, "Gaussian") || strings.HasPrefix(name, "Bernoulli") {
				return p.ofGBM(m, name)
			}
		}
		return p.skip()
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
func (p *reader) ofGBM(m *part, name string) error {
	return p.children(func(e *element) error {
		if name != gbmNumber && name != gbmScore && name != gbmProbability || e.name == "Extension" {
			return p.skip()
		}
		formula, err := p.formula(e)
		if err != nil {
			return err
		}
		if name == gbmProbability {
			if m.logistic = m.started && formula == gbmLogistic; !m.logistic {
				return unsupported("the output field %s that gbm does not write so", name)
			}
			return nil
		}
		for _, output := range m.outputs {
			if start, ok := strings.CutPrefix(formula, "+("+output+","); ok && !m.started {
				m.started = true
				m.start, err = finiteNumber(strings.TrimSuffix(start, ")"))
				return err
			}
		}
		return unsupported("the output field %s that gbm does not write so", name)
	})
}

// formula returns the text of an expression of functions, fields and constants, such as "+(x,1)";
// all others are "?".
func (p *reader) formula(e *element) (string, error) {
	if err := p.Take(256); err != nil {
		return "", err
	}
	switch e.name {
	case "FieldRef":
		return e.get("field"), p.skip()
	case "Constant":
		text, err := p.content()
		text = strings.TrimSpace(text)
		if x, wrong := finiteNumber(text); wrong == nil {
			text = data.NumberText(x, 64)
		}
		return text, err
	case "Apply":
		function := e.get("function")
		var arguments []string
		err := p.children(func(e *element) error {
			argument, err := p.formula(e)
			arguments = append(arguments, argument)
			return err
		})
		text := function + "(" + strings.Join(arguments, ",") + ")"
		if err == nil {
			err = p.Take(int64(len(text)))
		}
		return text, err
	}
	return "?", p.skip()
}
