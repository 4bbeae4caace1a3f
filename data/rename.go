package data

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// rename replaces label values by new ones and returns, sorted, the old ones that no label has.
// Numbers match by value, so "1" renames 1.0, and the text "1.0" where "1" is no label. They stay
// numbers if all their new values are numbers, else the column becomes texts. A value renamed to ""
// is no label.
func (l *labels) rename(names map[string]string) (unused []string) {
	if len(names) == 0 {
		return nil
	}
	if l.num != nil {
		return l.renameNumbers(names)
	}
	texts := slices.Clone(l.text)
	for _, old := range sortedKeys(names) {
		used := false
		for i, means := 0, meaning(old, l.text); i < len(texts); i++ {
			if _, own := names[l.text[i]]; means(l.text[i]) && (l.text[i] == old || !own) {
				texts[i], used = names[old], true
			}
		}
		if !used {
			unused = append(unused, old)
		}
	}
	l.setTexts(texts)
	return unused
}

// meaning returns the test whether a label is the one that a text names among some: the text itself
// or, where that is none of them, each that is equal to it as a number.
func meaning(name string, labels []string) func(label string) bool {
	v, number := parseNumber(name)
	if !number || slices.Contains(labels, name) {
		return func(label string) bool { return label == name }
	}
	return func(label string) bool {
		x, ok := parseNumber(label)
		return ok && x == v
	}
}

func (l *labels) renameNumbers(names map[string]string) (unused []string) {
	distinct := distinctNumbers(l.num)
	texts := numberTexts(distinct)
	numbers := true // all new values are
	for _, old := range sortedKeys(names) {
		v, ok := parseNumber(old)
		i, found := slices.BinarySearch(distinct, v)
		if !ok || !found {
			unused = append(unused, old)
			continue
		}
		texts[i] = names[old]
		if _, ok := parseNumber(names[old]); !ok && names[old] != "" {
			numbers = false
		}
	}
	if len(unused) == len(names) {
		return unused
	}
	codes := numberCodes(l.num, distinct)
	if !numbers {
		l.num, l.code = nil, codes
		l.setTexts(texts)
		return unused
	}
	l.num = make([]float64, len(codes))
	for row, code := range codes {
		l.num[row] = math.NaN()
		if code == MissingCode {
			continue
		}
		if v, ok := parseNumber(texts[code]); ok {
			l.num[row] = v
		} else if texts[code] != "" { // an infinity, which was not renamed
			l.num[row] = distinct[code]
		}
	}
	return unused
}

// setTexts gives the codes new texts, of which several may be equal and some empty (no label).
func (l *labels) setTexts(texts []string) {
	d := newDictionary(0)
	recode := make([]uint32, len(texts))
	for i, text := range texts {
		recode[i] = d.code(text)
	}
	codes := make([]uint32, len(l.code))
	for row, code := range l.code {
		codes[row] = MissingCode
		if code != MissingCode {
			codes[row] = recode[code]
		}
	}
	l.code, l.text = codes, d.texts
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// ParseRename reads pairs OLD=NEW into a map for Roles.Rename. Where a pair holds several "=", as
// in "<=50K.=<=50K", it is split so that OLD is a value of the label column of f; if there is no
// such value, at the first "=". Errors: no "=", no OLD, several places that fit, one OLD with two
// NEW.
func ParseRename(pairs []string, f *Frame, label string) (map[string]string, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	isLabel := labelValues(f, label)
	names := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		old, name, err := splitRename(pair, isLabel)
		if err != nil {
			return nil, err
		}
		if other, ok := names[old]; ok && other != name {
			return nil, fmt.Errorf("label value %q is renamed to both %q and %q", old, other, name)
		}
		names[old] = name
	}
	return names, nil
}

func splitRename(pair string, isLabel func(string) bool) (old, name string, err error) {
	at, fits := -1, 0
	for i := range len(pair) {
		if pair[i] != '=' || strings.TrimSpace(pair[:i]) == "" {
			continue
		}
		fit := isLabel(strings.TrimSpace(pair[:i]))
		if fit {
			fits++
		}
		if at < 0 || fit && fits == 1 {
			at = i
		}
	}
	switch {
	case at < 0:
		return "", "", fmt.Errorf("cannot rename label values by %q: want OLD=NEW", pair)
	case fits > 1:
		return "", "", fmt.Errorf("cannot rename label values by %q: several label values fit "+
			"before \"=\"", pair)
	}
	return strings.TrimSpace(pair[:at]), strings.TrimSpace(pair[at+1:]), nil
}

// labelValues returns the test whether a text is a value of the column; numbers are compared by
// value.
func labelValues(f *Frame, column string) func(string) bool {
	i := f.Schema.Index(column)
	if i < 0 {
		return func(string) bool { return false }
	}
	switch f.Schema.Fields[i].Kind {
	case Date, Text:
		return func(string) bool { return false }
	case Categorical:
		levels := f.Schema.Fields[i].Levels
		return func(text string) bool { return slices.ContainsFunc(levels, meaning(text, levels)) }
	}
	distinct := distinctNumbers(f.Columns[i].Numbers())
	return func(text string) bool {
		v, ok := parseNumber(text)
		at := sort.SearchFloat64s(distinct, v)
		return ok && at < len(distinct) && distinct[at] == v
	}
}
