package catboost

import (
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"math"

	"github.com/coppice-ml/coppice/data"
)

// reference predicts as CatBoost does: by the splits of the file, in single precision, and by
// leaves that are added up in double precision, tree by tree.
type reference struct {
	*file
	objective
	columns []column
}

func (f *file) reference(in *source) *reference {
	o := f.objective(in)
	return &reference{f, o, f.columns()}
}

func (r *reference) Trees() int  { return len(r.trees) }
func (r *reference) Scores() int { return r.dims }

func (r *reference) Outputs() int {
	if n := r.classes(r.objective); n > 0 {
		return n
	}
	return r.dims
}

// values are a row in CatBoost's terms.
type values struct {
	floats []float32 // by place in file.floats
	cats   []uint32  // by place in file.cats: hashes
	unseen []bool    // likewise: training did not have the category, so nothing has its hash
	ctrs   []float32 // by place in file.ctrs
}

func (r *reference) values(row []float64) *values {
	v := &values{make([]float32, len(r.floats)), make([]uint32, len(r.cats)),
		make([]bool, len(r.cats)), make([]float32, len(r.ctrs))}
	for i, c := range r.columns {
		switch x := row[i]; {
		case !c.cat:
			v.floats[c.place] = float32(x)
		case math.IsNaN(x):
			v.cats[c.place] = missingHash
		case x < 0:
			v.unseen[c.place] = true
		default:
			v.cats[c.place] = r.dictionaries[c.place].hashes[int(x)]
		}
	}
	for i := range r.ctrs {
		c := &r.ctrs[i]
		t := &r.tables[c.table]
		at := -1
		if key, ok := r.key(v, &t.base); ok {
			at = t.find(key)
		}
		v.ctrs[i] = t.value(c, at)
	}
	return v
}

// key returns the hash of a row's combination, not ok if a category is unseen.
func (r *reference) key(v *values, b *ctrBase) (key uint64, ok bool) {
	for _, number := range b.cats {
		at := r.catAt[number]
		if v.unseen[at] {
			return 0, false
		}
		key = mix(key, signed(v.cats[at]))
	}
	condition := func(holds bool) {
		x := uint64(0)
		if holds {
			x = 1
		}
		key = mix(key, x)
	}
	for _, s := range b.floats {
		condition(r.above(v, r.floatAt[s.index], s.border))
	}
	for _, s := range b.oneHots {
		condition(r.equals(v, s.cat, s.value))
	}
	return key, true
}

// above reports whether a numeric column is above a border.
func (r *reference) above(v *values, place int32, border float32) bool {
	x := v.floats[place]
	if x != x && r.floats[place].high {
		x = float32(math.Inf(1))
	}
	return x > border
}

// equals reports whether a category has a hash.
func (r *reference) equals(v *values, number, value int32) bool {
	at := r.catAt[number]
	return !v.unseen[at] && v.cats[at] == uint32(value)
}

// holds reports whether the bit of a split is 1.
func (r *reference) holds(v *values, number int32) bool {
	bin := r.bins[number]
	switch bin.kind {
	case oneHotBin:
		o := &r.oneHots[bin.source]
		return r.equals(v, o.cat, o.values[bin.at])
	case ctrBin:
		return v.ctrs[bin.source] > r.ctrs[bin.source].borders[bin.at]
	}
	return r.above(v, bin.source, r.floats[bin.source].borders[bin.at])
}

// walk returns the leaf that a row reaches.
func (r *reference) walk(t *fileTree, v *values) int32 {
	if t.steps == nil {
		leaf := int32(0)
		for level, split := range t.splits {
			if r.holds(v, split) {
				leaf |= 1 << level
			}
		}
		return leaf
	}
	for n := int32(0); ; {
		step := t.steps[n]
		to := step[0]
		if step != [2]int32{} && r.holds(v, t.splits[n]) {
			to = step[1]
		}
		if to == 0 {
			return t.leaf[n]
		}
		n += to
	}
}

// Leaves writes the numbers of leaves: bit l is that of split l of an oblivious tree.
func (r *reference) Leaves(dst []int32, row []float64) {
	v := r.values(row)
	for i := range r.trees {
		dst[i] = r.walk(&r.trees[i], v)
	}
}

func (r *reference) Raw(dst, row []float64) {
	v := r.values(row)
	clear(dst[:r.dims])
	for i := range r.trees {
		t := &r.trees[i]
		leaf := int(r.walk(t, v))
		for s, x := range t.values[leaf*r.dims:][:r.dims] {
			dst[s] += x
		}
	}
	for s, x := range dst[:r.dims] {
		dst[s] = float64(r.scale*x) + r.bias[s]
	}
}

func (r *reference) Response(dst, row []float64) {
	raw := dst[:r.dims]
	r.Raw(raw, row)
	foreign.Respond(r.link, raw)
	if r.task == data.Binary && r.dims == 1 {
		dst[0], dst[1] = 1-raw[0], raw[0]
	}
}
