package show

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// candidatesReport is the object that show --candidates --json prints. Gains by impurity are per
// unit of weight.
type candidatesReport struct {
	Tree      int              `json:"tree"`
	Node      int              `json:"node"`
	Criterion string           `json:"criterion,omitempty"` // none: derivatives of the loss
	Classes   []string         `json:"classes,omitempty"`
	Gamma     *float64         `json:"gamma,omitempty"`
	Whole     branchReport     `json:"whole"`
	Columns   []columnReport   `json:"columns"`
	Notes     []string         `json:"notes,omitempty"`
	Chosen    *candidateReport `json:"chosen,omitempty"`
}

type columnReport struct {
	Column     string            `json:"column"`
	Candidates []candidateReport `json:"candidates"`
}

type candidateReport struct {
	Column     string   `json:"column"`
	SplitPoint *float64 `json:"split_point,omitempty"`
	SplitDate  string   `json:"split_date,omitempty"` // the split point, where it is a date
	Categories []string `json:"categories,omitempty"` // of the first branch
	// every category has a branch, in the order of the dictionary
	Multiway  bool           `json:"multiway,omitempty"`
	Known     bool           `json:"known,omitempty"`   // known against missing values
	Missing   string         `json:"missing,omitempty"` // the branch of missing values
	Gain      float64        `json:"gain"`
	LessGamma *float64       `json:"gain_minus_gamma,omitempty"`
	SplitInfo *float64       `json:"split_information,omitempty"`
	Ratio     *float64       `json:"gain_ratio,omitempty"`
	PValue    *float64       `json:"p_value,omitempty"`
	Best      bool           `json:"best"`
	Chosen    bool           `json:"chosen"`
	RuledOut  string         `json:"ruled_out_by,omitempty"`
	Branches  []branchReport `json:"branches,omitempty"`
}

type branchReport struct {
	Rows     int       `json:"rows"`
	Weight   float64   `json:"weight"`
	Classes  []float64 `json:"class_weights,omitempty"`
	Impurity *float64  `json:"impurity,omitempty"`
	Value    []float64 `json:"value,omitempty"`
	Gradient []float64 `json:"gradient,omitempty"`
	Hessian  []float64 `json:"hessian,omitempty"`
	Score    *float64  `json:"score,omitempty"`
}

func (l *listing) report() *candidatesReport {
	r := &candidatesReport{Tree: l.tree, Node: l.node, Criterion: l.Criterion,
		Classes: l.classes(), Whole: l.branch(&l.Whole), Notes: l.Notes,
		Columns: []columnReport{}}
	if l.Criterion == "" {
		r.Gamma = &l.Gamma
	}
	for i, list := range l.Columns {
		c := columnReport{Column: l.spec.Schema.Fields[i].Name, Candidates: []candidateReport{}}
		for k := range list {
			one := l.candidate(i, &list[k])
			c.Candidates = append(c.Candidates, one)
			if one.Chosen {
				r.Chosen = &one
			}
		}
		r.Columns = append(r.Columns, c)
	}
	return r
}

func (l *listing) branch(b *tree.Branch) branchReport {
	r := branchReport{Rows: b.Rows, Weight: b.Weight, Classes: b.Classes, Value: b.Value,
		Gradient: b.Gradient, Hessian: b.Hessian}
	if l.Criterion == "" {
		r.Score = &b.Score
	} else {
		r.Impurity = &b.Impurity
	}
	return r
}

func (l *listing) candidate(column int, c *tree.Candidate) candidateReport {
	field := &l.spec.Schema.Fields[column]
	r := candidateReport{Column: field.Name, Known: c.Known, Multiway: c.Kind == tree.ByCode,
		Gain: c.Gain / l.per(), Best: c.Best, Chosen: c.Chosen, RuledOut: c.Refused}
	if c.Kind == tree.Numeric && !math.IsInf(c.SplitPoint, 0) {
		r.SplitPoint = &c.SplitPoint
		_, r.SplitDate, _ = l.spec.Schema.DateSplit(column, c.SplitPoint)
	}
	for _, code := range c.Codes {
		r.Categories = append(r.Categories, levelOf(field, code))
	}
	switch c.Missing {
	case tree.MissingFirst:
		r.Missing = "first"
	case tree.MissingLast:
		r.Missing = "last"
	}
	if l.Criterion == "" {
		less := c.Gain - l.Gamma
		r.LessGamma = &less
	}
	if l.ratios() {
		r.SplitInfo, r.Ratio = &c.SplitInfo, &c.Ratio
	}
	if l.Chi2 > 0 {
		r.PValue = &c.PValue
	}
	for i := range c.Branches {
		r.Branches = append(r.Branches, l.branch(&c.Branches[i]))
	}
	return r
}

// levelOf returns the text of a category.
func levelOf(field *data.Field, code uint32) string {
	if int(code) < len(field.Levels) {
		return field.Levels[code]
	}
	return "?"
}
