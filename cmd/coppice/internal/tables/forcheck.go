package tables

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
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
func (o *ReadFlags) StreamToCheck(
	ctx context.Context, c *cli.Console, m model.Model, label string, unread map[string]string,
	paths []string, add func(*data.Frame) error,
) error {
	options, err := o.Options(c)
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
	options.Spare = slices.DeleteFunc(options.Spare, func(name string) bool { return schema.Index(name) < 0 })
	schema.Fields = append(schema.Fields, beside(spec, label, unread)...)
	t, err := options.open(ctx, paths)
	if err != nil {
		return err
	}
	for b, err := range t.Stream(ctx) {
		if err == nil {
			err = add(b.Frame)
		}
		if err != nil {
			return options.unlike(err, sourcesOf(&schema), paths)
		}
	}
	return nil
}

// beside returns the label of a model as a field, and what is read beside it: numbers. A stream has
// no columns whose kinds all rows decide on.
func beside(s *model.Spec, label string, unread map[string]string) []data.Field {
	own := data.Field{Name: label, Format: s.LabelFormat}
	if s.Labels() {
		own = data.Field{Name: label, Kind: data.Categorical, Levels: s.Classes}
	}
	all := []data.Field{own, {Name: s.Roles.Weight}, {Name: s.Roles.Event}, {Name: s.Roles.Upper}}
	return slices.DeleteFunc(all, func(f data.Field) bool {
		_, without := unread[f.Name]
		return f.Name == "" || without || s.Schema.Index(f.Name) >= 0
	})
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
