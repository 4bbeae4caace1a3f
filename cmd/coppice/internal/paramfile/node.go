// Package paramfile owns files of parameters: how TOML, YAML, JSON and lines of NAME = VALUE are
// read and written, and how what they hold becomes flags of a command. The keys of a file are the
// names of flags, the key data has the operands, and the table set has the parameters of the
// learner. So one file describes a project: the table, the roles of its columns, the split, and the
// learner. What a file of another tool holds is translated first.
package paramfile

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/outside"
)

// kind is what a node of a file holds.
type kind uint8

const (
	scalar kind = iota // a text, a number or a switch
	list
	table
	null // the null of JSON and YAML
)

// node is a value in a file.
type node struct {
	kind  kind
	line  int    // from 1; 0 = unknown
	text  string // of a scalar, numbers as they are written
	items []node // of a list
	table []entry
}

// entry is a key of a table with its value.
type entry struct {
	key string
	node
}

// Limits of a file. A larger one is no file of parameters.
const (
	mostBytes = 1 << 20
	mostDepth = 20
)

// syntax is a form of files.
type syntax struct {
	name     string
	suffixes []string
	parse    func(text []byte) ([]entry, error)
	write    func([]entry) ([]byte, error) // nil: it is not written
}

// syntaxes lists the forms by the suffixes of their files.
func syntaxes() []syntax {
	return []syntax{
		{"TOML", []string{".toml"}, parseTOML, writeTOML},
		{"YAML", []string{".yaml", ".yml"}, parseYAML, writeYAML},
		{"JSON", []string{".json"}, parseJSON, writeJSON},
		{"lines", []string{".conf", ".config", ".cfg", ".txt"}, parseLines, nil},
	}
}

// syntaxOf returns the form of a file by its name, nil if it has none.
func syntaxOf(path string) *syntax {
	all := syntaxes()
	for i := range all {
		for _, suffix := range all[i].suffixes {
			if strings.EqualFold(filepath.Ext(path), suffix) {
				return &all[i]
			}
		}
	}
	return nil
}

// lineError is what is wrong with a line of a file.
type lineError struct {
	line int // 0 = unknown
	what string
}

func (e *lineError) Error() string { return e.what }

func fault(line int, format string, args ...any) error {
	return &lineError{line, fmt.Sprintf(format, args...)}
}

// parse reads a file by the form of its name.
func parse(path string) ([]entry, error) {
	form := syntaxOf(path)
	if form == nil {
		return nil, fault(0, "want the suffix .toml, .yaml, .yml or .json, or .conf of lines as "+
			"LightGBM and XGBoost read")
	}
	info, err := outside.FileInfo(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fault(0, "it is a folder: name a file")
	}
	if info.Size() > mostBytes {
		return nil, fault(0, "%d bytes are too many for a file of parameters: want at most %d",
			info.Size(), mostBytes)
	}
	text, err := outside.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return form.parse(text)
}

// twice is the error of a key that a table has twice.
func twice(key string, first, again int) error {
	return fault(again, "%q stands in line %d already", key, first)
}

// number writes a number as the shortest text that reads back as it.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
