package catboost

import (
	"math"
	"slices"
)

// statisticScan reads the statistics of categories of a file in JSON.
type statisticScan struct {
	*scan
	f *file
}

// elements reads the columns and conditions that a statistic combines.
func (j statisticScan) elements(b *ctrBase) {
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
				s.border = float32(j.Finite())
			default:
				j.Skip()
			}
		})
		switch kind {
		case "cat_feature_value":
			keep(j.scan, &b.cats, o.cat)
		case "float_feature":
			keep(j.scan, &b.floats, s)
		case "cat_feature_exact_value":
			keep(j.scan, &b.oneHots, o)
		default:
			j.Fail("the element %.40q of a combination", kind)
		}
	})
}

// kind reads the name of a kind of statistic.
func (j statisticScan) kind() ctrKind {
	name := j.Text()
	at := slices.Index(ctrNames[:], name)
	if at < 0 && j.Err() == nil {
		j.in.unsupported("statistics of categories of the kind %.40q", name)
	}
	return ctrKind(max(at, 0))
}

// column reads a column that a statistic makes of categories.
func (j statisticScan) column() {
	c := ctr{denom: 1, scale: 1}
	j.Object(func(name string) {
		switch name {
		case "elements":
			j.elements(&c.base)
		case "ctr_type":
			c.base.kind = j.kind()
		case "target_border_classifier_idx":
			c.base.target = j.int32()
		case "target_border_idx":
			c.border = j.int32()
		case "prior_numerator":
			c.num = float32(j.Finite())
		case "prior_denomerator", "prior_denominator":
			c.denom = float32(j.Finite())
		case "shift":
			c.shift = float32(j.Finite())
		case "scale":
			c.scale = float32(j.Finite())
		case "borders":
			j.float32s(&c.borders)
		default:
			j.Skip()
		}
	})
	keep(j.scan, &j.f.ctrs, c)
}

// tables reads the tables of statistics. A member's name is itself JSON: what the table is of.
func (j statisticScan) tables() {
	if j.Next() == 'n' { // null: there are none
		j.Skip()
		return
	}
	j.Object(func(name string) {
		var t ctrTable
		inner := statisticScan{j.in.inner(name), j.f}
		inner.Object(func(name string) {
			switch name {
			case "identifier":
				inner.elements(&t.base)
			case "type":
				t.base.kind = inner.kind()
			case "target_border_classifier_idx":
				t.base.target = inner.int32()
			default:
				inner.Skip()
			}
		})
		j.adopt(inner.scan)
		j.table(&t)
		keep(j.scan, &j.f.tables, t)
	})
}

// table reads the rows of a table: a list of numbers, of which each row has hash_stride. A key is a
// text.
func (j statisticScan) table(t *ctrTable) {
	var stride int64
	var numbers []float64
	j.Object(func(name string) {
		switch name {
		case "hash_map":
			j.Array(func(int) {
				if j.Next() == '"' {
					keep(j.scan, &t.keys, j.Uint())
				} else {
					keep(j.scan, &numbers, j.Finite())
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
	if width < 1 || len(numbers) != len(t.keys)*width {
		j.Fail("%d numbers for %d keys of a table", len(numbers), len(t.keys))
	}
	t.stride = width
	j.Take(4 * int64(len(numbers)))
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
