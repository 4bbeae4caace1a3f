package param

import (
	"errors"
	"strings"
)

// How names stand in lists: of flags such as --ignore a,b and of parameters such as
// monotone=a=1,b=-1. A name may hold any characters in double quotes, where a quote itself is
// doubled, as in CSV: "a,b",c are two names. A quote opens at the start of an entry or behind one
// of the signs; elsewhere, as in 5" pipe, it is an ordinary character.

// signs divide entries, or the parts of an entry.
const signs = ",=+:"

// ErrOpenQuote is the error of a quote that opens and is never closed.
var ErrOpenQuote = errors.New(`a quote is never closed (a name with a quote is written "a""b")`)

// SplitList divides a list at a sign outside quotes. The entries keep their quotes. The list "" has
// one entry.
func SplitList(list string, by byte) ([]string, error) {
	var entries []string
	from := 0
	err := walk(list, func(at int) {
		if list[at] == by {
			entries = append(entries, list[from:at])
			from = at + 1
		}
	})
	return append(entries, list[from:]), err
}

// CutLastSign divides an entry at the last sign outside quotes; it is false if there is none.
func CutLastSign(entry string, by byte) (before, after string, found bool) {
	last := -1
	walk(entry, func(at int) {
		if entry[at] == by {
			last = at
		}
	})
	if last < 0 {
		return entry, "", false
	}
	return entry[:last], entry[last+1:], true
}

// CutSign divides an entry at the first sign outside quotes; it is false if there is none.
func CutSign(entry string, by byte) (before, after string, found bool) {
	first := -1
	walk(entry, func(at int) {
		if first < 0 && entry[at] == by {
			first = at
		}
	})
	if first < 0 {
		return entry, "", false
	}
	return entry[:first], entry[first+1:], true
}

// walk calls f for each sign of a text outside quotes.
func walk(text string, f func(at int)) error {
	open := true // a quote opens here
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' && open:
			end := closing(text[i+1:])
			if end < 0 {
				return ErrOpenQuote
			}
			i += 1 + end
			open = false
		case strings.IndexByte(signs, c) >= 0:
			f(i)
			open = true
		case c != ' ':
			open = false
		}
	}
	return nil
}

// closing returns where the quote stands that closes a text behind an opening one, -1 if none does.
func closing(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if i+1 == len(text) || text[i+1] != '"' {
			return i
		}
		i++
	}
	return -1
}

// EntryName returns the name that an entry is, without blanks around it, and without quotes if it
// stands in them.
func EntryName(entry string) string {
	entry = strings.TrimSpace(entry)
	if len(entry) > 1 && entry[0] == '"' && closing(entry[1:]) == len(entry)-2 {
		return strings.ReplaceAll(entry[1:len(entry)-1], `""`, `"`)
	}
	return entry
}

// WriteName returns an entry that is read as a name: in quotes if the name needs them.
func WriteName(name string) string {
	if strings.ContainsAny(name, signs+`"`) || strings.TrimSpace(name) != name || name == "" {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// ListNames returns the names of a list.
func ListNames(list string) ([]string, error) {
	entries, err := SplitList(list, ',')
	if err != nil {
		return nil, err
	}
	for i, entry := range entries {
		entries[i] = EntryName(entry)
	}
	return entries, nil
}

// ParseGroups reads groups of names, NAME+NAME,NAME+NAME; "" has none.
func ParseGroups(text string) ([][]string, error) {
	if text == "" {
		return nil, nil
	}
	parts, err := SplitList(text, ',')
	if err != nil {
		return nil, err
	}
	groups := make([][]string, len(parts))
	for i, part := range parts {
		groups[i], _ = SplitList(part, '+') // whose quotes are those of the whole
		for j, entry := range groups[i] {
			groups[i][j] = EntryName(entry)
		}
	}
	return groups, nil
}

// WriteGroups returns a text that ParseGroups reads.
func WriteGroups(groups [][]string) string {
	texts := make([]string, len(groups))
	for i, group := range groups {
		names := make([]string, len(group))
		for j, name := range group {
			names[j] = WriteName(name)
		}
		texts[i] = strings.Join(names, "+")
	}
	return strings.Join(texts, ",")
}
