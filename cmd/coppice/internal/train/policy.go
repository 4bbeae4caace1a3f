package train

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// policyFlags make unseen categories or missing values an error at prediction time. Without them
// the model sends such rows in learned directions.
type policyFlags struct {
	unseen, missing []string
}

func (o *policyFlags) define(f *pflag.FlagSet) {
	cli.NamesVar(f, &o.unseen, "unseen-error",
		"refuse categories in `COL,...|all` that are not in the training set")
	cli.NamesVar(f, &o.missing, "missing-error", "refuse missing values in `COL,...|all`")
}

// repeat sets the flags to those of a model's training, without the columns that are left out.
func (o *policyFlags) repeat(s *model.Spec, ignored []string) {
	for i := range s.Schema.Fields {
		f := &s.Schema.Fields[i]
		if slices.Contains(ignored, f.Source()) {
			continue
		}
		if f.Unseen == data.Refuse {
			o.unseen = append(o.unseen, f.Source())
		}
		if f.Missing == data.Refuse {
			o.missing = append(o.missing, f.Source())
		}
	}
}

// apply writes the policies into the schema that the model will have. It refuses a training table
// that does not comply.
func (o *policyFlags) apply(p *tables.Problem) error {
	schema := &p.Schema
	unseen, err := chosen(schema, "unseen-error", o.unseen)
	if err != nil {
		return err
	}
	missing, err := chosen(schema, "missing-error", o.missing)
	if err != nil {
		return err
	}
	for _, i := range unseen {
		schema.Fields[i].Unseen = data.Refuse
	}
	for _, i := range missing {
		schema.Fields[i].Missing = data.Refuse
		for row := range p.Rows() {
			if p.IsMissing(row, i) {
				return fmt.Errorf("%s: column %q: missing value, which --missing-error refuses",
					p.Locate(row), schema.Fields[i].Source())
			}
		}
	}
	return nil
}

// chosen returns the positions of the features that a flag names. The name of a date column stands
// for all columns derived from it.
func chosen(s *data.Schema, flag string, names []string) ([]int, error) {
	names, all := tables.EveryOr(names)
	if all {
		names = s.Names()
	}
	var positions []int
	for _, name := range names {
		before := len(positions)
		for i := range s.Fields {
			if f := &s.Fields[i]; f.Name == name || f.Source() == name {
				positions = append(positions, i)
			}
		}
		if len(positions) == before {
			return nil, fmt.Errorf("--%s: there is no feature column %q: %s", flag, name,
				cli.Instead(name, s.Names()))
		}
	}
	return positions, nil
}
