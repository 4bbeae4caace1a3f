package show

import (
	"io"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/model/rules"
)

// showRules shows a list of rules.
func (o *command) showRules(path string, m *rules.Rules) error {
	for _, flag := range []string{"path", "tree", "depth"} {
		if o.flags.Changed(flag) {
			return cli.Misusef("--%s is for trees: %s is a list of rules", flag, path)
		}
	}
	if o.format == "dot" || o.format == "svg" {
		return cli.Misusef("--format %s draws trees: %s is a list of rules, use text, rules or json", o.format, path)
	}
	return o.FileFlag.Write(o.Console, func(w io.Writer) error {
		out := *o.Console
		out.Out = w
		switch {
		case o.JSONFlag.JSON:
			s := describe.Summarize(m)
			s.List = m.Describe().Rules
			return out.JSON(s)
		case o.format == "json":
			return out.JSON(map[string]any{"label": m.Meta.Label, "classes": m.Meta.Classes, "list": m.Describe().Rules})
		case o.format == "text":
			o.heading(&out, path, m)
			out.Printf("\n")
		}
		return m.Write(w)
	})
}
