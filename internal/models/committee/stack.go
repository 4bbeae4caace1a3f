package committee

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Stack is a model whose meta-learner predicts from the predictions of its members. Members and
// meta-learner find their columns by name, so each may use only some of them. All are models of any
// type, stacks too, so there may be more levels.
//
//	table     x1  x2  c
//	           |   |  |
//	members   forest  gbm  linear
//	             |     |     |
//	columns   forest:yes  gbm:yes  linear:yes   (and x1 x2 c, if they are passed)
//	                 |     |     |
//	meta-learner     +--logistic-+ --> response
type Stack struct {
	Meta         model.Spec
	Names        []string // of the members, which their columns are called by
	Members      []model.Model
	MemberOutput model.Output // what members predict to the meta-learner: Response, Label or Raw
	Passthrough  bool         // the meta-learner gets the columns of the table, too
	MetaModel    model.Model
}

// maxStackDepth is how many stacks may stand inside each other.
const maxStackDepth = 8

// Spec returns the model's description.
func (s *Stack) Spec() *model.Spec { return &s.Meta }

// Outputs returns those of the meta-learner.
func (s *Stack) Outputs() int { return s.MetaModel.Outputs() }

// AsSum returns the sum of the meta-learner, whose raw scores are those of the model too.
func (s *Stack) AsSum() (model.Summed, bool) {
	meta, ok := model.AsSum(s.MetaModel)
	meta.Of = s
	return meta, ok
}

// PredictedFields returns the columns of the predictions of a member called name, which are width
// values for a row:
//
//	Label of classes             name          a categorical one, of the classes
//	Response of two classes      name:CLASS    the second class's probability
//	Response of other classes    name:CLASS    one for each class
//	one number                   name
//	other numbers                name:0 name:1 ...
func PredictedFields(name string, s *model.Spec, output model.Output, width int) []data.Field {
	switch {
	case output == model.Label && s.Labels():
		return []data.Field{{Name: name, Kind: data.Categorical, Levels: s.Classes}}
	case output == model.Response && s.Task.Classes() && width == 2:
		return []data.Field{{Name: name + ":" + s.Classes[1]}}
	case width == 1:
		return []data.Field{{Name: name}}
	}
	fields := make([]data.Field, width)
	for k := range fields {
		fields[k].Name = name + ":" + strconv.Itoa(k)
		if output == model.Response && s.Task.Classes() {
			fields[k].Name = name + ":" + s.Classes[k]
		}
	}
	return fields
}

// PredictedColumns makes the columns of Fields from the values that a member predicts, width for
// each row; NaN is missing.
func PredictedColumns(fields []data.Field, width int, values []float64) []data.Column {
	n, skip := len(values)/width, width-len(fields) // of two probabilities the first is left out
	columns := make([]data.Column, len(fields))
	for k := range fields {
		if fields[k].Kind == data.Categorical {
			columns[k] = data.Codes(make([]uint32, n))
			for i, v := range values {
				columns[k].Codes()[i] = data.MissingCode
				if v >= 0 {
					columns[k].Codes()[i] = uint32(v)
				}
			}
			continue
		}
		columns[k] = data.Numbers(make([]float64, n))
		for i := range n {
			columns[k].Numbers()[i] = values[i*width+skip+k]
		}
	}
	return columns
}

// Validate checks each member, the meta-learner and the schema, and that they fit together. Codecs
// call it on what they read.
func (s *Stack) Validate() error { return s.validate(1) }

func (s *Stack) validate(depth int) error {
	if s == nil {
		return errors.New("is nil")
	}
	if depth > maxStackDepth {
		return fmt.Errorf("more than %d stacks inside each other", maxStackDepth)
	}
	if err := s.Meta.Validate(); err != nil {
		return err
	}
	switch {
	case s.MemberOutput != model.Response && s.MemberOutput != model.Label &&
		s.MemberOutput != model.Raw:
		return fmt.Errorf("members predict %s for a meta-learner", s.MemberOutput)
	case len(s.Members) == 0:
		return errors.New("no member")
	case len(s.Names) != len(s.Members):
		return fmt.Errorf("%d names for %d members", len(s.Names), len(s.Members))
	}
	for i, m := range s.Members {
		if slices.Index(s.Names, s.Names[i]) != i {
			return fmt.Errorf("two members are called %q", s.Names[i])
		}
		if err := s.validateInner(m, depth); err != nil {
			return fmt.Errorf("member %d: %w", i, err)
		}
		if err := checkColumns(m, s.Meta.Schema.Kinds(), "the stack"); err != nil {
			return fmt.Errorf("member %d: %w", i, err)
		}
	}
	if err := s.validateInner(s.MetaModel, depth); err != nil {
		return fmt.Errorf("meta-learner: %w", err)
	}
	schema, err := s.schema(&s.Meta.Schema)
	if err != nil {
		return err
	}
	if err := checkColumns(s.MetaModel, schema.Kinds(),
		"the table of predictions"); err != nil {
		return fmt.Errorf("meta-learner: %w", err)
	}
	return nil
}

// validatePart checks a member or the meta-learner.
func (s *Stack) validateInner(m model.Model, depth int) error {
	if err := checkInner(m, func(inner *Stack) error {
		return inner.validate(depth + 1)
	}); err != nil {
		return err
	}
	return checkTask(m, &s.Meta, "the stack")
}

// schema returns the meta-learner's columns where the members are bound to table.
func (s *Stack) schema(table *data.Schema) (*data.Schema, error) {
	all := &data.Schema{}
	for i, m := range s.Members {
		width := m.Outputs()
		if s.MemberOutput == model.Raw {
			p, err := m.Bind(table, model.Options{Output: model.Raw, Workers: 1})
			if err != nil {
				return nil, fmt.Errorf("member %s: %w", s.Names[i], err)
			}
			width = p.Width()
		}
		all.Fields = append(all.Fields, PredictedFields(s.Names[i], m.Spec(), s.MemberOutput, width)...)
	}
	if s.Passthrough {
		all.Fields = append(all.Fields, table.Fields...)
	}
	return all, all.Validate()
}
