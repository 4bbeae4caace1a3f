package predict

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// checkFlags choose what is done with values that training had not.
type checkFlags struct {
	flag  bool // --flags
	texts [len(checkNames)][]string
	flags *pflag.FlagSet
}

// checkNames are the flags by the kinds of values, as model.FlagKind numbers them.
var checkNames = [...]string{model.NewCategory: "on-new", model.NewMissing: "on-missing",
	model.OutOfRange: "on-range"}

// policies are what can be done with such values, by name.
var policies = map[string]data.Policy{"accept": data.Learned, "flag": data.Flag,
	"refuse": data.Refuse}

// flagsColumn names the column of the flags.
const flagsColumn = "flags"

func (o *checkFlags) define(f *pflag.FlagSet) {
	o.flags = f
	f.BoolVar(&o.flag, "flags", false, "write a column flags: which values training had not, as "+
		"new, missing or range with their columns")
	what := [...]string{"a category that training had not", "a missing value where training had none",
		"a number or a date beyond those of training"}
	for kind, name := range checkNames {
		cli.NamesVar(f, &o.texts[kind], name, "accept, flag or refuse "+what[kind]+
			": `POLICY`, or COLUMN=POLICY,... (default accept)")
	}
}

// of returns the checks of a model's tables.
func (o *checkFlags) of(m model.Model) (model.Checks, error) {
	own := model.Checks{Columns: map[string]model.Checks{}}
	if o.flag {
		own.New, own.Missing, own.Range = data.Flag, data.Flag, data.Flag
	}
	for pass := range 2 { // policies of all columns come first
		for kind, texts := range o.texts {
			for _, text := range texts {
				column, name := "", text
				if at := strings.LastIndexByte(text, '='); at >= 0 {
					column, name = text[:at], text[at+1:]
				}
				policy, known := policies[name]
				if !known {
					return own, cli.Misusef("--%s %s: %s", checkNames[kind], text,
						cli.Instead(name, slices.Sorted(maps.Keys(policies))))
				}
				if (column == "") != (pass == 0) {
					continue
				}
				if err := set(&own, m, kind, column, policy); err != nil {
					return own, err
				}
			}
		}
	}
	return own, nil
}

// set sets the policy of a kind of values in a column, "" = in all.
func set(c *model.Checks, m model.Model, kind int, column string, policy data.Policy) error {
	to := *c
	if own, has := c.Columns[column]; has {
		to = own
	}
	*[...]*data.Policy{&to.New, &to.Missing, &to.Range}[kind] = policy
	if column == "" {
		*c = to
		return nil
	}
	var names []string
	for i := range m.Spec().Schema.Fields {
		names = append(names, m.Spec().Schema.Fields[i].Source())
	}
	if !slices.Contains(names, column) {
		return cli.Misusef("--%s %s=...: the model has no such column; %s", checkNames[kind], column,
			cli.Instead(column, names))
	}
	c.Columns[column] = to
	return nil
}

// flagged reports whether the output has a column of flags.
func (o *checkFlags) flagged(c model.Checks) bool {
	all := append(slices.Collect(maps.Values(c.Columns)), c)
	return o.flag || slices.ContainsFunc(all, func(c model.Checks) bool {
		return c.New == data.Flag || c.Missing == data.Flag || c.Range == data.Flag
	})
}

// note reports checks that a model has nothing to compare with.
func (o *checkFlags) note(c *cli.Console, m model.Model) {
	asked := o.flag || o.flags.Changed(checkNames[model.NewMissing]) ||
		o.flags.Changed(checkNames[model.OutOfRange])
	if asked && m.Spec().Profile == nil {
		c.Note("the model has no profile of its training rows: new categories are found, missing " +
			"values and ranges are not compared")
	}
}

// addFlags adds the field of the flags of a row of the last part.
func (w *predictionWriter) addFlags(fields []string, row int) []string {
	w.scratch = w.parts.Coverage.Flags(w.scratch[:0], row)
	text := ""
	for i, f := range w.scratch {
		if i > 0 {
			text += "; "
		}
		text += f.Kind.String() + " " + f.Column
	}
	return append(fields, text)
}

// noteCounts reports how many values training had not, of all rows. Which columns have them is
// reported only where that is beyond chance, by the coverage itself.
func (w *predictionWriter) noteCounts(c *cli.Console) {
	var counts [len(checkNames)]int
	for _, x := range w.parts.Coverage.Columns() {
		for _, kind := range x.Found() {
			counts[kind] += x.Count(kind)
		}
	}
	var found []string
	for kind, words := range [...][2]string{
		{"new category", "new categories"},
		{"missing value where training had none", "missing values where training had none"},
		{"value out of the range of training", "values out of the range of training"},
	} {
		if n := counts[kind]; n > 0 {
			found = append(found, humanize.Count(n, words[0], words[1]))
		}
	}
	if found == nil {
		return
	}
	advice := ""
	if !w.flagged {
		advice = fmt.Sprintf(" (--%s marks the rows)", flagsColumn)
	}
	c.Note("%s in %s%s", humanize.And(found), humanize.Count(w.before, "row", "rows"), advice)
}
