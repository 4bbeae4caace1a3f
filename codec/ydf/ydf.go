// Package ydf owns the model folders of YDF (Yggdrasil Decision Forests): header.pb, data_spec.pb,
// gradient_boosted_trees_header.pb or random_forest_header.pb, and the nodes in files that are
// called nodes-00000-of-00001 and so on. All names may begin with a prefix.
//
// # What is read
//
// Gradient boosted trees and random forests, for classes, numbers, ranks and survival. Nodes are
// blob sequences, plain or compressed (BLOB_SEQUENCE, BLOB_SEQUENCE_GZIP). The file done, which YDF
// writes last, is not needed.
//
// Conditions decide as in YDF, in single precision. One that holds leads to the positive child, and
// na_value decides where a missing value goes.
//
//	higher              x >= threshold, of numbers
//	discretised higher  the same, by the boundaries of the column
//	oblique             weight x >= threshold, of a single column
//	true value          of truth values, which are numbers here: true from 0.5 on
//	contains            categories of a list, or of a bitmap
//	NA                  the value is missing
//
// The schema has the model's input features, in their order. The code of a category is YDF's own
// index, so that level 0 is YDF's item for texts out of the dictionary, "<OOD>". A category that
// the schema does not have is unseen, and every node sends it where it sends "<OOD>". Columns of
// bare integers have the levels "0", "1", ...; YDF refuses integers beyond those, and here they are
// unseen.
//
// Boosted trees add to the initial predictions of the header. Responses are those of the loss:
//
//	BINOMIAL_LOG_LIKELIHOOD, BINARY_FOCAL_LOSS   1 / (1 + exp(-x)), for both classes
//	MULTINOMIAL_LOG_LIKELIHOOD                   softmax
//	POISSON                                      exp(x)
//	squared and absolute error, ranks            x
//	COX_PROPORTIONAL_HAZARD                      x, the logarithm of the hazard
//
// Where the header has output_logits, YDF returns the raw scores; the response is still as above.
// Random forests return the fraction of the votes (winner_take_all_inference), the mean of the
// leaves' distributions, or the mean of their numbers.
//
// Leaves have the numbers of YDF's leaf indices: the place of a leaf among the leaves of its tree,
// in the order of the file, in which the negative child of a node comes before the positive. Covers
// are the weights of training rows, and gains the split scores times these, as in YDF's SUM_SCORE.
// Pure models have neither.
//
// # What is refused
//
// A *codec.UnsupportedError names what is refused:
//
//   - other kinds of models and tasks (uplift, anomalies), and nodes in TensorFlow's record files;
//   - columns of sets, lists, vectors, texts and hashes;
//   - oblique conditions of several columns, whose rounding differs from sums in double precision;
//   - leaves of random forests with votes or training rows of class 0, "<OOD>";
//   - models of Poisson loss whose scores may leave -19..19, where YDF limits them.
//
// Damage is a *codec.CorruptError with the file and its byte, counted after decompression. A file
// that is not there is damage too.
package ydf

import (
	"bytes"
	"fmt"
	"io/fs"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/model"
)

// formatName is the name of the format.
const formatName = "ydf"

// Format returns the row for the table of formats.
func Format() codec.Format {
	return codec.Format{
		Name: formatName,
		Sniff: func(names []byte) bool {
			_, err := prefixOf(bytes.Split(names, []byte("\n")))
			return err == nil
		},
		DecodeFS:    decodeFolder,
		ReferenceFS: referenceOf,
		Foreign:     true,
		Single:      true,
	}
}

// decodeFolder reads the model in a folder. Errors are those of codec.Format.
func decodeFolder(fsys fs.FS, l codec.Limits) (m model.Model, err error) {
	defer foreign.Ended(&err)
	d := openFolder(fsys, l)
	e, err := d.read().model(d.budget)
	foreign.Check(wrap(err, "model"))
	return e, nil
}

// referenceOf reads the model in a folder for comparison with what DecodeFS makes of it.
func referenceOf(fsys fs.FS, l codec.Limits) (ref codec.Reference, err error) {
	defer foreign.Ended(&err)
	return newReference(openFolder(fsys, l).read()), nil
}

func corrupt(section string, offset int64, err error) error {
	return &codec.CorruptError{Format: formatName, Section: section, Offset: offset, Err: err}
}

// unsupported reports what cannot be read.
func unsupported(format string, args ...any) error {
	return &codec.UnsupportedError{Format: formatName, What: fmt.Sprintf(format, args...)}
}

// refuse ends reading by what cannot be read, fail by damage.
func refuse(format string, args ...any) { foreign.Check(unsupported(format, args...)) }

func fail(format string, args ...any) { foreign.Check(fmt.Errorf(format, args...)) }

// wrap gives an error of reading a file a type of package codec, if it has none.
func wrap(err error, section string) error { return foreign.Wrapped(formatName, section, err) }
