package codectest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
)

// Mutant returns JSON with some of its values changed at random: numbers at the ends of their
// ranges, texts that control a terminal, lists shortened and repeated, keys taken away or
// exchanged, and values of donor in other places. What is no JSON is returned as it is. The same
// random numbers give the same mutant.
func Mutant(r *rand.Rand, raw, donor json.RawMessage) json.RawMessage {
	var whole, other any
	if json.Unmarshal(raw, &whole) != nil {
		return raw
	}
	if json.Unmarshal(donor, &other) != nil {
		other = nil
	}
	m := mutation{r: r, donors: values(other, nil)}
	for range 1 + r.IntN(3) {
		m.left = r.IntN(max(1, len(values(whole, nil))))
		whole = m.change(whole)
	}
	b, err := json.Marshal(whole)
	if err != nil {
		return raw
	}
	return b
}

// values appends a value and all within it, objects in the order of their keys.
func values(v any, all []any) []any {
	all = append(all, v)
	switch v := v.(type) {
	case map[string]any:
		for _, key := range keys(v) {
			all = values(v[key], all)
		}
	case []any:
		for _, e := range v {
			all = values(e, all)
		}
	}
	return all
}

func keys(object map[string]any) []string {
	var all []string
	for key := range object {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

// mutation changes the value that comes after so many others.
type mutation struct {
	r      *rand.Rand
	donors []any
	left   int
}

func (m *mutation) change(v any) any {
	if m.left == 0 {
		m.left = -1
		return m.changed(v)
	}
	m.left--
	switch v := v.(type) {
	case map[string]any:
		for _, key := range keys(v) {
			if v[key] = m.change(v[key]); m.left < 0 {
				break
			}
		}
	case []any:
		for i := range v {
			if v[i] = m.change(v[i]); m.left < 0 {
				break
			}
		}
	}
	return v
}

// The values that others are changed into.
var (
	mutantNumbers = []json.Number{"-1", "0", "1", "2", "0.5", "1e9", "1000000000", "2147483647",
		"2147483648", "9007199254740993", "9223372036854775807",
		"-9223372036854775808", "1e300", "1.7976931348623157e308",
		"-1.7976931348623157e308", "5e-324"}
	mutantTexts = []string{"", "gbm", "validation", "training", "logloss", "impurity",
		"permutation", "cv", "none", "\x1b[2J\x1b]0;x\a", "\u202eevil\u2066", "\u009b31m",
		"line\nline", strings.Repeat("long ", 2000), "\ufffd", "<script>&"}
)

// changed returns another value in place of one.
func (m *mutation) changed(v any) any {
	if m.r.IntN(4) == 0 {
		return m.foreign()
	}
	switch v := v.(type) {
	case map[string]any:
		names := keys(v)
		if len(names) == 0 {
			return m.foreign()
		}
		one, other := names[m.r.IntN(len(names))], names[m.r.IntN(len(names))]
		switch m.r.IntN(4) {
		case 0:
			delete(v, one)
		case 1:
			v[one], v[other] = v[other], v[one]
		case 2:
			v[one] = m.foreign()
		default:
			v[mutantTexts[m.r.IntN(len(mutantTexts))]] = m.foreign()
		}
		return v
	case []any:
		switch n := len(v); m.r.IntN(4) {
		case 0:
			return v[:m.r.IntN(n+1)]
		case 1:
			return append(v, v...)
		case 2:
			return append(v, m.foreign())
		}
		return []any{}
	case float64:
		if m.r.IntN(2) == 0 {
			return v + float64(m.r.IntN(5)-2)
		}
		return mutantNumbers[m.r.IntN(len(mutantNumbers))]
	case string:
		return mutantTexts[m.r.IntN(len(mutantTexts))]
	}
	return m.foreign()
}

// foreign returns a value that has nothing to do with the place.
func (m *mutation) foreign() any {
	switch m.r.IntN(5) {
	case 0:
		return nil
	case 1:
		return mutantNumbers[m.r.IntN(len(mutantNumbers))]
	case 2:
		return mutantTexts[m.r.IntN(len(mutantTexts))]
	case 3:
		return []any{mutantNumbers[m.r.IntN(len(mutantNumbers))], map[string]any{}}
	}
	return copied(m.donors[m.r.IntN(len(m.donors))])
}

// copied returns a value that has nothing in common with v, so that it can be put into v itself.
func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, e := range v {
			object[key] = copied(e)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = copied(e)
		}
		return list
	}
	return v
}
