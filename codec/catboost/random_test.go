package catboost

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"pgregory.net/rapid"
)

// randomFile generates files of two numeric and three categorical columns, with every kind of
// statistic, oblivious trees or others, and one score or several.
func randomFile() *rapid.Generator[*file] {
	return rapid.Custom(func(t *rapid.T) *file {
		f := &file{dims: rapid.IntRange(1, 3).Draw(t, "scores"), scale: rapid.SampledFrom([]float64{1, 0.5}).Draw(t, "scale"),
			texts: map[uint32]string{}}
		losses := []string{"MultiClass", "MultiClassOneVsAll", "MultiLogloss", "MultiRMSE"}
		if f.dims == 1 {
			losses = []string{"RMSE", "Logloss", "Poisson", "YetiRank", "Quantile"}
		}
		f.info.loss = rapid.SampledFrom(losses).Draw(t, "loss")
		for range f.dims {
			f.bias = append(f.bias, rapid.Float64Range(-1, 1).Draw(t, "bias"))
		}
		for i := range int32(2) {
			f.floats = append(f.floats, floatFeature{index: i, flat: 2 * i, name: "x" + strconv.Itoa(int(i)),
				borders: randomBorders(t, -3, 3), high: rapid.Bool().Draw(t, "high")})
		}
		texts := make([][]uint32, 3) // hashes of the categories of each column
		for i := range int32(3) {
			f.cats = append(f.cats, catFeature{index: i, flat: []int32{1, 3, 4}[i], name: "c" + strconv.Itoa(int(i))})
			for k := range rapid.IntRange(1, 5).Draw(t, "categories") {
				s := rapid.SampledFrom([]string{"", "north", "7", "a longer text of a category"}).Draw(t, "text") + strconv.Itoa(k)
				if k == 0 && rapid.Bool().Draw(t, "empty") {
					s = ""
				}
				hash := (&data.Field{}).Hash(s)
				texts[i] = append(texts[i], hash)
				if rapid.Bool().Draw(t, "known") {
					f.texts[hash] = s
				}
			}
		}
		o := oneHot{cat: 2}
		for _, h := range texts[2][:rapid.IntRange(1, len(texts[2])).Draw(t, "values")] {
			o.values = append(o.values, int32(h))
		}
		f.oneHots = []oneHot{o}
		addStatistics(t, f, texts)
		bins := 0
		for _, c := range f.floats {
			bins += len(c.borders)
		}
		bins += len(o.values)
		for _, c := range f.ctrs {
			bins += len(c.borders)
		}
		oblivious := rapid.Bool().Draw(t, "oblivious")
		for range rapid.IntRange(1, 4).Draw(t, "trees") {
			f.trees = append(f.trees, randomTree(t, f.dims, bins, oblivious))
		}
		return f
	})
}

func randomBorders(t *rapid.T, low, high float32) []float32 {
	borders := rapid.SliceOfNDistinct(rapid.Float32Range(low, high), 1, 3, func(x float32) float32 { return x }).Draw(t, "borders")
	slices.Sort(borders)
	return borders
}

// addStatistics adds tables of single columns and of combinations, and columns of them.
func addStatistics(t *rapid.T, f *file, hashes [][]uint32) {
	bases := []ctrBase{{cats: []int32{0}}, {cats: []int32{0, 1}}}
	if rapid.Bool().Draw(t, "conditions") {
		bases = append(bases, ctrBase{cats: []int32{0, 1}, floats: []floatSplit{{1, f.floats[1].borders[0]}},
			oneHots: []oneHotSplit{{2, f.oneHots[0].values[0]}}})
	}
	for _, b := range bases {
		b.kind = ctrKind(rapid.IntRange(0, int(ctrKinds)-1).Draw(t, "kind"))
		table := ctrTable{base: b, stride: 1, denominator: int32(rapid.IntRange(1, 90).Draw(t, "denominator"))}
		if b.kind <= buckets {
			table.stride = rapid.IntRange(2, 4).Draw(t, "classes")
		}
		table.keys = keysOf(&b, hashes)
		for range table.keys {
			if b.kind.mean() {
				table.sums = append(table.sums, rapid.Float32Range(-9, 9).Draw(t, "sum"))
			}
			for range table.stride {
				table.counts = append(table.counts, int32(rapid.IntRange(0, 90).Draw(t, "count")))
			}
		}
		f.tables = append(f.tables, table)
		for range rapid.IntRange(1, 2).Draw(t, "statistics") {
			c := ctr{base: b, num: rapid.Float32Range(0, 1).Draw(t, "prior"), denom: 1,
				shift: rapid.Float32Range(-1, 1).Draw(t, "shift"), scale: 15, borders: randomBorders(t, 0, 15)}
			if b.kind <= buckets {
				c.border = int32(rapid.IntRange(0, table.stride-1).Draw(t, "class"))
			}
			f.ctrs = append(f.ctrs, c)
		}
	}
}

// keysOf returns the hashes of all combinations, ascending.
func keysOf(b *ctrBase, hashes [][]uint32) []uint64 {
	keys := []uint64{0}
	add := func(values ...uint64) {
		var next []uint64
		for _, k := range keys {
			for _, v := range values {
				next = append(next, mix(k, v))
			}
		}
		keys = next
	}
	for _, c := range b.cats {
		var values []uint64
		for _, h := range hashes[c] {
			values = append(values, signed(h))
		}
		add(values...)
	}
	for range len(b.floats) + len(b.oneHots) {
		add(0, 1)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// randomTree makes a tree of up to three levels. One that is not oblivious has nodes of which one
// side or both end.
func randomTree(t *rapid.T, dims, bins int, oblivious bool) fileTree {
	split := rapid.Int32Range(0, int32(bins)-1)
	var tree fileTree
	leaves := 0
	if oblivious {
		tree.splits = rapid.SliceOfN(split, 0, 3).Draw(t, "splits")
		leaves = 1 << len(tree.splits)
	} else {
		tree.steps = [][2]int32{}
		var grow func(depth int)
		grow = func(depth int) {
			n := len(tree.splits)
			tree.splits, tree.steps, tree.leaf = append(tree.splits, 0), append(tree.steps, [2]int32{}), append(tree.leaf, -1)
			if depth == 3 || rapid.Bool().Draw(t, "leaf") {
				tree.leaf[n] = int32(leaves)
				leaves++
				return
			}
			tree.splits[n] = split.Draw(t, "split")
			ends := rapid.IntRange(0, 2).Draw(t, "side that ends") // 2: none
			for side := range 2 {
				if side == ends {
					tree.leaf[n] = int32(leaves)
					leaves++
					continue
				}
				tree.steps[n][side] = int32(len(tree.splits) - n)
				grow(depth + 1)
			}
		}
		grow(0)
	}
	for range leaves {
		tree.weights = append(tree.weights, rapid.Float64Range(0, 50).Draw(t, "weight"))
		for range dims {
			tree.values = append(tree.values, rapid.Float64Range(-2, 2).Draw(t, "value"))
		}
	}
	return tree
}

// Files of both formats give the same model, which predicts as the file's own splits do, and whose
// texts are found by their hashes.
func TestRandomFiles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := randomFile().Draw(rt, "file")
		text, binary := open(t, FormatJSON(), asJSON(t, f)), open(t, Format(), asBinary(t, f))
		text.agree(t)
		binary.agree(t)
		// only .cbm files have no texts of categories that no split compares
		for i := range text.model.Meta.Schema.Fields {
			binary.model.Meta.Schema.Fields[i].Levels = text.model.Meta.Schema.Fields[i].Levels
			binary.model.Meta.Schema.Fields[i].Format = text.model.Meta.Schema.Fields[i].Format
		}
		if d := codectest.Diff(text.model, binary.model); d != "" {
			rt.Fatalf("the JSON and the .cbm differ:\n%s", d)
		}
	})
}

// The hashes of one column are found in the tables of combinations where others are known.
func TestDecode(t *testing.T) {
	var hashes [3][]uint32
	for c := range hashes {
		for i := range 40 {
			hashes[c] = append(hashes[c], (&data.Field{}).Hash(strconv.Itoa(1000*c+i)))
		}
		slices.Sort(hashes[c])
	}
	f := &file{cats: []catFeature{{index: 0}, {index: 1}, {index: 2}}, catAt: map[int32]int32{0: 0, 1: 1, 2: 2}}
	for _, b := range []ctrBase{{cats: []int32{0, 1, 2}, floats: []floatSplit{{0, 1}}}, {cats: []int32{0, 2}}, {cats: []int32{2}}} {
		f.tables = append(f.tables, ctrTable{base: b, keys: keysOf(&b, hashes[:])})
	}
	in := newSource("test", bytes.NewReader(nil), 0, codec.Limits{})
	f.makeDictionaries(in)
	for c, want := range hashes {
		if got := f.dictionaries[c]; !got.complete || !slices.Equal(got.hashes, want) {
			t.Errorf("column %d: %d hashes, want %d", c, len(got.hashes), len(want))
		}
	}
	if x := uint64(math.MaxUint64 - 12); inverseOf(x)*x != 1 {
		t.Error("the inverse is wrong")
	}
}
