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
			s.List = m.Describe().Rules
			return out.json(s)
		case o.format == "json":
			return out.json(map[string]any{"label": m.Meta.Label, "classes": m.Meta.Classes, "list": m.Describe().Rules})
		case o.format == "text":
			o.heading(&out, path, m)
			out.printf("\n")
		}
		return m.Write(w)
	})
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
