package data

import (
	"fmt"
	"strconv"
	"strings"
)

// FirstIndex is the number of the first feature in files that name features by numbers, as LibSVM's
// do.
type FirstIndex string

// The numbers that features count from.
const (
	FirstZero FirstIndex = "0"
	FirstOne  FirstIndex = "1"
)

// Check returns an error for a text that is none of the numbers; "" stands for one that is not
// known.
func (f FirstIndex) Check() error {
	if f == "" || f == FirstZero || f == FirstOne {
		return nil
	}
	return fmt.Errorf("%q is no number of the first feature: want %s or %s", string(f), FirstZero,
		FirstOne)
}

// ImpliedFirstIndex returns what features count from by the names of columns: 0 if there is a
// feature f0, 1 if there are others named by numbers, else "".
func (s *Schema) ImpliedFirstIndex() FirstIndex {
	implied := FirstIndex("")
	for i := range s.Fields {
		switch at, ok := FeatureNumber(s.Fields[i].Source()); {
		case ok && at == 0:
			return FirstZero
		case ok:
			implied = FirstOne
		}
	}
	return implied
}

// The beginnings of the names of features that a file names by their numbers, and readers too:
// those of XGBoost, ONNX and the readers of this module, and those of LightGBM.
const (
	featurePrefix  = "f"
	lightGBMPrefix = "Column_"
)

// FeaturePrefix returns what the names of a model's numbered features begin with, before their
// numbers: "f", "Column_" if it has no feature of the former, or "" if the names of all columns
// are their places, as CatBoost has them. Readers name the columns of files without names so.
func (s *Schema) FeaturePrefix() string {
	prefix, places := featurePrefix, len(s.Fields) > 0
	for i := range s.Fields {
		name := s.Fields[i].Source()
		if _, ok := NumberBehind(featurePrefix, name); ok {
			return featurePrefix
		}
		if _, ok := NumberBehind(lightGBMPrefix, name); ok {
			prefix = lightGBMPrefix
		}
		places = places && name == strconv.Itoa(i)
	}
	if places {
		return ""
	}
	return prefix
}

// FeatureNumber returns the number in the name of a feature, as 12 of f12; false if the column is
// named otherwise.
func FeatureNumber(column string) (int64, bool) { return NumberBehind(featurePrefix, column) }

// NumberBehind returns the number behind the prefix of a column's name (see FeaturePrefix), which
// has no needless zeros; false if the column is named otherwise.
func NumberBehind(prefix, column string) (int64, bool) {
	digits, ok := strings.CutPrefix(column, prefix)
	if !ok || digits == "" {
		return 0, false
	}
	at, err := strconv.ParseUint(digits, 10, 63)
	return int64(at), err == nil && strconv.FormatUint(at, 10) == digits
}
