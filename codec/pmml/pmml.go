// Package pmml owns the model files of the standard PMML, versions 3 and 4, as far as they hold
// trees.
//
// # What is read
//
// TreeModel, and MiningModel whose segments are trees: sum, weightedSum, average, weightedAverage,
// majorityVote and weightedMajorityVote. A modelChain may have such models of numbers, and at its
// end a RegressionModel that makes scores of them: this is how JPMML writes gradient boosting. Its
// normalizationMethod is none, logit, exp, softmax or probit; for classes logit and softmax.
// Targets may have rescaleFactor and rescaleConstant.
//
// Predicates are SimplePredicate, SimpleSetPredicate, CompoundPredicate, True and False. A node
// tries its children in order. Each test becomes one binary node of the tree, and none where the
// tests above decide it. Equality of numbers, compound predicates and surrogates become several
// nodes; a subtree that several of them lead to is repeated.
//
// Missing values follow missingValueStrategy (none, lastPrediction, nullPrediction, defaultChild)
// and missingValueReplacement. A row without a true child follows noTrueChildStrategy. Numbers are
// compared in double precision; those of columns of the data type float in single precision. A
// derived field may be such a column as a double: the column alone is rounded.
//
// A class probability is the fraction of recordCount in ScoreDistribution, or its attribute
// probability; without ScoreDistribution the class of a node has probability 1. A vote is for the
// class of a node. Leaves have the ids of their nodes, or their places from 1 on where an id is no
// whole number above 0. Cover is recordCount.
//
// # What differs or is refused
//
//   - A row that PMML gives no prediction to (null) reaches leaf 0, whose value is 0. In sums,
//     votes and means that tree counts as any other, whatever missingPredictionTreatment is.
//   - A category that the file does not list is outside of all sets, as with asIs, also where
//     invalidValueTreatment would refuse the row. asMissing makes it a missing value.
//   - Of equally probable classes the label is the first one. x-mathContext is ignored: sums are in
//     double precision.
//   - weightedConfidence, aggregateNodes, other ways to combine segments, segments with conditions,
//     other derived fields in predicates, special values of columns (property="missing"), outliers,
//     and Targets with limits or casts are a *codec.UnsupportedError that names them.
//   - Files are in UTF-8, ISO-8859-1 or US-ASCII. Elements nest up to 2,000 deep. Entities other
//     than the five of XML are refused. Offsets of damage count bytes of the text in UTF-8.
//
// Nothing is written.
package pmml

import (
	"bytes"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/internal/imported"
	"github.com/coppice-ml/coppice/model"
)

// Name is the name of the format.
const Name = "pmml"

// Format returns the row of PMML for the table of formats.
func Format() codec.Format {
	return codec.Format{
		Name:      Name,
		Suffix:    []string{".pmml"},
		Sniff:     sniff,
		Decode:    Decode,
		Reference: Reference,
		Foreign:   true,
	}
}

// sniff reports whether a file starts as XML with the element PMML.
func sniff(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) &&
		(bytes.Contains(head, []byte("<PMML")) || bytes.Contains(head, []byte(":PMML")))
}

// Decode reads a file of size bytes. Errors are those of codec.Format.
func Decode(r io.ReaderAt, size int64, l codec.Limits) (model.Model, error) {
	b := imported.NewBudget(Name, size, l)
	f, err := read(r, size, b)
	if err != nil {
		return nil, err
	}
	e, err := f.ensemble(b)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Reference reads a file for comparison with what Decode makes of it.
func Reference(r io.ReaderAt, size int64, l codec.Limits) (codec.Reference, error) {
	f, err := read(r, size, imported.NewBudget(Name, size, l))
	if err != nil {
		return nil, err
	}
	return reference{f}, nil
}
