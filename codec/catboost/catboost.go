// Package catboost owns the model files of CatBoost, which it reads: .cbm (FlatBuffers, of the
// version FlabuffersModel_v1) and JSON. Both hold one structure.
//
// # What is read
//
// Oblivious trees and others (grow_policy Depthwise and Lossguide), one score and several, scale
// and bias. Numeric splits decide as in CatBoost: float32(x) > border goes right; a missing value
// is below all borders, or above all where nan_value_treatment is AsTrue. Leaves keep CatBoost's
// numbers and, as their cover, the weight of the training rows. A tree is a round.
//
// Responses are those of predict_proba, and of predict of a regressor:
//
//	Logloss, CrossEntropy, Focal       1 / (1 + exp(-x)) for the second of two classes
//	MultiClass                         softmax
//	MultiClassOneVsAll                 1 / (1 + exp(-x)) of each class; their sum is not 1
//	MultiLogloss, MultiCrossEntropy    the same, as numbers
//	Poisson, Tweedie                   exp(x)
//	all others                         x: regressions, quantiles, ranks, a user's own
//
// Classes have the names of class_params or multiclass_params, else those of the parameters, else
// "0", "1", ... A probability threshold of the file (binclass_probability_threshold) is kept.
//
// # Categories
//
// CatBoost finds a category by the lower half of the CityHash64 of its text. Its files have these
// hashes alone, with exceptions: one-hot values may have texts, and JSON that was saved with its
// pool has cat_features_hash. The levels of a column are the categories that training had: texts as
// far as the file has them, else hashes such as "#2f90404f". A column with such levels has the
// format data.HashedLevels, and tables have texts for it as for any other: a text is found by its
// hash. A missing category counts as the empty text, as in CatBoost's tables. Numbers in a
// categorical column of CatBoost are texts too: 7 is "7".
//
// Statistics of categories (CTRs) become derived columns (input.Combination): Borders, Buckets,
// BinarizedTargetMeanValue, FloatTargetMeanValue, Counter and FeatureFreq, of one column or of
// several, with conditions on numbers and categories. They are computed in single precision, once
// for each key. A row with an unseen category has the statistic of a combination without rows.
//
// The tables of statistics hold the hashes of combinations, not of categories. The reader computes
// which categories they are of; see makeDictionaries.
//
// # What differs or is refused
//
//   - Sums of leaves begin with the bias here, and end with it in CatBoost: scores differ by
//     rounding.
//   - Two categories of one hash are one in CatBoost. Here they are two where the file has the text
//     of one of them.
//   - Columns of texts and embeddings, the loss RMSEWithUncertainty, statistics without their table
//     (as in files that CatBoost saved without it), and statistics of several columns whose
//     categories no table shows are a *codec.UnsupportedError.
//   - Damage is a *codec.CorruptError with the part of the file.
//
// Both formats are read into memory whole. Every array is counted before it grows, since "0," is
// two bytes of JSON, and tables of a FlatBuffer may be used many times.
package catboost

import (
	"bytes"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/model"
)

// The names of the formats in errors and in the table of formats.
const (
	binaryName = "catboost"
	jsonName   = "catboost-json"
)

// Format returns the row of .cbm files for the table of formats.
func Format() codec.Format { return format(binaryName, sniffBinary, readBinary, ".cbm") }

// FormatJSON returns the row of JSON files for the table of formats.
func FormatJSON() codec.Format {
	return format(jsonName, sniffJSON, readJSON, ".cbm.json", ".catboost.json")
}

func format(
	name string, sniff func([]byte) bool, read func(*source) *file, suffix ...string,
) codec.Format {
	open := func(r io.ReaderAt, size int64, l codec.Limits) (*file, *source) {
		in := newSource(name, r, size, l)
		f := read(in)
		f.check(in)
		return f, in
	}
	return codec.Format{
		Name: name, Suffix: suffix, Sniff: sniff, Foreign: true,
		Decode: func(r io.ReaderAt, size int64, l codec.Limits) (m model.Model, err error) {
			defer foreign.Ended(&err)
			f, in := open(r, size, l)
			return f.model(in), nil
		},
		Reference: func(r io.ReaderAt, size int64, l codec.Limits) (ref codec.Reference, err error) {
			defer foreign.Ended(&err)
			f, in := open(r, size, l)
			return f.reference(in), nil
		},
	}
}

func sniffBinary(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// sniffJSON looks for a member that only CatBoost's files start with. Their members stand in the
// order of the alphabet, or of their making.
func sniffJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	head = bytes.TrimLeft(head[1:], " \t\r\n")
	for _, name := range []string{"ctr_data", "features_info", "model_info", "oblivious_trees"} {
		if bytes.HasPrefix(head, []byte(`"`+name+`"`)) {
			return true
		}
	}
	return false
}
