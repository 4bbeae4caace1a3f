package tables

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Repeat sets the flags to what they were in the training of a model, as far as it stores them, and
// has the table read as it was read then: the same columns of the same kinds and formats, with the
// categories of the table. Flags about reading that were given stay. --ignore names columns of the
// model that are left out; it is a misuse if the model has none of the name.
func (o *TrainingFlags) Repeat(s *model.Spec) error {
	columns := sources(s)
	for _, name := range o.Ignore {
		if !slices.Contains(columns, name) {
			return cli.Misusef("--ignore: the model has no column %q: %s", name,
				cli.Instead(name, columns))
		}
	}
	o.like, o.Label = s, s.Label
	if o.Task = s.Task.String(); s.Task == data.Anomaly {
		o.Task = data.Auto.String()
	}
	if at := s.Positive(); at >= 0 && s.Task.Classes() {
		o.Positive = s.Classes[at]
	}
	r := &s.Roles
	o.outcome.weight, o.outcome.group = r.Weight, r.Group
	o.outcome.event, o.outcome.upper = r.Event, r.Upper
	o.time, o.timed, o.Start = r.Time, slices.Contains(columns, r.Time), r.Start
	given := o.ReadFlags.flags.Changed
	if !given("missing") {
		o.missingFlags.repeat(&s.Schema)
	}
	if p := planOf(s); p != nil {
		o.Rename, o.dropUnlabeled, o.categorical = p.Map, p.DropUnlabeled, p.Categorical
		if !given("date") {
			o.dates = p.Dates
		}
	}
	return nil
}

// Plan returns what a model stores of the flags for Repeat, beside its schema and roles. sets are
// nil if the training has no validation and test set.
func (o *TrainingFlags) Plan(s *model.Spec, sets *SplitFlags) model.Plan {
	p := model.Plan{Ignore: o.Ignore, Map: o.Rename, DropUnlabeled: o.dropUnlabeled}
	if o.like != nil {
		if before := planOf(o.like); before != nil {
			p.Ignore = slices.Concat(before.Ignore, o.Ignore)
		}
	}
	columns, all := sources(s), slices.Equal(o.categorical, []string{"all"})
	for _, name := range append(s.Roles.Names(), s.Label) {
		if name != "" && (all || slices.Contains(o.categorical, name)) {
			p.Categorical = append(p.Categorical, name)
		}
	}
	for _, date := range o.dates {
		if entry, _, _ := param.CutLastSign(date, '='); !slices.Contains(columns, param.EntryName(entry)) {
			p.Dates = append(p.Dates, date)
		}
	}
	if sets == nil {
		return p
	}
	for _, set := range []struct {
		flag     string
		fraction *float64
		file     *bool
	}{{sets.Valid, &p.Valid, &p.ValidFile}, {sets.Test, &p.Test, &p.TestFile}} {
		if v, err := strconv.ParseFloat(set.flag, 64); err == nil {
			*set.fraction = v
		} else {
			*set.file = set.flag != ""
		}
	}
	return p
}

// Repeat sets the flags to those of a model's training, unless they were given.
func (o *SplitFlags) Repeat(s *model.Spec, given func(flag string) bool) error {
	p := planOf(s)
	if p == nil {
		return nil
	}
	for _, set := range []struct {
		name     string
		flag     *string
		fraction float64
		file     bool
	}{{"valid", &o.Valid, p.Valid, p.ValidFile}, {"test", &o.Test, p.Test, p.TestFile}} {
		switch {
		case given(set.name):
		case set.file:
			return cli.Misusef("--%s is missing: the model was trained with a file of its own for "+
				"this set, so name one, or a fraction", set.name)
		case set.fraction > 0:
			*set.flag = strconv.FormatFloat(set.fraction, 'g', -1, 64)
		}
	}
	return nil
}

// planOf returns the plan that a model stores, nil if there is none.
func planOf(s *model.Spec) *model.Plan {
	if s.TrainedOn == nil {
		return nil
	}
	return s.TrainedOn.Plan
}

// sources returns the columns of a table that the features of a model are made of.
func sources(s *model.Spec) []string {
	var names []string
	for i := range s.Schema.Fields {
		f := &s.Schema.Fields[i]
		if name := f.Source(); !f.Derived() || !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// likeSchema returns the schema of the model without the columns of --ignore.
func (o *TrainingFlags) likeSchema() *data.Schema {
	s := o.like.Schema.Like(nil)
	for _, f := range o.like.Schema.Fields {
		if !slices.Contains(o.Ignore, f.Source()) {
			s.Fields = append(s.Fields, f)
		}
	}
	return &s
}

// readLike makes options read a table as that of the model was read.
func (o *TrainingFlags) readLike(options *Input) {
	s := o.like
	options.Schema, options.NewLevels, options.Ignore = o.likeSchema(), true, nil
	options.Also = s.Roles.Names()
	if s.Label == "" {
		return
	}
	options.Also = append(options.Also, s.Label)
	if !s.Labels() || s.LabelFormat != "" {
		options.Numeric = append(options.Numeric, s.Label)
		options.Formats = map[string]string{s.Label: s.LabelFormat}
	}
}

// completeLike checks that a table has the columns of the model whose training is repeated.
func (o *TrainingFlags) completeLike(f *data.Frame, path string) error {
	if o.like == nil {
		return nil
	}
	s := o.likeSchema()
	err := complete(f, s, path)
	if name, absent := s.Absent(&f.Schema); absent {
		err = fmt.Errorf("%w (--ignore %s trains without it)", err, name)
	}
	return err
}
