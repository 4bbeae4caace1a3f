package native

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// damage is a file whose checksums are right and whose content is not.
type damage struct {
	name string
	edit func(*draft)
	want string // part of the error
}

// hostile are damages of everything but the parts that few trees have; those are hostileParts.
var hostile = []damage{
	{"header is no JSON", setHeader("{"), "JSON"},
	{"header of another type", setHeader("[1]"), "cannot unmarshal"},
	{"unknown task", setHeader(`{"model":"ensemble","task":"juggling"}`), "juggling"},
	{"deep JSON", setHeader(strings.Repeat("[", 1<<20)), "depth"},
	{"number of trees", func(d *draft) { d.head.Trees = math.MaxInt32 }, "the header has 2147483647"},
	{"trees below zero", func(d *draft) { d.head.Trees = -1 }, "the header has -1"},
	{"a number format of nobody", func(d *draft) {
		d.head.Schema.Fields = raw(`[{"name":"a","format":"1;234"},{"name":"b","kind":"categorical","levels":66}]`)
	}, "no number format"},
	{"a number format of the label", func(d *draft) { d.head.Format = "%" }, "no number format"},
	{"levels below zero", func(d *draft) { d.head.Schema.Fields = raw(`[{"name":"a","levels":-1}]`) }, "-1 levels"},
	{"levels beyond the texts", func(d *draft) { d.head.Schema.Fields = raw(`[{"name":"a","levels":99999999}]`) }, "66 texts are left"},
	{"texts of nobody", func(d *draft) { d.head.Schema.Fields = raw(`[{"name":"a","kind":"categorical","levels":1}]`) }, "belong to no column"},
	{"costs of other classes", func(d *draft) { d.head.Costs = raw(`[[0]]`) }, "costs of 1 classes for 2"},
	{"costs that are texts", func(d *draft) { d.head.Costs = raw(`[[0,"1"],[1,0]]`) }, "cannot unmarshal string"},
	{"a positive class that is none", func(d *draft) { d.head.Positive = new(text("maybe")) }, "the positive class \"maybe\" is not one of two"},
	{"a positive one of three classes", func(d *draft) {
		d.head.Classes, d.head.Costs, d.head.Positive = raw(`["a","b","c"]`), nil, new(text("a"))
	}, "the positive class \"a\" is not one of two"},
	{"a positive class of anomalies", func(d *draft) {
		d.head.Task, d.head.Classes, d.head.Costs, d.head.Threshold, d.head.Positive = data.Anomaly, raw(`["a","b"]`), nil, 0.5, new(text("a"))
	}, "a positive class of anomaly with 2 classes"},
	{"negative costs", func(d *draft) { d.head.Costs = raw(`[[0,-1],[1,0]]`) }, "cost -1"},
	{"fields without names", func(d *draft) { d.head.Schema.Fields = raw(`[{"levels":66,"kind":"categorical"}]`) }, "no name"},
	{"long text", func(d *draft) { d.texts.size[65] = math.MaxUint32 }, "4294967295 bytes"},
	{"text bytes left over", func(d *draft) { d.texts.size[65] = 0 }, "belong to no column"},
	{"same level twice", func(d *draft) { d.texts.bytes = bytes.Replace(d.texts.bytes, []byte("10"), []byte("11"), 1) }, "twice"},

	{"sizes of too few trees", func(d *draft) { d.forest.width = d.forest.width[:1] }, "sizes of 1 trees"},
	{"tree without nodes", func(d *draft) { d.forest.nodes[1] = 0 }, "tree 1 has 0 nodes"},
	{"nodes beyond int32", func(d *draft) { d.forest.nodes[1] = math.MaxUint32 }, "4294967295 nodes"},
	{"huge values", func(d *draft) { d.forest.slots[0], d.forest.width[0] = math.MaxUint32, math.MaxUint32 }, "values of width 4294967295"},
	{"values beyond the array", func(d *draft) { d.forest.slots[0] = 1 << 20 }, `array "values"`},
	{"nodes beyond the array", func(d *draft) { d.forest.nodes[0]++ }, `array "nodes"`},
	{"nodes of nobody", func(d *draft) { d.forest.nodes[0]-- }, `array "nodes"`},
	{"no width", func(d *draft) { d.forest.width[0], d.forest.slots[0] = 0, 0 }, `array "values"`},
	{"unknown leaf kind", func(d *draft) { d.forest.leaf[0] = 200 }, "kind or width"},
	{"sets without index", func(d *draft) { d.forest.has[0] &^= hasSets }, "2 words of them, and no sets"},
	{"weights of too few trees", func(d *draft) { d.forest.weights = d.forest.weights[:1] }, "do not fit"},
	{"output far away", func(d *draft) { d.forest.output[0] = math.MaxInt32 }, "output"},
	{"output below -1", func(d *draft) { d.forest.output[1] = -2 }, "feeds output -2"},
	{"infinite start value", func(d *draft) { d.forest.bias[0] = math.Inf(1) }, "not finite"},

	{"child of itself", editNode(0, childField, 0), "node 0: children at 0"},
	{"child beyond the tree", editNode(0, childField, math.MaxInt32), "out of range"},
	{"child of two", editNode(1, childField, 2), "child of two"},
	{"many children", editSplitPoint(6, math.MaxInt32), "2.147483647e+09 children"},
	{"half a child", editSplitPoint(6, 2.5), "2.5 children"},
	{"leaf with children", editNode(3, childField, 2), "leaf 3 has children"},
	{"unknown kind", editLook(1, 15, 0, 1), "unknown kind 15"},
	{"unknown missing rule", editLook(1, tree.Numeric, 15, 0), "unknown missing rule 15"},
	{"feature beyond the schema", editFeature(0, 4), "feature 4 of 4"},
	{"feature of another kind", editFeature(0, 0), "as categorical"},
	{"feature of a leaf", editFeature(3, 1), "leaf 3 has a feature, a missing rule or a split point"},
	{"split point of a leaf is NaN", editSplitPoint(4, math.NaN()), "leaf 4 has a feature, a missing rule or a split point"},
	{"split point is NaN", editSplitPoint(1, math.NaN()), "not a number"},
	{"set code beyond the dictionary", editNumber("sets", 1, uint64(1)<<2), "code 66"},
	{"set of negative length", editNumber("set.at", 1, uint32(7)), "negative length"},
	{"slot beyond the values", editNumber("node.slot", 0, uint32(10)), "slot 10 of 10"},
	{"value is NaN", editNumber("values", 0, math.Float64bits(math.NaN())), "not finite"},
	{"gain is infinite", editNumber("stats.gain", 0, math.Float64bits(math.Inf(1))), "not finite"},

	{"array of too many elements", editTable("sets", 32, math.MaxUint64/8), "elements in"},
	{"array without elements", editTable("sets", 32, 0), "0 elements"},
	{"array elsewhere", editTable("sets", 24, 1<<63), "instead of"},
	{"arrays overlap", editTable("bias", 24, 8), `"bias" is at 8 instead of`},
	{"number of arrays", editTable("", 0, math.MaxUint32), "4294967295 arrays"},
	{"one array fewer", editTable("", 0, 38), "instead of"},
	{"bytes after the arrays", editTable("stats.gain", 32, 13), "8 bytes after the last array"},
	{"elements of another type", func(d *draft) { patchArray(d, "weights", 16, []byte("u8")) }, "consists of u8"},
	{"elements of unknown type", func(d *draft) { patchArray(d, "weights", 16, []byte("f2")) }, `unknown element "f2"`},
	{"array twice", func(d *draft) { patchArray(d, "weights", 0, []byte("output\x00")) }, `second array "output"`},
	{"bytes between arrays", func(d *draft) { patchArray(d, "weights", 20, []byte{1}) }, "not zero"},

	{"section twice", func(d *draft) { d.edit = func(s []section) []section { return append(s, s[0]) } }, "second section"},
	{"no header", func(d *draft) { d.edit = func(s []section) []section { return s[1:] } }, "no such section"},
	{"no trees", func(d *draft) { d.edit = func(s []section) []section { return s[:2] } }, "no such section"},
	{"no texts", func(d *draft) { d.texts = &texts{} }, "0 texts are left"},
	{"empty trees", func(d *draft) { d.edit = func(s []section) []section { return append(s[:2], blob("trees", 1, nil)) } }, "table of arrays ends"},
	{"long section", patch(func(b []byte) { le.PutUint64(b[headSize+24:], math.MaxInt64) }), "in the remaining"},
	{"longer section", patch(func(b []byte) { le.PutUint64(b[headSize+24:], math.MaxUint64) }), "in the remaining"},
	{"many sections", patch(func(b []byte) { le.PutUint32(b[12:], math.MaxUint32) }), "are no section"},
	{"one section fewer", patch(func(b []byte) { le.PutUint32(b[12:], 2) }), "after the last section"},
	{"reserved bytes of the head", patch(func(b []byte) { b[24] = 1 }), "reserved"},
	{"reserved bytes of a section", patch(func(b []byte) { b[headSize+20] = 1 }), "reserved"},
	{"padding", func(d *draft) {
		d.more = append(d.more, blob("more", 0, []byte{1}))
		d.patch = func(b []byte) []byte { b[len(b)-crcSize-1] = 1; return b }
	}, "padding is not zero"},
	{"version 0", patch(func(b []byte) { le.PutUint32(b[8:], 7) }), "no format version 0.7"},
}

func setHeader(text string) func(*draft) {
	return func(d *draft) {
		d.edit = func(s []section) []section { s[0] = blob("header", required, []byte(text)); return s }
	}
}

func patch(edit func([]byte)) func(*draft) {
	return func(d *draft) { d.patch = func(b []byte) []byte { edit(b); return b } }
}

// patchTrees changes the bytes of the section of trees, given with the places of its descriptors in
// it.
func patchTrees(d *draft, edit func(p []byte, descriptors map[string]int)) {
	d.patch = func(b []byte) []byte {
		at, descriptors := findTrees(b)
		edit(b[at:], descriptors)
		return b
	}
}

func findTrees(b []byte) (int, map[string]int) {
	f := &file{r: bytes.NewReader(b), size: int64(len(b)), budget: &budget{1 << 30, 1 << 30}}
	found := f.sections()
	table := parseTable(found["trees"])
	descriptors := map[string]int{}
	for name, e := range table.entries {
		descriptors[name] = e.at
	}
	return int(found["trees"].at), descriptors
}

// patchArray overwrites part of the descriptor of an array.
func patchArray(d *draft, name string, offset int, bytes []byte) {
	patchTrees(d, func(p []byte, at map[string]int) { copy(p[at[name]+offset:], bytes) })
}

// editTable overwrites a number in the descriptor of an array, or, without a name, the number of
// arrays.
func editTable(name string, offset int, x uint64) func(*draft) {
	return func(d *draft) {
		patchTrees(d, func(p []byte, at map[string]int) {
			if name == "" {
				le.PutUint32(p, uint32(x))
			} else {
				le.PutUint64(p[at[name]+offset:], x)
			}
		})
	}
}

// editNumber overwrites element i of an array of the first tree.
func editNumber[T byte | uint32 | uint64](name string, i int, x T) func(*draft) {
	return func(d *draft) {
		patchTrees(d, func(p []byte, at map[string]int) {
			start := le.Uint64(p[at[name]+24:])
			b := rawBytes([]T{x})
			copy(p[int(start)+i*len(b):], b)
		})
	}
}

// The fields of a node by their offset.
const (
	splitPointField = 0
	childField      = 8
	lookField       = 12
)

// editNode overwrites a 32-bit field of node i of the first tree.
func editNode(i, field int, x uint32) func(*draft) {
	return editNumber("nodes", (i*16+field)/4, x)
}

// editSplitPoint overwrites the split point of node i of the first tree.
func editSplitPoint(i int, x float64) func(*draft) {
	return editNumber("nodes", (i*16+splitPointField)/8, math.Float64bits(x))
}

// editFeature overwrites the feature of node i of the first tree.
func editFeature(i int, feature int32) func(*draft) {
	d := &codectest.Full().Trees[0].Nodes[i]
	return editLook(i, d.Kind(), d.Missing(), feature)
}

// editLook overwrites the kind, missing rule and feature of node i of the first tree.
func editLook(i int, k tree.Kind, m tree.Missing, feature int32) func(*draft) {
	return editNode(i, lookField, uint32(k)|uint32(m)<<4|uint32(feature)<<8)
}

func TestHostileFiles(t *testing.T) { refuse(t, codectest.Full, append(hostile, hostileMembers...)) }

// refuse damages the file of a model, a new one each time.
func refuse(t *testing.T, m func() *model.Ensemble, damages []damage) {
	t.Helper()
	for _, c := range damages {
		b := write(t, m(), c.edit)
		limit := codec.Limits{}.MemoryFor(int64(len(b)))
		var err error
		used := allocated(func() { _, err = decodeBytes(b) })
		var corrupt *codec.CorruptError
		if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a corrupt file and %q", c.name, err, c.want)
			continue
		}
		if corrupt.Offset < 0 || corrupt.Offset > int64(len(b)) {
			t.Errorf("%s: damage at byte %d of %d", c.name, corrupt.Offset, len(b))
		}
		if used > limit {
			t.Errorf("%s: %d bytes allocated, the limit is %d", c.name, used, limit)
		}
	}
}

// allocated returns how many bytes f allocates, live or not.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Files that are small for the memory that they need are refused before they get it, whatever the
// limit.
func TestMemoryIsLimited(t *testing.T) {
	tier.NotShort(t, "reads each model at many limits")
	const n = 1 << 16
	trees := &model.Ensemble{Meta: codectest.Tiny().Meta}
	for range n {
		trees.Trees = append(trees.Trees, codectest.Full().Trees[1])
	}
	list := func(item string) string { return "[" + strings.Repeat(item+",", n) + item + "]" }
	files := map[string][]byte{
		"fields":     write(t, codectest.Tiny(), func(d *draft) { d.head.Schema.Fields = raw(list(`{}`)) }),
		"named":      write(t, codectest.Tiny(), func(d *draft) { d.head.Schema.Fields = raw(list(`{"name":"a"}`)) }),
		"classes":    write(t, codectest.Tiny(), func(d *draft) { d.head.Classes = raw(list(`""`)) }),
		"odd":        write(t, codectest.Tiny(), func(d *draft) { d.head.Classes = raw(list(`{"bytes":"/w=="}`)) }),
		"costs":      write(t, codectest.Tiny(), func(d *draft) { d.head.Costs = raw(list(`[]`)) }),
		"cost":       write(t, codectest.Tiny(), func(d *draft) { d.head.Costs = raw("[" + list(`0`) + "]") }),
		"parameters": write(t, codectest.Tiny(), func(d *draft) { d.head.Params = raw(list(`0`)) }),
		"trees":      encode(t, trees),
		"levels": write(t, codectest.Full(), func(d *draft) {
			d.head.Schema.Fields = raw(fmt.Sprintf(`[{"name":"a","kind":"categorical","levels":%d}]`, n))
			d.texts.size, d.texts.bytes = make([]uint32, n), nil
		}),
	}
	for name, b := range files {
		size := int64(len(b))
		refused := false
		for _, limit := range []int64{size / 2, 2 * size, 8 * size, 32 * size, 128 * size, 512 * size} {
			var err error
			used := allocated(func() { _, err = Decode(bytes.NewReader(b), size, codec.Limits{Memory: limit}) })
			if tooMuch := (*codec.LimitError)(nil); errors.As(err, &tooMuch) {
				refused = true
			}
			if slack := int64(1 << 16); used > limit+slack {
				t.Errorf("%s: a file of %d bytes used %d, the limit was %d (%v)", name, size, used, limit, err)
			}
		}
		if !refused {
			t.Errorf("%s: no limit refused it", name)
		}
	}
}
