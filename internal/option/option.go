// Package option owns what messages call the options that they advise to set. The library names
// fields and functions of Go, and the command its flags. A message has the flag in braces:
//
//	option.Expand("leave it out with {ignore}")  leave it out with data.ReadOptions.Ignore
//	                                  command:   leave it out with --ignore
package option

import "strings"

// Name is an option: a flag of the command, without its hyphens, and what a program sets, or words
// if that is no field or function. A flag may have its value behind it.
type Name struct{ Flag, Go string }

// Table returns all options that messages name.
func Table() []Name {
	return []Name{
		{"calibrate", "calibrate.Learner.Method"},
		{"categorical", "data.ReadOptions.Categorical"},
		{"comment", "csvdata.Options.Comment"},
		{"compat", "gbm.Learner.Compat"},
		{"continue", "learn.Job.Start"},
		{"costs", "calibrate.Learner.Costs"},
		{"date", "data.ReadOptions.Dates"},
		{"decimal", "data.ReadOptions.Decimal"},
		{"drop-unlabeled", "data.Roles.DropUnlabeled"},
		{"encoding", "data.ReadOptions.Encoding"},
		{"event", "data.Roles.Event"},
		{"first-index", "data.ReadOptions.FirstIndex"},
		{"format", "the format"},
		{"golden-rows none", "coppice.NoGolden"},
		{"group", "data.Roles.Group"},
		{"ignore", "data.ReadOptions.Ignore"},
		{"label", "data.Roles.Label"},
		{"learner", "the learner"},
		{"map", "data.Roles.Rename"},
		{"memory", "data.ReadOptions.Memory"},
		{"missing", "data.ReadOptions.Missing"},
		{"no-header", "csvdata.Options.NoHeader"},
		{"no-profile", "coppice.NoProfile"},
		{"numeric", "data.ReadOptions.Numeric"},
		{"offset", "offset.Learner"},
		{"positive", "data.Roles.Positive"},
		{"scratch", "data.ReadOptions.Scratch"},
		{"sheet", "data.ReadOptions.Sheet"},
		{"skip", "csvdata.Options.Skip"},
		{"task", "data.Roles.Task"},
		{"thousands", "data.ReadOptions.Thousands"},
		{"threshold-for", "calibrate.Learner.ThresholdFor"},
		{"threshold-for f1 or predict --threshold", "model.Decision.Threshold"},
		{"time", "data.Roles.Time"},
		{"time-feature", "data.Roles.TimeFeature"},
		{"training-log FILE", "report.Options.TrainingLog"},
		{"valid", "coppice.Validation"},
	}
}

var names = replacer(func(n Name) string { return n.Go })

// ShowFlags makes all messages of the process name flags. The command calls it before it does
// anything else.
func ShowFlags() { names = replacer(func(n Name) string { return "--" + n.Flag }) }

// Expand returns a text with the names of the options that it has in braces.
func Expand(text string) string { return names.Replace(text) }

func replacer(name func(Name) string) *strings.Replacer {
	var pairs []string
	for _, n := range Table() {
		pairs = append(pairs, "{"+n.Flag+"}", name(n))
	}
	return strings.NewReplacer(pairs...)
}

// Error is the text of an error that is a variable of its package: it is expanded when it is read.
type Error string

// Error returns the text.
func (e Error) Error() string { return Expand(string(e)) }
