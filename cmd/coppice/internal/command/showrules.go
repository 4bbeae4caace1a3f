package command

import (
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model/rules"
)

// showRules shows a list of rules.
func (o *showCommand) showRules(path string, m *rules.Rules) error {
	for _, flag := range []string{"path", "tree", "depth"} {
		if o.flags.Changed(flag) {
			return misusef("--%s is for trees: %s is a list of rules", flag, path)
		}
	}
	if o.format == "dot" || o.format == "svg" {
		return misusef("--format %s draws trees: %s is a list of rules, use text, rules or json", o.format, path)
	}
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		out := *o.console
		out.out = w
		switch {
		case o.jsonFlag.json:
			s := summaryOfModel(m)
			s.List = ruleReports(m)
			return out.json(s)
		case o.format == "json":
			return out.json(map[string]any{"label": m.Meta.Label, "classes": m.Meta.Classes, "list": ruleReports(m)})
		case o.format == "text":
			o.heading(&out, path, m)
			out.printf("\n")
		}
		return m.Write(w)
	})
}

// ruleReport is a rule as it is printed in JSON.
type ruleReport struct {
	Rule      int       `json:"rule"` // its number
	If        []string  `json:"if"`   // all must hold; the last rule has none
	Class     string    `json:"class"`
	Fractions []float64 `json:"probabilities"` // of the classes, in their order
	// weight of the training rows for which the conditions hold
	Covers float64 `json:"covers"`
	Right  float64 `json:"right"` // the weight among it that has the class
	// weight of the training rows that no earlier rule decided
	Decides float64 `json:"decides"`
}

func ruleReports(m *rules.Rules) []ruleReport {
	words, fractions, labels := m.Words(), m.Probabilities(), m.Labels()
	reports := make([]ruleReport, len(m.List))
	for i := range m.List {
		r := &m.List[i]
		reports[i] = ruleReport{Rule: i, If: append([]string{}, words[i]...), Class: m.Meta.Classes[labels[i]], Fractions: fractions[i],
			Covers: r.Covered, Right: r.Right, Decides: r.Decided}
	}
	return reports
}

// printRules prints the rules of a model that was just trained, if they are few.
func (r *trainReport) printRules(c *console, m *rules.Rules) error {
	c.printf("\n")
	if len(m.List) <= printedLeaves {
		return m.Write(c.out)
	}
	c.printf("coppice show %s lists the rules.\n", humanize.Name(r.Model))
	return nil
}

// ruleWords describes the size of a list of rules.
func ruleWords(size modelSize) string {
	return fmt.Sprintf("%s, %s", humanize.Count(size.Rules, "rule", "rules"), humanize.Count(size.Conditions, "condition", "conditions"))
}
