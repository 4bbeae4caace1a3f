package pmml

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
func (p *reader) regression(e *element, replace map[int32]float64) *part {
	r := &regression{classes: e.get("functionName") == "classification",
		method: e.get("normalizationMethod")}
	m := &part{classes: r.classes, factor: 1, regression: r}
	p.children(func(e *element) {
		switch e.name {
		case "MiningSchema":
			p.miningSchema(replace)
		case "RegressionTable":
			p.table(e, r)
		default:
			p.about(e, m)
		}
	})
	if m.factor != 1 || m.constant != 0 {
		refuse("Targets of a RegressionModel")
	}
	return m
}

func (p *reader) table(e *element, r *regression) {
	p.Need(256)
	t := table{class: e.get("targetCategory")}
	t.intercept = e.number("intercept", 0)
	p.children(func(e *element) {
		if e.name == "Extension" {
			return
		}
		if e.name != "NumericPredictor" || t.field != "" ||
			e.get("exponent") != "" && e.get("exponent") != "1" {
			refuse("a RegressionTable with more than one NumericPredictor")
		}
		if t.field = e.get("name"); t.field == "" {
			fail("a NumericPredictor without a name")
		}
		if e.get("coefficient") == "" {
			fail("a NumericPredictor without a coefficient")
		}
		t.coefficient = e.number("coefficient", 1)
	})
	r.tables = append(r.tables, t)
}
