package tables

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// LabelFlags name the label column and control how its values are read.
type LabelFlags struct {
	Label         string
	labelBy       string // the flag that names it: label, or its alias target; "" = none
	Rename        []string
	dropUnlabeled bool
	PositiveFlag
	outcome outcomeFlags
	like    []*model.Spec // whose columns have the same roles; nil: the model that the table is for
	quiet   bool          // which columns have a role was printed
}

// Define defines all of the flags for training; about is the help text of --label.
func (o *LabelFlags) Define(f *pflag.FlagSet, about string) {
	o.define(f, about, " (default: what the file states; none: not that)", "")
}

// DefineForModel defines all of the flags for a table that is compared with a model.
func (o *LabelFlags) DefineForModel(f *pflag.FlagSet, about string) {
	const stored = " (default: as in training; none: no column)"
	o.define(f, about, stored, stored)
}

func (o *LabelFlags) define(f *pflag.FlagSet, about, stated, stored string) {
	o.DefineLabel(f, about)
	f.StringArrayVar(&o.Rename, "map", nil,
		"rename a value of the label, `OLD=NEW`; may be repeated")
	f.BoolVar(&o.dropUnlabeled, "drop-unlabeled", false, "leave out rows without a label")
	o.outcome.define(f, stated, stored)
}

// DefineLabel defines --label alone, and its alias --target, which help texts leave out.
func (o *LabelFlags) DefineLabel(f *pflag.FlagSet, about string) {
	f.Var(&labelValue{o, "label"}, "label", about)
	f.Var(&labelValue{o, "target"}, "target", about)
	f.Lookup("target").Hidden = true
}

// LabelGiven reports whether one of the flags names the label.
func (o *LabelFlags) LabelGiven() bool { return o.labelBy != "" }

// labelValue is the value of --label or of its alias --target. Both together are an error.
type labelValue struct {
	of   *LabelFlags
	flag string
}

// Set implements pflag.Value.
func (v *labelValue) Set(label string) error {
	if by := v.of.labelBy; by != "" && by != v.flag {
		return cli.Misusef("--label is set twice: --target is another name of it")
	}
	v.of.Label, v.of.labelBy = label, v.flag
	return nil
}

// String implements pflag.Value.
func (v *labelValue) String() string {
	if v.of == nil {
		return ""
	}
	return v.of.Label
}

// Type implements pflag.Value.
func (v *labelValue) Type() string { return "string" }

// roles returns the roles that the label flags give to the columns of a table.
func (o *LabelFlags) roles(c *cli.Console, f *data.Frame) (data.Roles, error) {
	names, err := data.ParseRename(o.Rename, f, o.Label)
	if err != nil {
		return data.Roles{}, cli.Misuse(err)
	}
	r := data.Roles{Label: o.Label, Rename: names, DropUnlabeled: o.dropUnlabeled,
		Positive: o.Positive, Log: c.Note}
	o.outcome.fill(&r, &f.Schema)
	return r, nil
}

// PositiveFlag names the positive one of two classes.
type PositiveFlag struct{ Positive string }

// Define defines --positive; otherwise describes the default.
func (o *PositiveFlag) Define(f *pflag.FlagSet, otherwise string) {
	f.StringVar(&o.Positive, "positive", "", "binary: `NAME` is the positive class, for F1, "+
		"precision, recall and thresholds (default: "+otherwise+")")
}

// usualPositive describes the default positive class.
const usualPositive = "1, true, yes or +, else the class with fewer training rows"

// PositiveFacts name the positive class of two. For other targets there is none.
func PositiveFacts(t *data.Target) []cli.Fact {
	if !t.HasPositive() {
		return nil
	}
	return []cli.Fact{{Name: "positive", Text: "class " +
		humanize.Name(t.Classes[t.PositiveClass()]) + " (--positive changes it)"}}
}
