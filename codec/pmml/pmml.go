// Package pmml owns the model files of the standard PMML, versions 3 and 4, as far as they hold
// trees.
//
// # What is read
//
// TreeModel, and MiningModel whose segments are trees: sum, weightedSum, average, weightedAverage,
// majorityVote and weightedMajorityVote. A modelChain may have such models of numbers, and at its
// end a RegressionModel that makes scores of them: this is how JPMML writes gradient boosting. Its
// normalizationMethod is none, logit, exp, softmax or probit; for classes logit, probit, softmax,
// or simplemax of a logit for each class. Targets may have rescaleFactor and rescaleConstant.
//
// Predicates are SimplePredicate, SimpleSetPredicate, CompoundPredicate, True and False. A node
// tries its children in order. Each test becomes one binary node of the tree, and none where the
// tests above decide it. Equality of numbers, compound predicates and surrogates become several
// nodes; a subtree that several of them lead to is repeated.
//
// Missing values follow missingValueStrategy (none, lastPrediction, nullPrediction, defaultChild)
// and missingValueReplacement. A row without a true child follows noTrueChildStrategy. Numbers are
// compared in double precision; those of columns of the data type float in single precision.
//
// A derived field of a predicate is computed of one column and ascends or descends with it: by
// sums, differences, products and quotients with numbers, by NormContinuous, and as another type,
// in at most 16 steps. Its comparison becomes one of the column, at the split point at which the
// rounding of all steps changes sides. Pipelines write such fields for a scaler.
//
// Invalid values are numbers outside of the Intervals of a field, and categories that its
// dictionary does not list though it lists some. invalidValueTreatment lets the model refuse their
// rows (returnInvalid, as without it), or makes them missing (asMissing). With asIs numbers are as
// they are, and categories are outside of all sets.
//
// A segment of a sum may have a condition: rows of which it is not true get nothing of its tree.
// Texts of missing values (property="missing") are those of the tables, and the same for all
// columns. missingValueTreatment="returnInvalid" lets the model refuse rows with a missing value.
//
// A class probability is the fraction of recordCount in ScoreDistribution, or its attribute
// probability; without ScoreDistribution the class of a node has probability 1. A vote is for the
// class of a node. Leaves have the ids of their nodes, or their places from 1 on where an id is no
// whole number above 0. Cover is recordCount.
//
// # What differs or is refused
//
//   - PMML gives no prediction (null) to some rows: of no true child, or of a node without a score.
//     The model refuses them, by leaves without a prediction (model.Ensemble.Refused); where one
//     column alone decides, by its policies (data.Refuse). A file without a prediction for any row
//     is a *codec.UnsupportedError, as is a sum whose segments all have conditions.
//   - The same holds if a single tree of a vote or a mean has no prediction, whatever
//     missingPredictionTreatment is. JPMML-Evaluator lets the other trees vote by default, and has
//     no prediction where most trees have none.
//   - Of equally probable classes the label is the first one. x-mathContext is ignored: sums are in
//     double precision.
//   - weightedConfidence, aggregateNodes, other ways to combine segments, conditions of segments
//     outside of sums, other derived fields in predicates, outliers, and Targets with limits or
//     casts are a *codec.UnsupportedError that names them.
//   - Files are in UTF-8, ISO-8859-1 or US-ASCII. Elements nest up to 2,000 deep. Entities other
//     than the five of XML are refused. Places of damage count bytes of the text in UTF-8.
//
// # What is written
//
// Encode writes PMML 4.4. A single tree is a TreeModel. Other models are a MiningModel: average or
// majorityVote for class probabilities, sum or average for numbers, each also weighted. With a link
// it is a modelChain of a sum for each score and a RegressionModel: logistic and its factor,
// probit, exp, softmax, and one-vs-all as a logit for each class and their simplemax.
//
// A node of a tree is a Node with its number + 1 as id. Missing values follow defaultChild; where
// rows stop at a node they reach a leaf with its id. Surrogate splits are compound predicates.
// Categories that the model does not have are outside of all sets (asIs), or refused. Leaves
// without a prediction have no score, and a segmentation then
// missingPredictionTreatment="returnMissing". Numbers have the fewest digits that are read back to
// the same bits, and are compared in double precision. What is read back has the same leaves;
// surrogates and a child for each category become several nodes.
//
// Refused are leaves with equations or training values, splits along directions, rows that go to
// all children, derived columns and dates, costs and thresholds, anomalies, several numbers as
// prediction, means that are no class probabilities, other links, and characters that XML 1.0 does
// not have.
package pmml

import (
	"bytes"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/model"
)

// formatName is the name of the format.
const formatName = "pmml"

// Format returns the row of PMML for the table of formats.
func Format() codec.Format {
	return codec.Format{
		Name:      formatName,
		Suffix:    []string{".pmml"},
		Sniff:     sniff,
		Decode:    decodeModel,
		Encode:    encodeModel,
		Reference: referenceOf,
		Foreign:   true,
	}
}

// sniff reports whether a file starts as XML with the element PMML.
func sniff(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) &&
		(bytes.Contains(head, []byte("<PMML")) || bytes.Contains(head, []byte(":PMML")))
}

// decodeModel reads a file of size bytes. Errors are those of codec.Format.
func decodeModel(r io.ReaderAt, size int64, l codec.Limits) (m model.Model, err error) {
	defer foreign.Ended(&err)
	b := foreign.NewBudget(formatName, size, l)
	return foreign.Must(read(r, size, b).ensemble(b)), nil
}

// referenceOf reads a file for comparison with what Decode makes of it.
func referenceOf(r io.ReaderAt, size int64, l codec.Limits) (ref codec.Reference, err error) {
	defer foreign.Ended(&err)
	return reference{read(r, size, foreign.NewBudget(formatName, size, l))}, nil
}
