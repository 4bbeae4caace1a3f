package catboost

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// The parts of a .cbm file, sizes being uint32, or all ones and uint64:
//
//	"CBM1"   size   FlatBuffer TModelCore   parts that its ModelPartIds name, such as
//	                                        number of tables   size   FlatBuffer TCtrValueTable ...
const (
	magic       = "CBM1"
	coreFormat  = "FlabuffersModel_v1" // spelt so by CatBoost
	ctrProvider = "static_provider_v1"
)

// Fields of the tables, by their numbers in CatBoost's schemas (model.fbs, features.fbs,
// ctr_data.fbs).
const (
	coreVersion, coreTrees, coreInfo, coreParts = 0, 1, 2, 3

	treesDims, treesSplits, treesSizes, treesStarts              = 0, 1, 2, 3
	treesCats, treesFloats, treesOneHots, treesCtrs              = 4, 5, 6, 7
	treesValues, treesWeights, treesSteps, treesLeaf             = 8, 9, 10, 11
	treesTexts, treesEstimated, treesScale, treesBias, treesMany = 12, 13, 14, 15, 16
	treesEmbeddings                                              = 18

	floatNaNs, floatIndex, floatFlat, floatBorders, floatName, floatTreatment = 0, 1, 2, 3, 4, 5
	catIndex, catFlat, catName                                                = 0, 1, 2
	oneHotIndex, oneHotValues, oneHotTexts                                    = 0, 1, 2

	ctrCtr, ctrBorders                                                   = 0, 1
	modelBase, modelBorder, modelNum, modelDenom, modelShift, modelScale = 0, 1, 2, 3, 4, 5
	baseCombination, baseKind, baseTarget                                = 0, 1, 2
	combinationCats, combinationFloats, combinationOneHots               = 0, 1, 2

	tableBase, tableKeys, tableBlob, tableDenominator, tableClasses = 0, 1, 2, 3, 4

	asTrue = 2 // of the treatments of missing values
)

// readBinary reads a .cbm file.
func readBinary(in *source) *file {
	data := foreign.Must(in.ReadAll(in.reader, in.size))
	r := &binaryReader{source: in, left: data, f: &file{}}
	if string(r.bytes(uint64(len(magic)))) != magic {
		in.corrupt("the file does not start with %s", magic)
	}
	parts := r.core(r.bytes(r.size()))
	for _, part := range parts {
		if part != ctrProvider {
			in.unsupported("the part %.40q (columns of texts or embeddings)", part)
		}
		r.statistics()
	}
	return r.f
}

// binaryReader reads the parts of a .cbm file.
type binaryReader struct {
	*source
	left []byte // what is not yet read
	f    *file
}

// bytes takes n bytes.
func (r *binaryReader) bytes(n uint64) []byte {
	r.at = r.source.size - int64(len(r.left))
	if n > uint64(len(r.left)) {
		r.corrupt("%d bytes where %d are left", n, len(r.left))
	}
	taken := r.left[:n]
	r.left = r.left[n:]
	return taken
}

// size reads a size.
func (r *binaryReader) size() uint64 {
	if n := binary.LittleEndian.Uint32(r.bytes(4)); n < math.MaxUint32 {
		return uint64(n)
	}
	return binary.LittleEndian.Uint64(r.bytes(8))
}

// intact ends reading if a buffer is damaged.
func (r *binaryReader) intact(b *flatBuffer) { r.check(b.Err()) }

// grow appends an element.
func grow[T any](r *binaryReader, s *[]T, v T) { *s = push(r.source, *s, v) }

// text copies a text.
func (r *binaryReader) text(b []byte) string {
	if !utf8.Valid(b) {
		r.corrupt("a text is not UTF-8")
	}
	r.Need(int64(len(b)) + 16)
	return string(b)
}

func (r *binaryReader) int32s(v flatVector) []int32 {
	return copied(r, v, func(i int) int32 { return v.Int32(i, 0) })
}

func (r *binaryReader) float32s(v flatVector) []float32 {
	return copied(r, v, func(i int) float32 { return v.Float32(i, 0) })
}

func (r *binaryReader) float64s(v flatVector) []float64 {
	return copied(r, v, func(i int) float64 { return v.Float64(i, 0) })
}

// copied copies the elements of a vector, which at reads.
func copied[T any](r *binaryReader, v flatVector, at func(i int) T) []T {
	r.Need(8 * int64(v.Len()))
	if v.Len() == 0 {
		return nil
	}
	s := make([]T, v.Len())
	for i := range s {
		s[i] = at(i)
	}
	return s
}

// core reads the model, and returns the names of the parts that follow it.
func (r *binaryReader) core(data []byte) (parts []string) {
	r.section = "core"
	b := newFlatBuffer(data)
	core := b.Root()
	if version := core.Text(coreVersion); b.Err() == nil && string(version) != coreFormat {
		r.unsupported("the version %.40q of the format", version)
	}
	pairs := core.Vector(coreInfo, 4)
	for i := 0; i < pairs.Len() && b.Err() == nil; i++ {
		pair := pairs.Table(i)
		name, text := r.text(pair.Text(0)), r.text(pair.Text(1))
		r.section = "core." + name
		r.info(name, text)
	}
	r.section = "core"
	r.trees(core.Table(coreTrees))
	names := core.Vector(coreParts, 4)
	for i := 0; i < names.Len() && b.Err() == nil; i++ {
		grow(r, &parts, r.text(names.Text(i)))
	}
	r.intact(b)
	return parts
}

// info reads a pair of texts that describe the training.
func (r *binaryReader) info(name, text string) {
	switch name {
	case "params", "loss_function", "class_params", "multiclass_params":
		if text == "" {
			return
		}
		j := infoScan{r.inner(text), &r.f.info}
		j.json(name)
		j.End()
		r.check(j.Err())
	default:
		r.f.info.set(name, text)
	}
}

// trees reads columns and trees.
func (r *binaryReader) trees(t flatTable) {
	f := r.f
	for _, field := range []int{treesTexts, treesEstimated, treesEmbeddings} {
		if t.Vector(field, 4).Len() > 0 {
			r.unsupported("columns of texts or embeddings")
		}
	}
	f.dims = int(t.Int32(treesDims, 0))
	f.scale = t.Float64(treesScale, 1)
	f.bias = r.float64s(t.Vector(treesMany, 8))
	if bias := t.Float64(treesBias, 0); f.bias == nil && (f.dims == 1 || bias != 0) {
		grow(r, &f.bias, bias)
	}
	r.columns(t)
	all := forest{
		sizes:   r.int32s(t.Vector(treesSizes, 4)),
		starts:  r.int32s(t.Vector(treesStarts, 4)),
		splits:  r.int32s(t.Vector(treesSplits, 4)),
		leaf:    r.int32s(t.Vector(treesLeaf, 4)),
		values:  r.float64s(t.Vector(treesValues, 8)),
		weights: r.float64s(t.Vector(treesWeights, 8)),
	}
	steps := t.Vector(treesSteps, 4)
	all.steps = copied(r, steps, func(i int) [2]int32 {
		return [2]int32{int32(steps.Uint16(i, 0)), int32(steps.Uint16(i, 2))}
	})
	all.divide(r)
}

// columns reads the columns, and the statistics of categorical ones.
func (r *binaryReader) columns(t flatTable) {
	f := r.f
	floats := t.Vector(treesFloats, 4)
	for i := 0; i < floats.Len(); i++ {
		c := floats.Table(i)
		grow(r, &f.floats, floatFeature{
			index: c.Int32(floatIndex, -1), flat: c.Int32(floatFlat, -1),
			name: r.text(c.Text(floatName)), borders: r.float32s(c.Vector(floatBorders, 4)),
			high: c.Uint8(floatNaNs, 0) != 0 && c.Uint8(floatTreatment, 0) == asTrue})
	}
	cats := t.Vector(treesCats, 4)
	for i := 0; i < cats.Len(); i++ {
		c := cats.Table(i)
		grow(r, &f.cats, catFeature{index: c.Int32(catIndex, -1), flat: c.Int32(catFlat, -1),
			name: r.text(c.Text(catName))})
	}
	oneHots := t.Vector(treesOneHots, 4)
	for i := 0; i < oneHots.Len(); i++ {
		c := oneHots.Table(i)
		o := oneHot{cat: c.Int32(oneHotIndex, -1), values: r.int32s(c.Vector(oneHotValues, 4))}
		grow(r, &f.oneHots, o)
		texts := c.Vector(oneHotTexts, 4)
		for k := 0; k < texts.Len() && texts.Len() == len(o.values); k++ {
			f.addText(r.source, uint32(o.values[k]), r.text(texts.Text(k)))
		}
	}
	ctrs := t.Vector(treesCtrs, 4)
	for i := 0; i < ctrs.Len(); i++ {
		c := ctrs.Table(i)
		m := c.Table(ctrCtr)
		grow(r, &f.ctrs, ctr{base: r.base(m.Table(modelBase)), border: m.Int32(modelBorder, 0),
			num: m.Float32(modelNum, 0), denom: m.Float32(modelDenom, 1),
			shift: m.Float32(modelShift, 0), scale: m.Float32(modelScale, 1),
			borders: r.float32s(c.Vector(ctrBorders, 4))})
	}
}

// base reads what a table of statistics is of.
func (r *binaryReader) base(t flatTable) ctrBase {
	c := t.Table(baseCombination)
	b := ctrBase{kind: ctrKind(t.Uint8(baseKind, 0)), target: t.Int32(baseTarget, 0),
		cats: r.int32s(c.Vector(combinationCats, 4))}
	if b.kind >= ctrKinds {
		r.unsupported("statistics of categories of kind %d", b.kind)
	}
	floats := c.Vector(combinationFloats, 8)
	b.floats = copied(r, floats, func(i int) floatSplit {
		return floatSplit{floats.Int32(i, 0), floats.Float32(i, 4)}
	})
	values := c.Vector(combinationOneHots, 8)
	b.oneHots = copied(r, values, func(i int) oneHotSplit {
		return oneHotSplit{values.Int32(i, 0), values.Int32(i, 4)}
	})
	return b
}

// statistics reads the tables of statistics.
func (r *binaryReader) statistics() {
	r.section = "tables of statistics"
	for n := r.size(); n > 0; n-- {
		r.table(r.bytes(r.size()))
	}
}

// bucketSize is the size of a bucket of a hash table: uint64 key, uint32 row.
const bucketSize = 12

// table reads a table of statistics: a hash table of rows, and the rows.
func (r *binaryReader) table(data []byte) {
	b := newFlatBuffer(data)
	root := b.Root()
	t := ctrTable{base: r.base(root.Table(tableBase)), denominator: root.Int32(tableDenominator, 0),
		stride: 1}
	if t.base.kind <= buckets {
		t.stride = int(root.Int32(tableClasses, 0))
	}
	raw, blob := root.Vector(tableKeys, 1).Bytes(), root.Vector(tableBlob, 1).Bytes()
	r.intact(b)
	width := t.stride
	if t.base.kind.mean() {
		width = 2
	}
	if len(raw)%bucketSize != 0 || width < 1 || width > maxDims || len(blob)%(4*width) != 0 {
		r.corrupt("%d bytes of keys and %d of rows of %d numbers", len(raw), len(blob),
			width)
	}
	n := len(raw) / bucketSize
	rows := len(blob) / (4 * width)
	r.Need(int64(n) * int64(8+4*width))
	t.keys, t.counts = make([]uint64, 0, n), make([]int32, 0, n*t.stride)
	if t.base.kind.mean() {
		t.sums = make([]float32, 0, n)
	}
	for ; len(raw) > 0; raw = raw[bucketSize:] {
		key, row := binary.LittleEndian.Uint64(raw), binary.LittleEndian.Uint32(raw[8:])
		if key == invalidKey {
			continue
		}
		if uint64(row) >= uint64(rows) {
			r.corrupt("row %d of a table of %d", row, rows)
		}
		t.keys = append(t.keys, key)
		t.row(blob[int(row)*4*width:][:4*width])
	}
	grow(r, &r.f.tables, t)
}

// row appends a row: its numbers.
func (t *ctrTable) row(b []byte) {
	if t.base.kind.mean() {
		t.sums = append(t.sums, math.Float32frombits(binary.LittleEndian.Uint32(b)))
		b = b[4:]
	}
	for ; len(b) > 0; b = b[4:] {
		t.counts = append(t.counts, int32(binary.LittleEndian.Uint32(b)))
	}
}
