// Package xgboost owns the model files of XGBoost. JSON and UBJSON (versions 1.0 to 3.4) are one
// structure in two encodings, which are read and written. The binary files of versions 0.x to 2.x
// are read, and so are dumps of trees in JSON (Dump).
//
// Read are the boosters gbtree, dart and gblinear; one score and several, several targets, trees
// with vectors at their leaves, parallel trees, categorical splits with and without the texts of
// the categories, and the weights of dart. Trees become a model.Ensemble, gblinear becomes a
// linear.Linear. The links:
//
//	objective                                               link       response
//	reg:squarederror, reg:linear, reg:squaredlogerror,
//	reg:pseudohubererror, reg:absoluteerror,
//	reg:quantileerror, reg:expectileerror, rank:*,
//	binary:logitraw                                         identity   numbers
//	reg:quantileerror of several levels since 3.4           ascending  quantiles
//	reg:logistic                                            logistic   numbers from 0 to 1
//	binary:logistic                                         logistic   classes "0" and "1"
//	binary:hinge                                            step       classes "0" and "1"
//	count:poisson, reg:gamma, reg:tweedie, survival:*       exp        numbers
//	multi:softmax, multi:softprob                           softmax    classes "0", "1", ...
//
// Several targets of binary:logistic are numbers too, one probability for each target.
//
// Not read are:
//
//   - other objectives, and several levels of reg:expectileerror, whose response is a running sum;
//   - files in base64, and memory snapshots of pickles;
//   - trees of several roots, and leaf vectors of the binary files.
//
// # Decisions
//
// XGBoost compares float32(x) < threshold, and a missing value goes in the default direction. The
// reader turns this into a split point in double precision that decides every row alike
// (tree.Below32). A categorical split lists the categories that go right. All others go left, those
// that are unseen too. Scores are sums in single precision in XGBoost, in double precision here:
// they differ by rounding.
//
// # Writing
//
// JSON and UBJSON hold every model.Ensemble, or model that is one (model.AsTrees), of
//
//   - splits by number and by set, with a direction for missing values;
//   - sums of numbers, or vectors, with weights and start values; means, as sums of leaves that are
//     scaled; of vectors a tree for each number;
//   - the links above but scaled ones, and quantiles.
//
// They also hold a linear.Linear of numbers whose missing values add nothing, as gblinear.
//
// A threshold decides as its split point does for every value that single precision holds. Leaf
// values and covers are rounded to single precision, products of a leaf and a weight too. XGBoost
// 1.7 and later read the files, quantiles 2.0 or 3.4 and later. Texts and whole numbers of
// categories are for 3.1 and later; older versions need the codes. Label, names of classes and the
// best round are attributes.
//
// What is lost are gains, values of inner nodes, and the number of levels of a column whose levels
// are bare codes. All else that a file cannot hold is a *codec.UnsupportedError that names it:
// other links, numbers beyond single precision, and all that codec/internal/foreign lists.
//
// A model of XGBoost whose columns are f0, f1, ... is written without names, as one that has none.
// XGBoost's Python interface refuses names of columns with any of [ ] <.
//
// # Memory
//
// A file has many tiny numbers: "0," is two bytes. A general JSON decoder makes 24 bytes and more
// of each, and of an empty tree, "{},", a struct of several hundred bytes. So both encodings
// are read value by value, and every array is counted before it grows.
package xgboost

import (
	"bytes"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/model"
)

// The names of the formats in errors and in the table of formats.
const (
	jsonName   = "xgboost-json"
	ubjsonName = "xgboost-ubjson"
	binaryName = "xgboost-binary"
)

// JSON returns the row of XGBoost's JSON files for the table of formats.
func JSON() codec.Format {
	f := formatOf(jsonName, sniffJSON, readJSON, ".json", ".xgb.json")
	f.Encode = encoder(jsonName, newJSONSink, readJSON)
	return f
}

// UBJSON returns the row of XGBoost's UBJSON files for the table of formats.
func UBJSON() codec.Format {
	f := formatOf(ubjsonName, sniffUBJSON, readUBJSON, ".ubj")
	f.Encode = encoder(ubjsonName, newUBJSONSink, readUBJSON)
	return f
}

// Binary returns the row of the binary files of XGBoost 0.x to 2.x for the table of formats.
func Binary() codec.Format { return formatOf(binaryName, sniffBinary, readBinary) }

// formatOf returns a row of the table of formats without an encoder.
func formatOf(name string, sniff func(head []byte) bool, from reading, suffix ...string) codec.Format {
	return codec.Format{Name: name, Suffix: suffix, Sniff: sniff, Decode: decoder(name, from),
		Reference: referencer(name, from), Foreign: true, Single: true}
}

// sniffJSON looks for a member that only XGBoost's files start with. Members may have any order,
// and there may be spaces.
func sniffJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	head = bytes.TrimLeft(head[1:], " \t\r\n")
	return bytes.HasPrefix(head, []byte(`"learner"`)) ||
		bytes.HasPrefix(head, []byte(`"version"`)) && bytes.Contains(head, []byte(`"learner"`))
}

func sniffUBJSON(head []byte) bool {
	return bytes.HasPrefix(head, []byte("{L\x00\x00\x00\x00\x00\x00\x00\x07learner")) ||
		bytes.HasPrefix(head, []byte("{L\x00\x00\x00\x00\x00\x00\x00\x07version"))
}

// reading reads a file in one of the encodings.
type reading func(in *input) *file

// read reads a file and checks it.
func read(name string, from reading, r io.ReaderAt, size int64, l codec.Limits) (*file, *input) {
	in := newInput(name, r, size, l)
	f := from(in)
	in.section = "file"
	f.leaveOut(in)
	f.check(in)
	return f, in
}

func decoder(name string, from reading) func(io.ReaderAt, int64, codec.Limits) (
	model.Model, error,
) {
	return func(r io.ReaderAt, size int64, l codec.Limits) (m model.Model, err error) {
		defer foreign.Ended(&err)
		f, in := read(name, from, r, size, l)
		return f.model(in), nil
	}
}

func referencer(name string, from reading) func(io.ReaderAt, int64, codec.Limits) (
	codec.Reference, error,
) {
	return func(r io.ReaderAt, size int64, l codec.Limits) (ref codec.Reference, err error) {
		defer foreign.Ended(&err)
		f, in := read(name, from, r, size, l)
		return f.reference(in), nil
	}
}
