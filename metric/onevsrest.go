package metric

// classScores are the predictions of several classes, to be sorted one class after the other.
type classScores struct {
	*common
	weighted bool
	samples  []*Sample   // that stay as they are; nil: the columns have copies
	columns  []*scores   // by class
	found    []classArea // nil: not computed yet
}

// classArea is the area under the ROC curve of a class against all others.
type classArea struct {
	area   float64
	weight [2]float64 // of the other classes, and of the class
}

// defined reports whether there are rows of the class and of others.
func (a *classArea) defined() bool { return a.weight[0] > 0 && a.weight[1] > 0 }

// againstRest returns the scores of all classes, those of a block among them; nil of fewer than
// three classes.
func (c *common) againstRest(s *Sample) *classScores {
	if s.Width < 3 {
		return nil
	}
	if c.rest == nil {
		c.rest = &classScores{common: c, weighted: s.Weight != nil}
		for range s.Width {
			c.rest.columns = append(c.rest.columns, nil)
		}
	}
	if c.rested {
		return c.rest
	}
	c.rested = true
	if c.whole {
		c.rest.samples = append(c.rest.samples, s)
		return c.rest
	}
	for class := range c.rest.columns {
		if c.rest.columns[class] == nil {
			c.rest.columns[class] = newScores(c.rows, c.rest.weighted, c.store, int64(s.Width))
		}
		c.rest.columns[class].addClass(s, class)
	}
	return c.rest
}

// areas returns that of each class.
func (m *classScores) areas() []classArea {
	if m.found != nil {
		return m.found
	}
	for class, column := range m.columns {
		if column == nil {
			column = newScores(m.rows, m.weighted, m.store, 1)
			for _, s := range m.samples {
				column.addClass(s, class)
			}
		}
		var a classArea
		a.area, a.weight = column.area()
		m.found = append(m.found, a)
	}
	return m.found
}

// restAUC is the mean over classes of their areas.
type restAUC struct {
	*common
	scores   *classScores // nil: there are fewer than three classes
	name     string
	byWeight bool
}

// newAUCOfRest is the mean, over the classes that occur, of the area under the ROC curve of each
// class against all others (Provost & Domingos 2001): scikit-learn's roc_auc_score with
// multi_class="ovr" and average="macro". With weights, classes count by their rows, as with
// average="weighted".
func newAUCOfRest(name string, byWeight bool) begin {
	return func(c *common) sum { return &restAUC{common: c, name: name, byWeight: byWeight} }
}

func (m *restAUC) add(s *Sample) { m.scores = m.againstRest(s) }

func (m *restAUC) value() (float64, error) {
	if m.scores == nil {
		return 0, &Undefined{m.name, "it needs three classes or more"}
	}
	var areas mean
	for _, a := range m.scores.areas() {
		switch {
		case !a.defined():
		case m.byWeight:
			areas.add(a.area, a.weight[1])
		default:
			areas.add(a.area, 1)
		}
	}
	if areas.weight == 0 {
		return 0, &Undefined{m.name, "all rows are of one class"}
	}
	return areas.value(m.name)
}
