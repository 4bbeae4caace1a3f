// Package onnx owns the model files of ONNX that hold trees, as skl2onnx, onnxmltools and the
// scripts of this project write them. They are graphs with one operator: TreeEnsembleClassifier,
// TreeEnsembleRegressor (ai.onnx.ml 1 to 3) or TreeEnsemble (5).
//
// # What is read
//
// Values are compared as ONNX Runtime compares them: in single precision, or in double precision
// where the operator's input has it. All modes of nodes are read. Chains of BRANCH_EQ and
// BRANCH_MEMBER test for equality. A column that is only tested for equality with codes from 0 up
// to 65,535 is categorical, and its levels are the codes. Where a number is tested for equality,
// each value takes two split points. A missing value goes where nodes_missing_value_tracks_true
// sends it, else where a comparison that does not hold goes.
//
//	before the trees   Identity, Cast, Scaler, Concat, FeatureVectorizer, on inputs of any number
//	after the trees    Identity, Cast, reshapes; Add, Sub, Mul and Div with constants; Exp,
//	                   Sigmoid, Softmax; Normalizer (L1); ZipMap
//	labels             Cast, LabelEncoder, ArgMax of the scores
//
// Columns have the names of the inputs if each has an input of its own. Those of one tensor have
// the names of the metadata entry feature_names, a JSON list, which this project's writers make;
// without it they are f0, f1, ... Leaves keep the file's numbers of nodes, of version 5 those of
// leaves.
//
// Scores become responses as in ONNX Runtime 1.30, where that differs from the documents of ONNX:
//
//   - A single target has no transform but PROBIT.
//   - Two classes whose weights are all of class 0 have one score s, of class 1. With LOGISTIC the
//     responses are its two probabilities, otherwise 1-s and s, or -s and s if a weight is
//     negative.
//   - post_transform 1 and 2 of version 5 are LOGISTIC and SOFTMAX.
//   - PROBIT is the quantile function of the normal distribution, approximately.
//
// ONNX Runtime 1.30 joins tests for equality whose subtrees have equal nodes and an equal first
// weight of each leaf, even if other weights differ. Here each test keeps its own subtree.
//
// Labels are those of ONNX Runtime. The operator TreeEnsembleClassifier itself labels two classes
// by one score, so models of such files have a threshold:
//
//   - Where both classes have weights, the second one is the label if its score is above 0.
//   - Where one class has them, it is the second if the score is above 0, or above 0.5 if no weight
//     is negative.
//
// Where no threshold of a response is that of a score, the label is that of the greatest response:
// after a softmax of two weighted classes, and for rows whose leaves have weights of some of
// several classes alone.
//
// # What is refused
//
// A *codec.UnsupportedError names what is refused:
//
//   - other operators and attributes, and several operators of trees;
//   - MIN and MAX as aggregates;
//   - tensors in other files, and inputs of texts;
//   - base values of two classes that ONNX Runtime ignores or adds to other scores;
//   - leaves for which ONNX Runtime has no prediction: of several classes without a weight, of two
//     classes whose second may have none, with several weights for the only target, or with none
//     but a number in nodes_values; and a Normalizer of scores that may all be 0;
//   - an ArgMax of the last of equal scores, but of one logistic score.
//
// Damage is a *codec.CorruptError with its byte.
//
// # What is written
//
// Encode writes a TreeEnsembleRegressor of ai.onnx.ml 3, and of one score of two classes a
// TreeEnsembleClassifier, in single precision: an input "input" of all columns, outputs "label" and
// "scores". The label is the class of the greatest score, by ArgMax and LabelEncoder. Split points
// become BRANCH_LT so that rows of single precision are decided as before. A category is the number
// of its level; the metadata entry feature_levels, a JSON list, has the levels. A set of at most
// 1,024 categories is a chain of BRANCH_EQ nodes with one child. A split between known and missing
// categories tests for NaN. A category that the model does not have is any other number, such as
// -1. Means of trees stay means, so equal probabilities stay equal; other forests become sums of
// weighted leaves.
//
// Refused are links without a counterpart, larger sets, and all that codec/internal/foreign
// lists but class counts in leaves.
package onnx

import (
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
	"github.com/coppice-ml/coppice/model"
)

// formatName is the name of the format.
const formatName = "onnx"

// Format returns the row for the table of formats.
func Format() codec.Format {
	return codec.Format{
		Name:      formatName,
		Suffix:    []string{".onnx"},
		Sniff:     sniff,
		Decode:    decodeModel,
		Encode:    encodeModel,
		Reference: referenceOf,
		Foreign:   true,
		Single:    true,
	}
}

// sniff reports whether a file starts with the version of ONNX, as all writers of ONNX do, and goes
// on with another field of a model.
func sniff(head []byte) bool {
	m := protobuf.NewMessage(head, 0, nil)
	if !m.Next() || m.Field() != modelIR || m.Wire() != protobuf.Varint || m.Uint64() > 1000 {
		return false
	}
	if m.Next() {
		return m.Field() <= modelFunctions
	}
	// the second field continues behind the head
	return len(head) > 2 && head[2]&7 == byte(protobuf.Bytes) && head[2]>>3 > modelIR
}

// decodeModel reads a file of size bytes. Errors are those of codec.Format.
func decodeModel(r io.ReaderAt, size int64, l codec.Limits) (m model.Model, err error) {
	defer foreign.Ended(&err)
	b := foreign.NewBudget(formatName, size, l)
	return readFile(r, size, b).model(b), nil
}

// referenceOf reads a file for comparison with what Decode makes of it.
func referenceOf(r io.ReaderAt, size int64, l codec.Limits) (ref codec.Reference, err error) {
	defer foreign.Ended(&err)
	return newReference(readFile(r, size, foreign.NewBudget(formatName, size, l))), nil
}
