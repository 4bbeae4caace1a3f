// Package native owns Coppice's own model file: one binary file that holds everything a model
// holds, opens with few allocations, and shows every damage. A model is a model.Ensemble,
// rules.Rules, a committee.Committee or one of those that kinds lists. docs/format.md draws its
// bytes; in short:
//
//	head                 magic, version, number of sections, size of the file, CRC
//	section "header"     JSON: schema, classes, learner, parameters, training summary
//	section "texts"      dictionaries of the categorical columns
//	section "trees"      ensembles: arrays, each over all nodes of all trees
//	section "inputs"     ensembles with derived columns: their tables
//	section "covers"     ensembles, optional: the weights of the training rows at the leaves
//	section "rules"      rules: arrays over all rules, and over all their conditions
//	section "members"    committees: the files of their members
//	section "linear"     linear models: how rows become vectors, and the coefficients
//	section "bayes"      naive Bayes: the same, and the distributions of the classes
//	section "state"      ensembles, optional: what a learner needs to resume training
//	section "profile"    optional, JSON: what the training rows were like
//	section "report"     optional, JSON: how good the model was, and notes
//	section "stamp"      optional, JSON: when it was trained
//	section "golden"     optional: rows with their predictions
//	...                  later sections: known by name, skipped where optional and unknown
//
// All numbers are little endian. Sections and arrays start at multiples of 16 bytes, so that the
// arrays of a file that is read (or mapped) into aligned memory are used where they lie. The same
// model always gives the same bytes.
package native

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// name is the format's name in errors and in the table of formats.
const name = "coppice"

// magic starts every file. Its first byte is no ASCII, so that no text is taken for a model; the
// line ends show a transfer that changed them.
const magic = "\x89CPC\r\n\x1a\n"

// prereleaseMagic started the files of the time before the first release, which nothing reads now.
const prereleaseMagic = "\x89COPPICE"

// align is what every section and array starts at a multiple of: the size of the largest
// element, so that none crosses a line of the cache.
const align = 16

var le = binary.LittleEndian

// Format returns the format's row for the table of formats. Its Decode checks, besides checksums
// and structure, all that the model's Validate does. Its Encode stores models of the types that
// kinds lists: *model.Ensemble, *rules.Rules, *dense.Linear ..., and *committee.Committee of such.
func Format() codec.Format {
	return codec.Format{
		Name:   name,
		Suffix: []string{".coppice"},
		Sniff: func(head []byte) bool {
			return bytes.HasPrefix(head, []byte(magic)) ||
				bytes.HasPrefix(head, []byte(prereleaseMagic))
		},
		Decode: Decode,
		Encode: Encode,
		Sealed: true,
	}
}

// corrupt ends the reading of a file that is damaged.
func corrupt(section string, offset int64, format string, args ...any) {
	if section == "" { // as a damaged file may call one
		section = "section without a name"
	}
	foreign.Check(&codec.CorruptError{Format: name, Offset: offset, Section: section,
		Err: fmt.Errorf(format, args...)})
}

// unsupported ends the reading or writing of what the program or the format does not have.
func unsupported(format string, args ...any) {
	foreign.Check(&codec.UnsupportedError{Format: name, What: fmt.Sprintf(format, args...)})
}

// gap returns how many bytes lead from n to the next number that is rest modulo align.
func gap(n, rest int64) int64 { return ((rest-n)%align + align) % align }

// budget is the memory that decoding may still use.
type budget struct{ left, limit int64 }

// take takes n bytes, or ends the reading if so many are not left.
func (b *budget) take(n int64) {
	if n < 0 || n > b.left || int64(int(n)) != n {
		foreign.Check(&codec.LimitError{Format: name, Limit: b.limit})
	}
	b.left -= n
}
