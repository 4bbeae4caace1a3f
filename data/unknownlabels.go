package data

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/param"
)

// maxListed is the largest number of names that an error message lists.
const maxListed = 8

// UnknownLabelError reports that a table holds labels which are none of a model's classes.
type UnknownLabelError struct {
	Column  string
	Values  []UnknownLabel // the most frequent first
	Classes []string       // those of the model
}

// UnknownLabel is one label value that is no class of a model.
type UnknownLabel struct {
	Value string
	Rows  int    // how often it occurs
	First string // where it occurs first, by Frame.Locate
}

// Error is one line. It shows the flags that rename the values, one for each value that is near a
// class.
func (e *UnknownLabelError) Error() string {
	var b strings.Builder
	first := e.Values[0]
	fmt.Fprintf(&b, "%s: label %q of column %q occurs %s", first.First, first.Value, e.Column,
		howOften(first.Rows))
	shown := e.Values[:min(len(e.Values), maxListed)]
	for _, v := range shown[1:] {
		fmt.Fprintf(&b, ", %q %s", v.Value, howOften(v.Rows))
	}
	if more := len(e.Values) - len(shown); more > 0 {
		fmt.Fprintf(&b, ", and %d more values", more)
	}
	labels := make([]string, len(shown))
	for i, v := range shown {
		labels[i] = v.Value
	}
	fmt.Fprintf(&b, ", but the model has only %s: %s", quoteList(e.Classes), Renaming(labels, e.Classes))
	return b.String()
}

// Renaming advises the options that rename labels, a few at most, to the classes that they are
// near.
func Renaming(labels, classes []string) string {
	advice := "use"
	for _, label := range labels[:min(len(labels), maxListed)] {
		if near := param.Nearest(label, classes); near != "" {
			advice += option.Expand(" {map} ") + humanize.ShellQuote(label+"="+near)
		}
	}
	if advice == "use" {
		advice += option.Expand(" {map} 'OLD=NEW' to rename labels")
	}
	return advice
}

// known reports whether all labels are among the classes, as match finds them.
func (l *labels) known(classes []string) bool {
	t := &Target{}
	l.classes(t)
	find := classFinder(classes)
	return !slices.ContainsFunc(t.Classes,
		func(name string) bool { return find(name) == UnseenCode })
}

// match fills t.Class with places in t.Classes. A label is a class of the same text or, failing
// that, of the same number: "1" and "1.0" are one class, whichever of them the model was trained
// on.
func (l *labels) match(t *Target, f *Frame) error {
	codes, texts := l.code, l.text
	if l.num != nil {
		distinct := distinctNumbers(l.num)
		codes, texts = numberCodes(l.num, distinct), numberTexts(distinct)
	}
	find := classFinder(t.Classes)
	place := make([]uint32, len(texts))
	for i, text := range texts {
		place[i] = find(text)
	}
	t.Class = make([]uint32, len(codes))
	unknown := map[uint32]*UnknownLabel{} // by code
	for row, code := range codes {
		t.Class[row] = place[code]
		if place[code] != UnseenCode {
			continue
		}
		u := unknown[code]
		if u == nil {
			u = &UnknownLabel{Value: texts[code], First: f.Locate(row)}
			unknown[code] = u
		}
		u.Rows++
	}
	if len(unknown) == 0 {
		return nil
	}
	e := &UnknownLabelError{Column: l.name, Classes: t.Classes}
	for _, u := range unknown {
		e.Values = append(e.Values, *u)
	}
	e.sort()
	return e
}

// sort puts the most frequent values first.
func (e *UnknownLabelError) sort() {
	slices.SortFunc(e.Values, func(a, b UnknownLabel) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Value, b.Value))
	})
}

// join adds the labels of later rows.
func (e *UnknownLabelError) join(later *UnknownLabelError) {
	for _, u := range later.Values {
		at := slices.IndexFunc(e.Values, func(v UnknownLabel) bool { return v.Value == u.Value })
		if at < 0 {
			e.Values = append(e.Values, u)
		} else {
			e.Values[at].Rows += u.Rows
		}
	}
	e.sort()
}

// classFinder returns the function from a text to the place of its class, UnseenCode if it is none.
// Of classes that are equal as numbers and not as texts the first is found.
func classFinder(classes []string) func(string) uint32 {
	byText := make(map[string]uint32, len(classes))
	byNumber := map[float64]uint32{}
	for i, name := range classes {
		byText[name] = uint32(i)
		if v, ok := parseNumber(name); ok {
			if _, taken := byNumber[v]; !taken {
				byNumber[v] = uint32(i)
			}
		}
	}
	return func(text string) uint32 {
		if i, ok := byText[text]; ok {
			return i
		}
		if v, ok := parseNumber(text); ok {
			if i, ok := byNumber[v]; ok {
				return i
			}
		}
		return UnseenCode
	}
}

func howOften(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// quoteList writes names in quotes, the first few of a long list.
func quoteList(names []string) string {
	shown := names[:min(len(names), maxListed)]
	quoted := make([]string, len(shown))
	for i, name := range shown {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	list := strings.Join(quoted, ", ")
	if more := len(names) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
