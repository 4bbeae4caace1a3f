// Package lightgbm owns the model files of LightGBM: its text, of the versions v2 to v4 that
// LightGBM 2.0.5 and later write, and the JSON dump of Booster.dump_model.
//
// # What is read
//
// Numeric splits decide as in LightGBM: x <= threshold in double precision. Missing values go where
// the split's missing_type sends them: NaN by the default direction, or where 0 goes where training
// had no missing values (None). Splits with zeros as missing values (Zero) test a derived column,
// input.Nonzero, unless zeros go to the default side by their value. Categorical splits send the
// categories of their set to the left, and missing, negative and unseen ones to the right. Linear
// trees, DART (whose weights are in the leaves), random forests (average_output), several trees an
// iteration, and one-leaf trees are read. Leaves keep LightGBM's numbers and, as their cover, the
// number of training rows.
//
// Responses are those of the objective:
//
//	binary, cross_entropy               1 / (1 + exp(-sigmoid x)); binary for both classes
//	multiclass                          softmax
//	multiclassova                       as binary, for each class: their sum is not 1
//	poisson, gamma, tweedie             exp(x)
//	cross_entropy_lambda                log(1 + exp(x))
//	regression and others with sqrt     x |x| (reg_sqrt)
//	other regressions, ranks, custom    x
//
// A file without an objective, as of a custom one and as of JSON dumps before v3, has raw scores as
// its response. Random forests of version v2 have the mean of their leaves: these hold responses.
// The raw scores of random forests are means too, where LightGBM returns sums. A forest of several
// scores is a sum with equal weights; its first n rounds are a part of that sum, not their mean.
//
// Columns have the names of the file, and classes the names "0", "1", and so on. A column is
// categorical by the parameters, by feature_infos or by its splits. It has the levels of
// pandas_categorical if that line lists as many columns as are categorical. Numbers are levels
// without a fraction if they are whole; truth values are "True" and "False". Otherwise the levels
// are the codes "0" up to the largest one. Of a column that has codes beyond 65536 they are those
// codes alone that splits test or feature_infos lists, see data.CodeLevels.
//
// # What differs or is refused
//
//   - An infinite value in an equation of a linear tree: the row gets the leaf's plain value, where
//     LightGBM returns an infinity or NaN.
//   - Files before v2, columns that are split both by numbers and by categories, and objectives
//     that no version of LightGBM has are a *codec.UnsupportedError.
//   - Damage is a *codec.CorruptError with the line, or the path of JSON.
//
// # What is written
//
// Encode writes text of version v4: ensembles of trees with splits by numbers and by sets of
// categories, numbers, vectors, class counts or equations in the leaves, and any of the links
// above. It writes the rounds that the model predicts with by default. Every row reaches the same
// leaves, rows with missing and unseen values included. LightGBM sends missing and unseen
// categories to one side; where a tree does not, a second split separates the missing ones, and the
// tree grows.
//
// Weights and start values are part of the leaves, as LightGBM's own are. Sums of trees keep their
// bits. Means, and equations with weights or start values, differ by rounding. Trees with vectors
// or class counts become one tree for each output, and a round of several trees several iterations.
// Class probabilities without a link, as of forests, become scores without an objective: LightGBM
// predicts the probabilities, and a model that is read back is a regression.
//
// The objective of a text that the model comes from is kept where it predicts alike. The format has
// no names of classes, and no thresholds or costs of decisions. It has no gains of nodes here, so
// that LightGBM reports importances of 0. Covers that are no whole numbers become counts of 2^30
// rows in all, in the same proportions.
//
// Everything else that the format cannot hold is a *codec.UnsupportedError that names it: splits of
// several columns, a child for each category, surrogates, divided rows, derived columns, parts of
// dates, missing or unseen values that are refused, leaves without a prediction, quantiles of
// training values, other links, and column names with spaces. So is a file that would predict
// otherwise, such as that of one score without a link for two classes.
package lightgbm

import (
	"bytes"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/model"
)

// The names of the formats.
const (
	textName = "lightgbm"
	jsonName = "lightgbm-json"
)

// tool is what models call LightGBM.
const tool = "LightGBM"

// Format returns the row of the text form for the table of formats.
func Format() codec.Format {
	return codec.Format{
		Name:   textName,
		Suffix: []string{".lgb", ".lightgbm", ".txt"},
		Sniff: func(head []byte) bool {
			first, rest, _ := bytes.Cut(head, []byte("\n"))
			return string(bytes.TrimSuffix(first, []byte("\r"))) == "tree" &&
				bytes.HasPrefix(rest, []byte("version="))
		},
		Decode:    decodeText,
		Encode:    encodeModel,
		Reference: referenceOfText,
		Foreign:   true,
	}
}

// FormatJSON returns the row of JSON dumps for the table of formats. They can be read alone.
func FormatJSON() codec.Format {
	return codec.Format{
		Name:   jsonName,
		Suffix: []string{".lgb.json", ".lightgbm.json"},
		Sniff: func(head []byte) bool {
			return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) &&
				bytes.Contains(head, []byte(`"num_tree_per_iteration"`))
		},
		Decode:    decodeJSON,
		Reference: referenceOfJSON,
		Foreign:   true,
	}
}

// decodeText reads the text form of a model of size bytes. Errors are those of codec.Format.
func decodeText(r io.ReaderAt, size int64, l codec.Limits) (model.Model, error) {
	b := foreign.NewBudget(textName, size, l)
	f, err := readText(r, size, b)
	if err != nil {
		return nil, err
	}
	return f.decoded(b)
}

// decodeJSON reads a JSON dump of size bytes. Errors are those of codec.Format.
func decodeJSON(r io.ReaderAt, size int64, l codec.Limits) (model.Model, error) {
	b := foreign.NewBudget(jsonName, size, l)
	f, err := readDump(r, size, b)
	if err != nil {
		return nil, err
	}
	return f.decoded(b)
}

// decoded returns the model of a file; an error comes without one.
func (f *file) decoded(b *foreign.Budget) (model.Model, error) {
	e, err := f.ensemble(b)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// referenceOfText reads the text form for comparison with what Decode makes of it.
func referenceOfText(r io.ReaderAt, size int64, l codec.Limits) (codec.Reference, error) {
	f, err := readText(r, size, foreign.NewBudget(textName, size, l))
	if err != nil {
		return nil, err
	}
	return reference{f}, nil
}

// referenceOfJSON reads a JSON dump for comparison with what DecodeJSON makes of it.
func referenceOfJSON(r io.ReaderAt, size int64, l codec.Limits) (codec.Reference, error) {
	f, err := readDump(r, size, foreign.NewBudget(jsonName, size, l))
	if err != nil {
		return nil, err
	}
	return reference{f}, nil
}
