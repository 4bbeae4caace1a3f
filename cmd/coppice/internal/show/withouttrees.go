package show

import (
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
)

// showOther shows a model without trees or rules.
func (o *command) showOther(path string, v *describe.View) error {
	for _, flag := range []string{"path", "tree", "depth"} {
		if o.flags.Changed(flag) {
			return cli.Misusef("--%s is for trees: %s %s", flag, path, v.Obstructs())
		}
	}
	if o.flags.Changed("format") && o.format != "text" && o.format != "json" {
		return cli.Misusef("--format %s draws trees: %s %s, use text or json", o.format, path,
			v.Obstructs())
	}
	return o.write(func(out *cli.Console) error {
		if o.JSONFlag.JSON || o.format == "json" {
			return out.JSON(v.Summarize())
		}
		o.heading(out, path, v)
		if t := v.Table; t != nil && len(t.Rows) > 0 {
			out.Printf("\n")
			shown := len(t.Rows)
			if !o.Verbose && shown > shownTerms {
				shown = shownTerms
			}
			describe.PrintTable(out, t, shown)
			if more := len(t.Rows) - shown; more > 0 {
				out.Printf("and %d more: -v shows all.\n", more)
			}
		}
		describe.PrintTables(out, v.Training.Tables)
		return nil
	})
}
