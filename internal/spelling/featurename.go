package spelling

import (
	"strconv"
	"strings"
)

// FeaturePrefix begins the names of features that have numbers: those of XGBoost, ONNX and the
// readers of this module.
const FeaturePrefix = "f"

// FeatureNumber returns the number in the name of a feature, as 12 of f12; false if the column is
// named otherwise.
func FeatureNumber(column string) (int64, bool) { return NumberBehind(FeaturePrefix, column) }

// NumberBehind returns the number behind the prefix of a column's name (see table.FeaturePrefix),
// which has no needless zeros; false if the column is named otherwise.
func NumberBehind(prefix, column string) (int64, bool) {
	digits, ok := strings.CutPrefix(column, prefix)
	if !ok || digits == "" {
		return 0, false
	}
	at, err := strconv.ParseUint(digits, 10, 63)
	return int64(at), err == nil && strconv.FormatUint(at, 10) == digits
}
