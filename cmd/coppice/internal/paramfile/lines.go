package paramfile

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// parseLines reads lines of NAME = VALUE, the files that the commands of LightGBM and XGBoost read.
// What follows # is a comment. XGBoost puts texts in quotes, in which # is part of the text.
func parseLines(text []byte) ([]entry, error) {
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil, fault(0, "it holds bytes that are no text")
	}
	var all []entry
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		key, value, ok := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		if key == "" && !ok || strings.HasPrefix(key, "#") {
			continue
		}
		if key, _, commented := strings.Cut(key, "#"); !ok || commented || key == "" {
			return nil, fault(number, "want NAME = VALUE, as num_leaves = 31")
		}
		value = unquoted(strings.TrimSpace(value))
		if i := slices.IndexFunc(all, func(e entry) bool { return e.key == key }); i >= 0 {
			return nil, twice(key, all[i].line, number)
		}
		all = append(all, entry{key, node{line: number, text: value}})
	}
	return all, nil
}

// unquoted returns what stands in quotes, else the text before a comment.
func unquoted(value string) string {
	if quote := value[:min(1, len(value))]; quote == `"` || quote == "'" {
		if end := strings.Index(value[1:], quote); end >= 0 {
			return value[1 : 1+end]
		}
	}
	before, _, _ := strings.Cut(value, "#")
	return strings.TrimSpace(before)
}
