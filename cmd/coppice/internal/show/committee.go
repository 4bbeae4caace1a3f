package show

import (
	"io"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
)

// memberOf returns the member that --member names.
func (o *command) memberOf(path string, m model.Model) (model.Model, error) {
	members := describe.Members(m)
	if members == nil {
		return nil, cli.Misusef("--member is for models that consist of several: %s is one%s", path, treeHint(m))
	}
	if o.member < 0 || o.member >= len(members) {
		return nil, cli.Misusef("--member %d: the model has %s, counted from 0", o.member, humanize.Count(len(members), "member", "members"))
	}
	return members[o.member], nil
}

func treeHint(m model.Model) string {
	if describe.SizeOf(m).Trees > 1 {
		return " of trees, use --tree"
	}
	return ""
}

// showCommittee lists the members of a committee.
func (o *command) showCommittee(path string, m *committee.Committee) error {
	for _, flag := range []string{"path", "tree", "depth", "format"} {
		if o.flags.Changed(flag) {
			return cli.Misusef("--%s is for a single member: choose one of the %d of %s by --member", flag, len(describe.Pooled(m).Members), path)
		}
	}
	return o.FileFlag.Write(o.Console, func(w io.Writer) error {
		out := *o.Console
		out.Out = w
		if o.JSONFlag.JSON {
			s := describe.Summarize(m)
			s.Combine, s.Committee = describe.Pooled(m).Combine.String(), describe.MemberReports(m)
			return out.JSON(s)
		}
		o.heading(&out, path, m)
		out.Printf("\n")
		describe.PrintMembers(&out, m, 0)
		describe.PrintHoldOut(&out, m.Spec())
		return nil
	})
}
