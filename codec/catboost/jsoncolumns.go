package catboost

import "math"

// columnScan reads the columns of a file in JSON.
type columnScan struct {
	*scan
	f *file
}

// all reads the columns.
func (j columnScan) all() {
	j.Object(func(name string) {
		switch name {
		case "float_features":
			j.Array(func(int) { j.numeric() })
		case "categorical_features":
			j.Array(func(int) { j.categorical() })
		case "ctrs":
			j.Array(func(int) { statisticScan(j).column() })
		case "cat_features_hash":
			j.Array(func(int) { j.category() })
		case "text_features", "embedding_features", "estimated_features":
			j.Array(func(int) { j.in.unsupported("%s are not supported", name) })
		default:
			j.Skip()
		}
	})
}

// member reads a member that columns of all kinds have: numbers and a name. An empty name does not
// count.
func (j columnScan) member(member string, index, flat *int32, name *string) {
	switch member {
	case "feature_index":
		*index = j.int32()
	case "flat_feature_index":
		*flat = j.int32()
	case "feature_id", "feature_name":
		if text := j.Text(); text != "" {
			*name = text
		}
	default:
		j.Skip()
	}
}

// numeric reads a numeric column.
func (j columnScan) numeric() {
	c := floatFeature{index: -1, flat: -1}
	var treatment string
	nans := true
	j.Object(func(name string) {
		switch name {
		case "borders":
			j.float32s(&c.borders)
		case "has_nans":
			nans = j.Bool()
		case "nan_value_treatment":
			treatment = j.Text()
		default:
			j.member(name, &c.index, &c.flat, &c.name)
		}
	})
	switch treatment {
	case "AsTrue":
		c.high = nans
	case "AsFalse", "AsIs", "":
	default:
		j.Fail("the treatment %.40q of missing values", treatment)
	}
	keep(j.scan, &j.f.floats, c)
}

// categorical reads a categorical column.
func (j columnScan) categorical() {
	c := catFeature{index: -1, flat: -1}
	var o oneHot
	var texts []string
	j.Object(func(name string) {
		switch name {
		case "values":
			j.Array(func(int) { keep(j.scan, &o.values, j.int32()) })
		case "string_values":
			j.Array(func(int) { keep(j.scan, &texts, j.Text()) })
		default:
			j.member(name, &c.index, &c.flat, &c.name)
		}
	})
	keep(j.scan, &j.f.cats, c)
	if len(o.values) == 0 {
		return
	}
	o.cat = c.index
	keep(j.scan, &j.f.oneHots, o)
	if len(texts) == len(o.values) {
		for i, text := range texts {
			j.addText(uint32(o.values[i]), text)
		}
	}
}

// category reads the text of a category, which stands with its hash.
func (j columnScan) category() {
	var hash uint32
	var text string
	j.Object(func(name string) {
		switch name {
		case "hash":
			hash = uint32(j.Int(math.MinInt32, math.MaxUint32))
		case "value":
			text = j.Text()
		default:
			j.Skip()
		}
	})
	j.addText(hash, text)
}

// addText keeps the text of a category.
func (j columnScan) addText(hash uint32, text string) {
	j.f.addText(j.in, hash, text)
}
