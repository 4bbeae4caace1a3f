package catboost

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/internal/jsonscan"
)

// readJSON reads a file in JSON.
func readJSON(in *source) (*file, error) {
	j := newScan(in, in.data)
	f := &file{scale: 1}
	j.Object(func(name string) {
		switch name {
		case "model_info":
			j.modelInfo(&f.info)
		case "features_info":
			j.features(f)
		case "oblivious_trees":
			j.Array(func(int) { j.oblivious(f) })
		case "trees":
			j.Array(func(int) { j.tree(f) })
		case "ctr_data":
			j.statistics(f)
		case "scale_and_bias":
			j.scaleAndBias(f)
		default:
			j.Skip()
		}
	})
	j.End()
	if err := j.error(); err != nil {
		return nil, err
	}
	in.section = "trees"
	if f.dims == 0 && len(f.trees) == 0 {
		f.dims = max(1, len(f.bias))
	}
	return f, nil
}

// scan reads JSON: a file, or a text in one.
type scan struct {
	*jsonscan.Scanner
	in *source
}

func newScan(in *source, text []byte) *scan { return &scan{jsonscan.New(text), in} }

// error returns the first error as one of package codec.
func (j *scan) error() error {
	err := j.Err()
	switch err.(type) {
	case nil:
		return nil
	case *codec.CorruptError, *codec.UnsupportedError, *codec.LimitError:
		return err
	}
	if j.in.section = j.Path(); j.in.section == "" {
		j.in.section = "file"
	}
	j.in.at = int64(j.Offset())
	return j.in.corrupt("%w", err)
}

// keep appends a value to a slice of the file.
func keep[T any](j *scan, s *[]T, v T) {
	var err error
	if *s, err = push(j.in, *s, v); err != nil {
		j.Stop(err)
	}
}

// take counts memory.
func (j *scan) take(n int) { j.Stop(j.in.Take(int64(n))) }

// text reads a text that is kept.
func (j *scan) text() string {
	s := j.Text()
	j.take(len(s) + 16)
	return s
}

func (j *scan) int32() int32 { return int32(j.Int(math.MinInt32, math.MaxInt32)) }

// float32s reads an array of numbers.
func (j *scan) float32s(to *[]float32) {
	j.Array(func(int) { keep(j, to, float32(j.Float())) })
}

func (j *scan) float64s(to *[]float64) {
	j.Array(func(int) { keep(j, to, j.Float()) })
}

func (j *scan) scaleAndBias(f *file) {
	j.Array(func(i int) {
		switch {
		case i == 0:
			f.scale = j.Float()
		case i == 1 && j.Next() == '[':
			j.float64s(&f.bias)
		case i == 1: // until 0.24
			keep(j, &f.bias, j.Float())
		default:
			j.Skip()
		}
	})
}

// features reads the columns.
func (j *scan) features(f *file) {
	j.Object(func(name string) {
		switch name {
		case "float_features":
			j.Array(func(int) { j.floatFeature(f) })
		case "categorical_features":
			j.Array(func(int) { j.catFeature(f) })
		case "ctrs":
			j.Array(func(int) { j.ctr(f) })
		case "cat_features_hash":
			j.Array(func(int) { j.categoryText(f) })
		case "text_features", "embedding_features", "estimated_features":
			j.Array(func(int) { j.Stop(j.in.unsupported("%s are not supported", name)) })
		default:
			j.Skip()
		}
	})
}

func (j *scan) floatFeature(f *file) {
	c := floatFeature{index: -1, flat: -1}
	var treatment string
	nans := true
	j.Object(func(name string) {
		switch name {
		case "feature_index":
			c.index = j.int32()
		case "flat_feature_index":
			c.flat = j.int32()
		case "feature_id", "feature_name":
			j.name(&c.name)
		case "borders":
			j.float32s(&c.borders)
		case "has_nans":
			nans = j.Bool()
		case "nan_value_treatment":
			treatment = j.Text()
		default:
			j.Skip()
		}
	})
	switch treatment {
	case "AsTrue":
		c.high = nans
	case "AsFalse", "AsIs", "":
	default:
		j.Fail("the treatment %.40q of missing values", treatment)
	}
	keep(j, &f.floats, c)
}

// name reads the name of a column; an empty one does not count.
func (j *scan) name(to *string) {
	if name := j.text(); name != "" {
		*to = name
	}
}

func (j *scan) catFeature(f *file) {
	c := catFeature{index: -1, flat: -1}
	var o oneHot
	var texts []string
	j.Object(func(name string) {
		switch name {
		case "feature_index":
			c.index = j.int32()
		case "flat_feature_index":
			c.flat = j.int32()
		case "feature_id", "feature_name":
			j.name(&c.name)
		case "values":
			j.Array(func(int) { keep(j, &o.values, j.int32()) })
		case "string_values":
			j.Array(func(int) { keep(j, &texts, j.text()) })
		default:
			j.Skip()
		}
	})
	keep(j, &f.cats, c)
	if len(o.values) == 0 {
		return
	}
	o.cat = c.index
	keep(j, &f.oneHots, o)
	if len(texts) == len(o.values) {
		for i, text := range texts {
			j.addText(f, uint32(o.values[i]), text)
		}
	}
}

// categoryText reads the text of a category, which stands with its hash.
func (j *scan) categoryText(f *file) {
	var hash uint32
	var text string
	j.Object(func(name string) {
		switch name {
		case "hash":
			hash = uint32(j.Int(math.MinInt32, math.MaxUint32))
		case "value":
			text = j.text()
		default:
			j.Skip()
		}
	})
	j.addText(f, hash, text)
}

// addText keeps the text of a category.
func (j *scan) addText(f *file, hash uint32, text string) {
	if err := f.addText(j.in, hash, text); err != nil {
		j.Stop(err)
	}
}

// elements reads the columns and conditions that a statistic combines.
func (j *scan) elements(b *ctrBase) {
	j.Array(func(int) {
		var kind string
		var s floatSplit
		var o oneHotSplit
		j.Object(func(name string) {
			switch name {
			case "combination_element":
				kind = j.Text()
			case "cat_feature_index":
				o.cat = j.int32()
			case "value":
				o.value = int32(j.Int(math.MinInt32, math.MaxUint32))
			case "float_feature_index":
				s.index = j.int32()
			case "border":
				s.border = float32(j.Float())
			default:
				j.Skip()
			}
		})
		switch kind {
		case "cat_feature_value":
			keep(j, &b.cats, o.cat)
		case "float_feature":
			keep(j, &b.floats, s)
		case "cat_feature_exact_value":
			keep(j, &b.oneHots, o)
		default:
			j.Fail("the element %.40q of a combination", kind)
		}
	})
}

// ctrKind reads the name of a kind of statistic.
func (j *scan) ctrKind() ctrKind {
	name := j.Text()
	at := slices.Index(ctrNames[:], name)
	if at < 0 && j.Err() == nil {
		j.Stop(j.in.unsupported("statistics of categories of the kind %.40q", name))
	}
	return ctrKind(max(at, 0))
}

func (j *scan) ctr(f *file) {
	c := ctr{denom: 1, scale: 1}
	j.Object(func(name string) {
		switch name {
		case "elements":
			j.elements(&c.base)
		case "ctr_type":
			c.base.kind = j.ctrKind()
		case "target_border_classifier_idx":
			c.base.target = j.int32()
		case "target_border_idx":
			c.border = j.int32()
		case "prior_numerator":
			c.num = float32(j.Float())
		case "prior_denomerator", "prior_denominator":
			c.denom = float32(j.Float())
		case "shift":
			c.shift = float32(j.Float())
		case "scale":
			c.scale = float32(j.Float())
		case "borders":
			j.float32s(&c.borders)
		default:
			j.Skip()
		}
	})
	keep(j, &f.ctrs, c)
}

// statistics reads the tables of statistics. A member's name is itself JSON: what the table is of.
func (j *scan) statistics(f *file) {
	if j.Next() == 'n' { // null: there are none
		j.Skip()
		return
	}
	j.Object(func(name string) {
		var t ctrTable
		j.take(len(name))
		inner := newScan(j.in, []byte(name))
		inner.Object(func(name string) {
			switch name {
			case "identifier":
				inner.elements(&t.base)
			case "type":
				t.base.kind = inner.ctrKind()
			case "target_border_classifier_idx":
				t.base.target = inner.int32()
			default:
				inner.Skip()
			}
		})
		if err := inner.error(); err != nil {
			j.Stop(err)
			return
		}
		j.table(&t)
		keep(j, &f.tables, t)
	})
}

// table reads the rows of a table: a list of numbers, of which each row has hash_stride. A key is a
// text.
func (j *scan) table(t *ctrTable) {
	var stride int64
	var numbers []float64
	j.Object(func(name string) {
		switch name {
		case "hash_map":
			j.Array(func(int) {
				if j.Next() == '"' {
					keep(j, &t.keys, j.Uint())
				} else {
					keep(j, &numbers, j.Float())
				}
			})
		case "hash_stride":
			stride = j.Int(0, math.MaxInt32)
		case "counter_denominator":
			t.denominator = j.int32()
		default:
			j.Skip()
		}
	})
	width := int(stride) - 1
	if t.base.kind.mean() {
		width = 2
	}
	if j.Err() == nil && (width < 1 || len(numbers) != len(t.keys)*width) {
		j.Fail("%d numbers for %d keys of a table", len(numbers), len(t.keys))
		return
	}
	t.stride = width
	j.take(4 * len(numbers))
	if j.Err() != nil {
		return
	}
	if t.base.kind.mean() {
		t.stride = 1
		t.sums = make([]float32, 0, len(t.keys))
	}
	t.counts = make([]int32, 0, len(t.keys)*t.stride)
	for i, x := range numbers {
		if t.base.kind.mean() && i%2 == 0 {
			t.sums = append(t.sums, float32(x))
			continue
		}
		if x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
			j.Fail("the count %v in a table", x)
			return
		}
		t.counts = append(t.counts, int32(x))
	}
}
