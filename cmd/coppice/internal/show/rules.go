package show

import (
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
)

// showRules shows a list of rules.
func (o *command) showRules(path string, v *describe.View) error {
	for _, flag := range []string{"path", "tree", "depth"} {
		if o.flags.Changed(flag) {
			return cli.Misusef("--%s is for trees: %s is a list of rules", flag, path)
		}
	}
	if o.format == "dot" || o.format == "svg" {
		return cli.Misusef(
			"--format %s draws trees: %s is a list of rules, use text, rules or json", o.format,
			path)
	}
	return o.write(func(out *cli.Console) error {
		switch {
		case o.JSONFlag.JSON:
			return out.JSON(v.Summarize())
		case o.format == "json":
			return out.JSON(map[string]any{"label": v.Spec.Label, "classes": v.Spec.Classes,
				"list": v.Rules})
		case o.format == "text":
			o.heading(out, path, v)
			out.Printf("\n")
		}
		return v.WriteRules(out.Out)
	})
}
