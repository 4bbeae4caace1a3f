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
// those of all files. In Table.Stream, files that seem to count features from another number than
// the model are an error behind the last rows. Paths may be patterns and folders: see package data.
func Open(o data.ReadOptions, paths ...string) data.Table { return fileFormat.Open(o, paths) }

var fileFormat = source.ByRows(source.Format{Name: format, Suffixes: Suffixes,
	Missing: data.DefaultMissing, Text: true, Size: size}, newReader)

// size returns about how many rows a file has, and how many values a row of its first ones names.
func size(
	ctx context.Context, _ *data.ReadOptions, s *source.Source,
) (rows, values int64, err error) {
	found, named := int64(0), int64(0)
	rows, err = s.EstimateRows(ctx, format, func(line []byte) bool {
		line, _, _ = bytes.Cut(line, []byte("#"))
		if blanks(line, 0) == len(line) {
			return false
		}
		found++
		named += int64(bytes.Count(line, []byte(":")))
		return true
	})
	return rows, 1 + named/max(found, 1), err
}

func newReader(o *data.ReadOptions) source.Reader {
	absent := o.Absent
	if absent == "" && o.Schema != nil {
		absent = o.Schema.AbsentValues
	}
	c := newCounting(o)
	return &rows{tokens: table.Tokens(o, data.DefaultMissing), absent: absent, counting: c,
		features: newFeatures(absent.Number(), c.name)}
}
