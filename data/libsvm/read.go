package libsvm

import (
	"bytes"
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

const format = "LibSVM"

// The names of the columns that are no features.
const (
	Label  = "label"
	Weight = "weight"
	Query  = "query"
)

// ErrSide is the reason of a data.ReadError about a side file that does not fit its table.
var ErrSide = errors.New("libsvm: side file does not fit")

// Sniff reports whether a text that begins so looks like LibSVM's: a number, then a pair of an
// index and a number, or qid.
func Sniff(head []byte) bool {
	for line := range bytes.Lines(head) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		words := bytes.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) < 2 {
			return false
		}
		_, number := table.ParseNumber(words[0])
		name, _, pair := bytes.Cut(words[1], []byte(":"))
		return number && pair && (string(name) == "qid" || isIndex(name))
	}
	return false
}

func isIndex(text []byte) bool {
	_, ok := parseIndex(text)
	return ok
}

// Suffixes end the names of LibSVM files, before .gz or .zst. Of a folder the files with such names
// are read.
var Suffixes = []string{".libsvm", ".svm", ".svmlight"}

// Open returns the table of files, one after the other; "-" is standard input. Its features are
// those of all files, and it is held in memory. Paths may be patterns and folders: see package
// data.
func Open(o data.ReadOptions, paths ...string) data.Table { return fileFormat.Open(o, paths) }

var fileFormat = &source.Format{Name: format, Suffixes: Suffixes, Read: read}

func read(
	ctx context.Context, o *data.ReadOptions, sources []source.Source,
) (*data.RowBlock, error) {
	tokens := table.Tokens(o, data.DefaultMissing)
	absent := o.Absent
	if absent == "" && o.Schema != nil {
		absent = o.Schema.AbsentValues
	}
	c := newCounting(o)
	t, err := source.Build(ctx, o, tokens, sources,
		&rows{options: o, tokens: tokens, features: newFeatures(absent.Number(), c.name), counting: c})
	if err != nil {
		return nil, err
	}
	if absent == data.AbsentMissing {
		t.Frame.Schema.AbsentValues = absent
	}
	t.Frame.Schema.FirstIndex = c.first()
	return t, nil
}
