package show

import (
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// memberOf returns the member that --member names.
func (o *command) memberOf(path string, m model.Model) (model.Model, error) {
	members := m.Children()
	if members == nil {
		hint := ""
		if m.Describe().Size.Trees > 1 {
			hint = " of trees, use --tree"
		}
		return nil, cli.Misusef("--member is for models that consist of several: %s is one%s",
			path, hint)
	}
	if o.member < 0 || o.member >= len(members) {
		return nil, cli.Misusef("--member %d: the model has %s, counted from 0", o.member,
			humanize.Count(len(members), "member", "members"))
	}
	return members[o.member].Model, nil
}

// showMembers lists the members of an ensemble of models.
func (o *command) showMembers(path string, v *describe.View) error {
	for _, flag := range []string{"path", "tree", "depth", "format"} {
		if o.flags.Changed(flag) {
			return cli.Misusef(
				"--%s is for a single member: choose one of the %d of %s by --member", flag,
				v.Size.Members, path)
		}
	}
	return o.write(func(out *cli.Console) error {
		if o.JSONFlag.JSON {
			return out.JSON(v.Summarize())
		}
		o.heading(out, path, v)
		out.Printf("\n")
		v.PrintMembers(out, limitOf(o, shownTerms))
		describe.PrintTables(out, v.Training.Tables)
		return nil
	})
}
