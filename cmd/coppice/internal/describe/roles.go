package describe

import (
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// RolesFact names the columns that had a role beside the label in training, nothing where none had.
func RolesFact(s *model.Spec) []cli.Fact {
	var texts []string
	for _, role := range []struct {
		name    string
		columns []string
	}{
		{"event", []string{s.Roles.Event}}, {"upper", []string{s.Roles.Upper}},
		{"group", []string{s.Roles.Group}}, {"weight", []string{s.Roles.Weight}},
		{"time", []string{s.Roles.Time}}, {"init score", s.Roles.Start},
		{"offset", []string{s.Roles.Offset}},
	} {
		for _, column := range role.columns {
			if column != "" {
				texts = append(texts, role.name+" "+humanize.Name(column))
			}
		}
	}
	if texts == nil {
		return nil
	}
	return []cli.Fact{{Name: "roles", Text: strings.Join(texts, ", ")}}
}
