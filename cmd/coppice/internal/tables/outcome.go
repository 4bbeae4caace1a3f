package tables

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// outcomeFlags name the columns that have a role beside the label when rows are compared: weights,
// groups, and of survival events or upper bounds.
type outcomeFlags struct {
	weight, group, event, upper string
	defined                     bool
}

// noColumn is the value of a flag of a role that no column is to have, whatever a model stores or a
// file states. In a table that has a column of this name it names the column.
const noColumn = "none"

// column returns the column that a flag of a role names, whatever the table; "" = none.
func column(flag string) string {
	if flag == noColumn {
		return ""
	}
	return flag
}

// columnOf returns the column of a table that a flag of a role names; "" = none.
func columnOf(s *data.Schema, flag string) string {
	if s.Index(flag) >= 0 {
		return flag
	}
	return column(flag)
}

// define defines the flags, with what the defaults are of roles that files state and of the others.
func (o *outcomeFlags) define(f *pflag.FlagSet, stated, stored string) {
	o.defined = true
	f.StringVar(&o.weight, "weight", "", "weigh the rows by `COL`, numbers from 0 up"+stated)
	f.StringVar(&o.group, "group", "", "rows with the same value of `COL` are a group: splits "+
		"keep it together, ranking compares its rows"+stated)
	f.StringVar(&o.event, "event", "", "survival: the label is a time, and `COL` is 1 for an "+
		"observed event, 0 for a censored one"+stored)
	f.StringVar(&o.upper, "upper", "", "survival: the time lies between the label and `COL`; a "+
		"missing upper bound is no bound"+stored)
}

// columns returns the columns that the flags name.
func (o *outcomeFlags) columns() []string {
	var named []string
	for _, flag := range []string{o.weight, o.group, o.event, o.upper} {
		if name := column(flag); name != "" {
			named = append(named, name)
		}
	}
	return named
}

// fill sets the roles that the flags give to columns of a table.
func (o *outcomeFlags) fill(r *data.Roles, s *data.Schema) {
	for _, role := range []struct {
		of   *string
		flag string
	}{{&r.Weight, o.weight}, {&r.Group, o.group}, {&r.Event, o.event}, {&r.Upper, o.upper}} {
		if role.flag != "" {
			*role.of = columnOf(s, role.flag)
		}
	}
	for i := range s.Fields {
		switch f := &s.Fields[i]; {
		case f.Role == data.WeightRole && o.weight == noColumn,
			f.Role == data.GroupRole && o.group == noColumn:
			r.Ignore = append(r.Ignore, f.Name)
		}
	}
}

// stored returns the columns that had a role in the training of the models, in the order of
// precedence, unless a flag overrules it. Events and upper bounds overrule each other.
func (o *outcomeFlags) stored(of []*model.Spec, label string) data.RoleColumns {
	var c data.RoleColumns
	if !o.defined {
		return c
	}
	for _, s := range of {
		c.Weight, c.Group = cmp.Or(c.Weight, s.Roles.Weight), cmp.Or(c.Group, s.Roles.Group)
		if c.Event == "" && c.Upper == "" {
			c.Event, c.Upper = s.Roles.Event, s.Roles.Upper
		}
	}
	if o.event != "" || o.upper != "" {
		c.Event, c.Upper = "", ""
	}
	for _, role := range []struct {
		of   *string
		flag string
	}{{&c.Weight, o.weight}, {&c.Group, o.group}, {&c.Event, ""}, {&c.Upper, ""}} {
		if role.flag != "" || *role.of == label {
			*role.of = ""
		}
	}
	return c
}

// storedFor returns the columns that had a role in the training of a model.
func (o *LabelFlags) storedFor(s *model.Spec) data.RoleColumns {
	of := o.like
	if of == nil {
		of = []*model.Spec{s}
	}
	return o.outcome.stored(of, o.Label)
}

// LikeModels gives columns the roles that they had in the training of the first of some models that
// stores them, whatever model the table is read for. Tables that are compared must agree on them.
func (o *LabelFlags) LikeModels(of ...model.Model) {
	o.like = nil
	for _, m := range of {
		o.like = append(o.like, m.Spec())
	}
}

// Quiet makes no notes of columns that have a role because models store it: they were made before.
func (o *LabelFlags) Quiet() { o.quiet = true }

// readRoles makes options read the columns of roles: those of the flags, and those that were stored
// where the table has them.
func (o *LabelFlags) readRoles(options *Input, s *model.Spec) {
	stored := o.storedFor(s)
	options.Also = append(options.Also, o.outcome.columns()...)
	options.Optional = append(options.Optional, stored.Names()...)
	if slices.Contains([]string{o.outcome.weight, o.outcome.group, o.outcome.event, o.outcome.upper},
		noColumn) {
		options.Optional = append(options.Optional, noColumn)
	}
	if weight := cmp.Or(o.outcome.weight, stored.Weight); weight != "" {
		options.Numeric = append(options.Numeric, weight)
	}
}

// likeModel returns the roles of the columns of a table that is compared with a model: those of the
// flags, and those that a model stores. It notes which are not named by flags.
func (o *LabelFlags) likeModel(
	c *cli.Console, s *model.Spec, f *data.Frame, path string,
) (data.Roles, error) {
	own, stored := *s, o.storedFor(s)
	own.Label, own.Roles = o.Label, stored
	roles, err := own.RolesFor(&f.Schema)
	if missing := (*model.MissingRoleError)(nil); errors.As(err, &missing) {
		return roles, missingRole(missing, path)
	}
	if err != nil {
		return roles, err
	}
	if !o.quiet {
		noteRoles(c, &roles, stored)
	}
	flags, err := o.roles(c, f)
	if err != nil {
		return roles, err
	}
	o.outcome.fill(&roles, &f.Schema)
	roles.Rename, roles.DropUnlabeled, roles.Positive = flags.Rename, flags.DropUnlabeled, flags.Positive
	roles.Log, roles.Ignore = flags.Log, flags.Ignore
	if s.Task == data.Survival && roles.Event == "" && roles.Upper == "" && o.outcome.defined {
		roles.Observed = true
		if o.outcome.event == "" && o.outcome.upper == "" && !o.quiet {
			c.Note("the model stores no column of events: all events count as observed (--event " +
				"names the column)")
		}
	}
	return roles, nil
}

// missingRole is the error of a table without a column that the rows cannot be compared without.
func missingRole(e *model.MissingRoleError, path string) error {
	remedy := map[string]string{
		"events":              "--event names another column, or none (all events are observed)",
		"upper ends of times": "--upper names another column, or none (all times are exact)",
		"groups":              "--group names another column",
	}[e.What]
	return fmt.Errorf("%s: column %q is missing, which held the %s in training: %s",
		cli.PathList([]string{path}), e.Column, e.What, remedy)
}

// noteRoles prints which columns have a role because a model stores it.
func noteRoles(c *cli.Console, r *data.Roles, stored data.RoleColumns) {
	var used, flags []string
	for _, role := range []struct{ name, column string }{
		{"event", r.Event}, {"upper", r.Upper}, {"group", r.Group}, {"weight", r.Weight},
	} {
		if role.column != "" {
			used = append(used, fmt.Sprintf("%s %q", role.name, role.column))
			flags = append(flags, "--"+role.name)
		}
	}
	switch verb := "changes it"; {
	case len(used) > 1:
		verb = "change them"
		fallthrough
	case len(used) > 0:
		c.Note("roles as in training: %s (%s %s)", strings.Join(used, ", "), strings.Join(flags, ", "),
			verb)
	}
	if stored.Weight != "" && r.Weight == "" {
		c.Note("column %q is missing, which held the weights in training: rows are not weighted "+
			"(--weight names another one)", stored.Weight)
	}
}
