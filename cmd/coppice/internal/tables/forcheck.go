package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Unlike is the error of a column whose values are not of the kind that a model has.
type Unlike struct {
	Column, What string
	err          error
}

func (e *Unlike) Error() string { return e.err.Error() }

// Unwrap returns the error of the reader.
func (e *Unlike) Unwrap() error { return e.err }

// StreamToCheck reads a table for a model once, and passes on its blocks as they are: columns may
// be missing. Columns that are not to be read are unread. A further one that has other values than
// the model's is an *Unlike error, if its files can be read again.
func (o *LabelFlags) StreamToCheck(
	ctx context.Context, c *cli.Console, m model.Model, read *ReadFlags, unread map[string]string,
	paths []string, add func(*data.Frame) error,
) error {
	options, err := read.Options(c)
	if err != nil {
		return err
	}
	spec := m.Spec()
	schema := spec.Schema.Like(nil)
	for _, f := range spec.Schema.Fields {
		if _, without := unread[f.Source()]; !without {
			schema.Fields = append(schema.Fields, f)
		}
	}
	options.Schema, options.Spare = &schema, spare(m)
	options.Spare = slices.DeleteFunc(options.Spare,
		func(name string) bool { return schema.Index(name) < 0 })
	schema.Fields = append(schema.Fields, o.beside(spec, unread)...)
	t, err := options.open(ctx, paths)
	if err != nil {
		return err
	}
	for b, err := range t.Stream(ctx) {
		if err == nil {
			err = o.lacks(b.Frame, unread, paths)
		}
		if err == nil {
			err = add(b.Frame)
		}
		if err != nil {
			return options.unlike(err, sourcesOf(&schema), paths)
		}
	}
	return nil
}

// lacks returns an error for a column that flags give a role and the table does not have.
func (o *LabelFlags) lacks(f *data.Frame, unread map[string]string, paths []string) error {
	for _, name := range append(o.outcome.columns(), column(o.Label)) {
		_, without := unread[name]
		if name != "" && !without && f.Schema.Index(name) < 0 {
			return fmt.Errorf("%s: there is no column %q%s", cli.PathList(paths), name,
				param.Meant("; ", name, f.Origin.Columns))
		}
	}
	return nil
}

// eventTexts are how tables write events. A stream has no column whose kind all rows decide on.
var eventTexts = []string{"0", "1", "false", "true", "False", "True", "FALSE", "TRUE", "no", "yes",
	"No", "Yes", "NO", "YES"}

// beside returns the fields of the columns that have a role: the label, its events or upper bounds,
// groups and weights.
func (o *LabelFlags) beside(s *model.Spec, unread map[string]string) []data.Field {
	label := data.Field{Name: column(cmp.Or(o.Label, s.Label))}
	if s.Labels() {
		label.Kind, label.Levels = data.Categorical, slices.Clone(s.Classes)
		for _, old := range o.renamed(s.Classes) {
			if !slices.Contains(label.Levels, old) {
				label.Levels = append(label.Levels, old)
			}
		}
	} else if label.Name == s.Label {
		label.Format = s.LabelFormat
	}
	stored, group := o.storedFor(s), column(o.outcome.group)
	if s.Task == data.Ranking {
		group = cmp.Or(group, stored.Group)
	}
	all := []data.Field{label, {Name: cmp.Or(column(o.outcome.weight), stored.Weight)},
		{Name: cmp.Or(column(o.outcome.event), stored.Event), Kind: data.Categorical, Levels: eventTexts},
		{Name: cmp.Or(column(o.outcome.upper), stored.Upper)},
		{Name: group, Kind: data.Text}}
	return slices.DeleteFunc(all, func(f data.Field) bool {
		_, without := unread[f.Name]
		return f.Name == "" || without || s.Schema.Index(f.Name) >= 0
	})
}

// renamed returns the labels that --map renames to a class, or to none.
func (o *LabelFlags) renamed(classes []string) []string {
	var all []string
	for _, pair := range o.Rename {
		for i := range len(pair) {
			name := strings.TrimSpace(pair[i+1:])
			if old := strings.TrimSpace(pair[:i]); pair[i] == '=' && old != "" &&
				(name == "" || slices.Contains(classes, name)) {
				all = append(all, old)
			}
		}
	}
	return all
}

// RolesToCheck returns the roles of the columns of all blocks of a table, by the first one.
func (o *LabelFlags) RolesToCheck(
	c *cli.Console, m model.Model, path string,
) func(*data.Frame) (data.Roles, error) {
	own := *o
	own.Label = cmp.Or(o.Label, m.Spec().Label)
	var found *data.Roles
	return func(f *data.Frame) (data.Roles, error) {
		if found != nil {
			return *found, nil
		}
		roles, err := own.likeModel(c, m.Spec(), f, path)
		if err == nil {
			if m.Spec().Task != data.Ranking && roles.Group != "" { // it has no effect on metrics
				roles.Ignore, roles.Group = append(roles.Ignore, roles.Group), ""
			}
			found = &roles
		}
		return roles, err
	}
}

// unlike makes an error of reading one of a column, if it is one and the files can be read again.
func (in *Input) unlike(err error, columns, paths []string) error {
	wrong := (*data.ReadError)(nil)
	if !errors.As(err, &wrong) || wrong.File == "" || in.once(paths) || !slices.Contains(columns, wrong.Column) ||
		wrong.Column == "" {
		return err
	}
	for _, kind := range []error{data.ErrNumber, data.ErrDate, data.ErrType} {
		if errors.Is(err, kind) {
			own := *wrong
			own.Column = ""
			return &Unlike{wrong.Column, own.Error(), err}
		}
	}
	return err
}

// sourcesOf names the columns of tables that the fields of a schema are made of.
func sourcesOf(s *data.Schema) []string {
	var names []string
	for i := range s.Fields {
		names = append(names, s.Fields[i].Source())
	}
	return names
}
