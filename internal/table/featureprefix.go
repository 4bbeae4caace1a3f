package table

import (
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// lightGBMPrefix begins the names that LightGBM gives to features without names.
const lightGBMPrefix = "Column_"

// FeaturePrefix returns what the names of a model's numbered features begin with, before their
// numbers: "f", "Column_" if it has no feature of the former, or "" if the names of all columns
// are their places, as CatBoost has them. Readers name the columns of files without names so.
func FeaturePrefix(s *data.Schema) string {
	prefix, places := spelling.FeaturePrefix, len(s.Fields) > 0
	for i := range s.Fields {
		name := s.Fields[i].Source()
		if _, ok := spelling.NumberBehind(spelling.FeaturePrefix, name); ok {
			return spelling.FeaturePrefix
		}
		if _, ok := spelling.NumberBehind(lightGBMPrefix, name); ok {
			prefix = lightGBMPrefix
		}
		places = places && name == strconv.Itoa(i)
	}
	if places {
		return ""
	}
	return prefix
}
