package catboost

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"
	"testing"
)

// object is an object of JSON.
type object = map[string]any

// asJSON writes a file as CatBoost writes JSON.
func asJSON(t testing.TB, f *file) []byte {
	t.Helper()
	floats, cats, ctrs, hashes := []any{}, []any{}, []any{}, []any{}
	for _, c := range f.floats {
		treatment := "AsFalse"
		if c.high {
			treatment = "AsTrue"
		}
		floats = append(floats, object{"feature_index": c.index, "flat_feature_index": c.flat, "feature_id": c.name,
			"borders": c.borders, "has_nans": true, "nan_value_treatment": treatment})
	}
	for _, c := range f.cats {
		o := object{"feature_index": c.index, "flat_feature_index": c.flat, "feature_id": c.name}
		for _, h := range f.oneHots {
			if h.cat == c.index {
				o["values"] = h.values
			}
		}
		cats = append(cats, o)
	}
	for hash, text := range f.texts {
		hashes = append(hashes, object{"hash": hash, "value": text})
	}
	tables := object{}
	for i := range f.tables {
		tables[baseText(t, &f.tables[i].base)] = tableJSON(&f.tables[i])
	}
	for i := range f.ctrs {
		c := &f.ctrs[i]
		ctrs = append(ctrs, object{"identifier": baseText(t, &c.base), "elements": elementsJSON(&c.base),
			"ctr_type": ctrNames[c.base.kind], "target_border_idx": c.border, "prior_numerator": c.num,
			"prior_denomerator": c.denom, "shift": c.shift, "scale": c.scale, "borders": c.borders})
	}
	whole := object{"scale_and_bias": []any{f.scale, f.bias}, "ctr_data": tables,
		"model_info": object{"params": object{"loss_function": object{"type": f.info.loss}}},
		"features_info": object{"float_features": floats, "categorical_features": cats, "ctrs": ctrs,
			"cat_features_hash": hashes}}
	trees, name := []any{}, "oblivious_trees"
	for i := range f.trees {
		tree := &f.trees[i]
		if tree.steps != nil {
			name = "trees"
			trees = append(trees, nodeJSON(f, tree, 0))
			continue
		}
		splits := []any{}
		for _, s := range tree.splits {
			splits = append(splits, object{"split_index": s})
		}
		trees = append(trees, object{"splits": splits, "leaf_values": tree.values, "leaf_weights": tree.weights})
	}
	whole[name] = trees
	return text(t, whole)
}

func text(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func elementsJSON(b *ctrBase) []any {
	elements := []any{}
	for _, c := range b.cats {
		elements = append(elements, object{"combination_element": "cat_feature_value", "cat_feature_index": c})
	}
	for _, s := range b.floats {
		elements = append(elements, object{"combination_element": "float_feature", "float_feature_index": s.index,
			"border": s.border})
	}
	for _, s := range b.oneHots {
		elements = append(elements, object{"combination_element": "cat_feature_exact_value", "cat_feature_index": s.cat,
			"value": s.value})
	}
	return elements
}

func baseText(t testing.TB, b *ctrBase) string {
	return string(text(t, object{"identifier": elementsJSON(b), "type": ctrNames[b.kind]}))
}

func tableJSON(table *ctrTable) object {
	rows := []any{}
	width := table.stride
	if table.base.kind.mean() {
		width = 2
	}
	for i, key := range table.keys {
		rows = append(rows, strconv.FormatUint(key, 10))
		if table.base.kind.mean() {
			rows = append(rows, table.sums[i])
		}
		for _, n := range table.counts[i*table.stride:][:table.stride] {
			rows = append(rows, n)
		}
	}
	return object{"hash_map": rows, "hash_stride": 1 + width, "counter_denominator": table.denominator}
}

func nodeJSON(f *file, t *fileTree, n int32) object {
	leaf := func() object {
		at := t.leaf[n]
		values := t.values[int(at)*f.dims:][:f.dims]
		if f.dims == 1 {
			return object{"value": values[0], "weight": t.weights[at]}
		}
		return object{"value": values, "weight": t.weights[at]}
	}
	if t.steps[n] == [2]int32{} {
		return leaf()
	}
	o := object{"split": object{"split_index": t.splits[n]}}
	for side, name := range []string{"left", "right"} {
		if to := t.steps[n][side]; to != 0 {
			o[name] = nodeJSON(f, t, n+to)
		} else {
			o[name] = leaf()
		}
	}
	return o
}

// part is what a FlatBuffer points to. It appends itself to a buffer, and returns its place.
type part func(b []byte) (whole []byte, at int)

var u32 = binary.LittleEndian.AppendUint32

// vector is a vector of numbers or structs, or a text.
func vector(n int, elements []byte) part {
	return func(b []byte) ([]byte, int) { return append(u32(b, uint32(n)), elements...), len(b) }
}

func chars(s string) part { return vector(len(s), []byte(s)) }

// list is a vector of parts.
func list(parts []part) part {
	return func(b []byte) ([]byte, int) {
		at := len(b)
		b = append(u32(b, uint32(len(parts))), make([]byte, 4*len(parts))...)
		for i, p := range parts {
			b = point(b, at+4+4*i, p)
		}
		return b, at
	}
}

// point appends a part and writes the distance to it.
func point(b []byte, from int, p part) []byte {
	b, to := p(b)
	binary.LittleEndian.PutUint32(b[from:], uint32(to-from))
	return b
}

// tableOf is a table: its fields are parts or numbers, nil where they are absent.
func tableOf(fields ...any) part {
	return func(b []byte) ([]byte, int) {
		vtable := len(b)
		at := vtable + 4 + 2*len(fields)
		data := []byte{0, 0, 0, 0}
		var places []int
		for _, f := range fields {
			place := len(data)
			switch x := f.(type) {
			case nil:
				place = 0
			case part:
				data = u32(data, 0)
			case bool:
				data = append(data, map[bool]byte{true: 1}[x])
			case uint8:
				data = append(data, x)
			case int32:
				data = u32(data, uint32(x))
			case float32:
				data = u32(data, math.Float32bits(x))
			case float64:
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
			}
			places = append(places, place)
		}
		binary.LittleEndian.PutUint32(data, uint32(at-vtable))
		b = binary.LittleEndian.AppendUint16(b, uint16(at-vtable))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
		for _, place := range places {
			b = binary.LittleEndian.AppendUint16(b, uint16(place))
		}
		b = append(b, data...)
		for i, f := range fields {
			if p, ok := f.(part); ok {
				b = point(b, at+places[i], p)
			}
		}
		return b, at
	}
}

// buffer is a FlatBuffer with its size before it.
func buffer(root part) []byte {
	b := point(make([]byte, 4), 0, root)
	return append(u32(nil, uint32(len(b))), b...)
}

// numbers is a vector of numbers of 4 or 8 bytes.
func numbers[T int32 | uint32 | float32 | float64](s []T) part {
	var b []byte
	for _, x := range s {
		switch x := any(x).(type) {
		case int32:
			b = u32(b, uint32(x))
		case uint32:
			b = u32(b, x)
		case float32:
			b = u32(b, math.Float32bits(x))
		case float64:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return vector(len(s), b)
}

// asBinary writes a file as CatBoost writes .cbm.
func asBinary(t testing.TB, f *file) []byte {
	var floats, cats, oneHots, ctrs []part
	for _, c := range f.floats {
		treatment := uint8(1)
		if c.high {
			treatment = asTrue
		}
		floats = append(floats, tableOf(true, c.index, c.flat, numbers(c.borders), chars(c.name), treatment))
	}
	for _, c := range f.cats {
		cats = append(cats, tableOf(c.index, c.flat, chars(c.name), true))
	}
	for _, o := range f.oneHots {
		var texts any
		var all []part
		for _, v := range o.values {
			if s, ok := f.texts[uint32(v)]; ok {
				all = append(all, chars(s))
			}
		}
		if len(all) == len(o.values) {
			texts = list(all)
		}
		oneHots = append(oneHots, tableOf(o.cat, numbers(o.values), texts))
	}
	for i := range f.ctrs {
		c := &f.ctrs[i]
		ctrs = append(ctrs, tableOf(tableOf(basePart(&c.base), c.border, c.num, c.denom, c.shift, c.scale),
			numbers(c.borders)))
	}
	var splits, sizes, starts, leaf []int32
	var values, weights []float64
	var steps []byte
	for i := range f.trees {
		tree := &f.trees[i]
		starts, sizes = append(starts, int32(len(splits))), append(sizes, int32(len(tree.splits)))
		splits = append(splits, tree.splits...)
		for n, s := range tree.steps {
			steps = binary.LittleEndian.AppendUint16(steps, uint16(s[0]))
			steps = binary.LittleEndian.AppendUint16(steps, uint16(s[1]))
			id := int32(-1)
			if tree.leaf[n] >= 0 {
				id = int32(len(values)) + tree.leaf[n]*int32(f.dims)
			}
			leaf = append(leaf, id)
		}
		values, weights = append(values, tree.values...), append(weights, tree.weights...)
	}
	trees := tableOf(int32(f.dims), numbers(splits), numbers(sizes), numbers(starts), list(cats), list(floats),
		list(oneHots), list(ctrs), numbers(values), numbers(weights), vector(len(steps)/4, steps), numbers(leaf),
		nil, nil, f.scale, nil, numbers(f.bias))
	params := text(t, object{"loss_function": object{"type": f.info.loss}})
	core := tableOf(chars(coreFormat), trees, list([]part{tableOf(chars("params"), chars(string(params)))}),
		list([]part{chars(ctrProvider)}))
	b := append([]byte(magic), buffer(core)...)
	b = u32(b, uint32(len(f.tables)))
	for i := range f.tables {
		b = append(b, tableBuffer(&f.tables[i])...)
	}
	return b
}

func basePart(b *ctrBase) part {
	var splits, equal []byte
	for _, s := range b.floats {
		splits = u32(u32(splits, uint32(s.index)), math.Float32bits(s.border))
	}
	for _, s := range b.oneHots {
		equal = u32(u32(equal, uint32(s.cat)), uint32(s.value))
	}
	combination := tableOf(numbers(b.cats), vector(len(b.floats), splits), vector(len(b.oneHots), equal))
	return tableOf(combination, uint8(b.kind), b.target)
}

// tableBuffer writes a table, whose rows stand in the opposite order of its keys, with a bucket
// that is free before each.
func tableBuffer(t *ctrTable) []byte {
	var buckets, blob []byte
	n := len(t.keys)
	for i, key := range t.keys {
		buckets = u32(binary.LittleEndian.AppendUint64(buckets, invalidKey), 0)
		buckets = u32(binary.LittleEndian.AppendUint64(buckets, key), uint32(n-1-i))
	}
	for i := n - 1; i >= 0; i-- {
		if t.base.kind.mean() {
			blob = u32(blob, math.Float32bits(t.sums[i]))
		}
		for _, x := range t.counts[i*t.stride:][:t.stride] {
			blob = u32(blob, uint32(x))
		}
	}
	return buffer(tableOf(basePart(&t.base), vector(len(buckets), buckets), vector(len(blob), blob), t.denominator,
		int32(t.stride)))
}
