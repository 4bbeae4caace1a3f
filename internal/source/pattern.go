package source

import (
	"path"
	"strings"
)

// pattern is a path with wildcards, by its parts. A part ** stands for any number of folders.
type pattern []string

// hasWildcard reports whether a part of a path is a pattern.
func hasWildcard(part string) bool { return strings.ContainsAny(part, "*?[") }

// newPattern separates a path with slashes into what stands before its first part with a wildcard,
// with its slash, and the pattern behind it.
//
//	sales/year=*/**/*.csv    "sales/"  year=*  **  *.csv
func newPattern(slashed string) (root string, p pattern, err error) {
	parts := strings.Split(slashed, "/")
	first := 0
	for first < len(parts)-1 && !hasWildcard(parts[first]) {
		first++
	}
	p = parts[first:]
	for _, part := range p {
		if _, err := path.Match(part, ""); err != nil {
			return "", nil, err
		}
	}
	root = strings.Join(parts[:first], "/")
	if first > 0 {
		root += "/"
	}
	return root, p, nil
}

// match compares the parts of a path below the root. whole reports that they match all of the
// pattern, begins that parts behind them could.
func (p pattern) match(parts []string) (whole, begins bool) {
	if len(p) == 0 {
		return len(parts) == 0, false
	}
	if p[0] == "**" {
		whole, begins = p[1:].match(parts)
		if len(parts) == 0 {
			return whole, true
		}
		if hidden(parts[0]) {
			return whole, begins
		}
		w, b := p.match(parts[1:])
		return whole || w, begins || b
	}
	if len(parts) == 0 {
		return false, true
	}
	if hidden(parts[0]) && hasWildcard(p[0][:1]) {
		return false, false
	}
	if ok, _ := path.Match(p[0], parts[0]); !ok { // newPattern has checked the pattern
		return false, false
	}
	return p[1:].match(parts[1:])
}

// hidden reports whether a file or folder is none of a data set: tools write their own files beside
// those of tables, such as _SUCCESS, .part-0.crc or _temporary. Folders of partitions begin with
// the name of a column, which may have an underscore.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") ||
		strings.HasPrefix(name, "_") && !strings.Contains(name, "=")
}
