package cli

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/param"
)

// FailIfFlag holds conditions on what a command finds, under which it fails with a status of its
// own.
type FailIfFlag struct {
	texts []string
	all   [][]condition // one list for each text
}

// condition compares one figure with a number.
type condition struct {
	figure string // "auc", or "psi(age)" with the column
	op     string
	than   float64
}

// Define defines --fail-if; figures lists some, for the help text.
func (o *FailIfFlag) Define(f *pflag.FlagSet, figures string) {
	f.StringArrayVar(&o.texts, "fail-if", nil, "end with status 4 if `CONDITION` holds, such as "+
		figures+"; several are joined by and; may be repeated")
}

// comparison is a condition and what follows it.
var comparison = regexp.MustCompile(`^\s*([a-z][a-z0-9_@]*)(\(.+?\))?\s*(<=|>=|==|<|>)\s*([^\s<>=]+)\s*(?:$|and\s+(.*)$)`)

// comparisons are the operators.
var comparisons = map[string]func(a, b float64) bool{
	"<":  func(a, b float64) bool { return a < b },
	"<=": func(a, b float64) bool { return a <= b },
	">":  func(a, b float64) bool { return a > b },
	">=": func(a, b float64) bool { return a >= b },
	"==": func(a, b float64) bool { return a == b },
}

// Check parses the conditions. known returns the figures that there may be.
func (o *FailIfFlag) Check(known func() []string) error {
	o.all = nil
	for _, text := range o.texts {
		var list []condition
		for left := text; ; {
			m := comparison.FindStringSubmatch(left)
			var than float64
			var err error
			if m != nil {
				than, err = strconv.ParseFloat(m[4], 64)
			}
			if m == nil || err != nil || than != than {
				return Misusef("--fail-if %q: want FIGURE OP NUMBER, joined by and, where OP is one of "+
					"< <= > >= ==, such as auc<0.75", text)
			}
			c := condition{m[1] + m[2], m[3], than}
			if names := known(); !slices.Contains(names, c.figure) {
				return unknownFigure(text, c.figure, names)
			}
			if list = append(list, c); m[5] == "" {
				break
			}
			left = m[5]
		}
		o.all = append(o.all, list)
	}
	return nil
}

// unknownFigure is the misuse of a figure that nobody computes.
func unknownFigure(text, figure string, names []string) error {
	if near := param.Nearest(figure, names); near != "" {
		return Misusef("--fail-if %q: there is no %s: did you mean %s?", text, figure, near)
	}
	kinds := map[string]bool{}
	for _, name := range names {
		if kind, _, of := strings.Cut(name, "("); of {
			name = kind + "(COLUMN)"
		}
		kinds[name] = true
	}
	return Misusef("--fail-if %q: there is no %s: want %s", text, figure,
		humanize.Or(slices.Sorted(maps.Keys(kinds))))
}

// HeldError is the error of a condition of --fail-if that holds: the exit status is 4.
type HeldError struct{ text string }

func (e *HeldError) Error() string { return e.text }

// Heldf returns the error of another condition that holds, with a formatted text.
func Heldf(format string, args ...any) error { return &HeldError{fmt.Sprintf(format, args...)} }

// Given reports whether there are conditions.
func (o *FailIfFlag) Given() bool { return len(o.texts) > 0 }

// Holds returns a *HeldError for the first of the conditions that holds. A figure that has no value
// is another error, which states why.
func (o *FailIfFlag) Holds(value func(figure string) (float64, error)) error {
	for i, list := range o.all {
		var values []string
		holds := true
		for _, c := range list {
			v, err := value(c.figure)
			if err != nil {
				return fmt.Errorf("--fail-if %q: %w", o.texts[i], err)
			}
			holds = holds && comparisons[c.op](v, c.than)
			values = append(values, fmt.Sprintf("%s is %s", c.figure, humanize.Number(v, 4)))
		}
		if holds {
			return Heldf("--fail-if %q holds: %s", o.texts[i], strings.Join(values, ", "))
		}
	}
	return nil
}

// held reports whether an error is that of a condition that holds.
func held(err error) bool {
	e := (*HeldError)(nil)
	return errors.As(err, &e)
}
