package pmml

import "errors"

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
