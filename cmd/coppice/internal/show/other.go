package show

import (
	"io"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/model"
)

// showOther shows a model without trees or rules.
func (o *command) showOther(path string, m model.Model) error {
	d := m.Describe()
	for _, flag := range []string{"path", "tree", "depth"} {
		if o.flags.Changed(flag) {
			return cli.Misusef("--%s is for trees: %s consists of %s", flag, path, d.Title)
		}
	}
	if o.flags.Changed("format") && o.format != "text" && o.format != "json" {
		return cli.Misusef("--format %s draws trees: %s consists of %s, use text or json", o.format, path, d.Title)
	}
	return o.FileFlag.Write(o.Console, func(w io.Writer) error {
		out := *o.Console
		out.Out = w
		if o.JSONFlag.JSON || o.format == "json" {
			s := describe.Summarize(m)
			s.Content = d.Content
			return out.JSON(s)
		}
		o.heading(&out, path, m)
		if t := d.Table; t != nil && len(t.Rows) > 0 {
			out.Printf("\n")
			describe.PrintTable(&out, t, len(t.Rows))
		}
		describe.PrintHoldOut(&out, m.Spec())
		return nil
	})
}
