package catboost

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
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
func readBinary(in *source) (*file, error) {
	data, err := in.ReadAll(in.reader, in.size)
	if err != nil {
		return nil, err
	}
	r := &binaryReader{source: in, left: data, f: &file{}}
	if string(r.bytes(uint64(len(magic)))) != magic {
		return nil, in.corrupt("the file does not start with %s", magic)
	}
	parts, err := r.core(r.bytes(r.size()))
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if part != ctrProvider {
			return nil, in.unsupported("the part %.40q (columns of texts or embeddings)", part)
		}
		if err := r.statistics(); err != nil {
			return nil, err
		}
	}
	return r.f, r.err
}

// binaryReader reads the parts of a .cbm file.
type binaryReader struct {
	*source
	left []byte // what is not yet read
	f    *file
	err  error
}

// bytes takes n bytes, nil if there are not so many.
func (r *binaryReader) bytes(n uint64) []byte {
	r.at = r.source.size - int64(len(r.left))
	if n > uint64(len(r.left)) {
		if r.err == nil {
			r.err = r.corrupt("%d bytes where %d are left", n, len(r.left))
		}
		return nil
	}
	taken := r.left[:n]
	r.left = r.left[n:]
	return taken
}

// size reads a size.
func (r *binaryReader) size() uint64 {
	b := r.bytes(4)
	if b == nil {
		return 0
	}
	n := binary.LittleEndian.Uint32(b)
	if n < math.MaxUint32 {
		return uint64(n)
	}
	if b = r.bytes(8); b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// failed returns the error of a buffer as damage.
func (r *binaryReader) failed(b *flatBuffer) error {
	switch {
	case r.err != nil:
		return r.err
	case b.Err() != nil:
		return r.corrupt("%w", b.Err())
	}
	return nil
}

// grow appends an element and keeps the error of too little memory.
func grow[T any](r *binaryReader, s *[]T, v T) {
	if r.err == nil {
		*s, r.err = push(r.source, *s, v)
	}
}

// text copies a text.
func (r *binaryReader) text(b []byte) string {
	if r.err == nil && !utf8.Valid(b) {
		r.err = r.corrupt("a text is not UTF-8")
	}
	if r.err == nil {
		r.err = r.Take(int64(len(b)) + 16)
	}
	if r.err != nil {
		return ""
	}
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
	if r.err == nil {
		r.err = r.Take(8 * int64(v.Len()))
	}
	if r.err != nil || v.Len() == 0 {
		return nil
	}
	s := make([]T, v.Len())
	for i := range s {
		s[i] = at(i)
	}
	return s
}

// core reads the model, and returns the names of the parts that follow it.
func (r *binaryReader) core(data []byte) (parts []string, err error) {
	if r.err != nil {
		return nil, r.err
	}
	r.section = "core"
	b := newFlatBuffer(data)
	core := b.Root()
	if version := core.Text(coreVersion); b.Err() == nil && string(version) != coreFormat {
		return nil, r.unsupported("the version %.40q of the format", version)
	}
	pairs := core.Vector(coreInfo, 4)
	for i := 0; i < pairs.Len() && b.Err() == nil && r.err == nil; i++ {
		pair := pairs.Table(i)
		name, text := r.text(pair.Text(0)), r.text(pair.Text(1))
		if r.err == nil {
			r.section = "core." + name
			r.info(name, text)
		}
	}
	r.section = "core"
	r.trees(core.Table(coreTrees))
	names := core.Vector(coreParts, 4)
	for i := 0; i < names.Len() && b.Err() == nil; i++ {
		grow(r, &parts, r.text(names.Text(i)))
	}
	return parts, r.failed(b)
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
		r.err = r.wrong(j.Err())
	default:
		r.f.info.set(name, text)
	}
}

// trees reads columns and trees.
func (r *binaryReader) trees(t flatTable) {
	f := r.f
	for _, field := range []int{treesTexts, treesEstimated, treesEmbeddings} {
		if t.Vector(field, 4).Len() > 0 && r.err == nil {
			r.err = r.unsupported("columns of texts or embeddings")
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
	if r.err == nil {
		r.err = all.divide(r)
	}
}

// columns reads the columns, and the statistics of categorical ones.
func (r *binaryReader) columns(t flatTable) {
	f := r.f
	floats := t.Vector(treesFloats, 4)
	for i := 0; i < floats.Len() && r.err == nil; i++ {
		c := floats.Table(i)
		grow(r, &f.floats, floatFeature{
			index: c.Int32(floatIndex, -1), flat: c.Int32(floatFlat, -1),
			name: r.text(c.Text(floatName)), borders: r.float32s(c.Vector(floatBorders, 4)),
			high: c.Uint8(floatNaNs, 0) != 0 && c.Uint8(floatTreatment, 0) == asTrue})
	}
	cats := t.Vector(treesCats, 4)
	for i := 0; i < cats.Len() && r.err == nil; i++ {
		c := cats.Table(i)
		grow(r, &f.cats, catFeature{index: c.Int32(catIndex, -1), flat: c.Int32(catFlat, -1),
			name: r.text(c.Text(catName))})
	}
	oneHots := t.Vector(treesOneHots, 4)
	for i := 0; i < oneHots.Len() && r.err == nil; i++ {
		c := oneHots.Table(i)
		o := oneHot{cat: c.Int32(oneHotIndex, -1), values: r.int32s(c.Vector(oneHotValues, 4))}
		grow(r, &f.oneHots, o)
		texts := c.Vector(oneHotTexts, 4)
		for k := 0; k < texts.Len() && texts.Len() == len(o.values) && r.err == nil; k++ {
			if text := r.text(texts.Text(k)); r.err == nil {
				r.err = f.addText(r.source, uint32(o.values[k]), text)
			}
		}
	}
	ctrs := t.Vector(treesCtrs, 4)
	for i := 0; i < ctrs.Len() && r.err == nil; i++ {
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
	if b.kind >= ctrKinds && r.err == nil {
		r.err = r.unsupported("statistics of categories of kind %d", b.kind)
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
func (r *binaryReader) statistics() error {
	r.section = "tables of statistics"
	for n := r.size(); n > 0 && r.err == nil; n-- {
		if err := r.table(r.bytes(r.size())); err != nil {
			return err
		}
	}
	return r.err
}

// bucketSize is the size of a bucket of a hash table: uint64 key, uint32 row.
const bucketSize = 12

// table reads a table of statistics: a hash table of rows, and the rows.
func (r *binaryReader) table(data []byte) error {
	if r.err != nil {
		return r.err
	}
	b := newFlatBuffer(data)
	root := b.Root()
	t := ctrTable{base: r.base(root.Table(tableBase)), denominator: root.Int32(tableDenominator, 0),
		stride: 1}
	if t.base.kind <= buckets {
		t.stride = int(root.Int32(tableClasses, 0))
	}
	raw, blob := root.Vector(tableKeys, 1).Bytes(), root.Vector(tableBlob, 1).Bytes()
	if err := r.failed(b); err != nil {
		return err
	}
	width := t.stride
	if t.base.kind.mean() {
		width = 2
	}
	if len(raw)%bucketSize != 0 || width < 1 || width > maxDims || len(blob)%(4*width) != 0 {
		return r.corrupt("%d bytes of keys and %d of rows of %d numbers", len(raw), len(blob),
			width)
	}
	n := len(raw) / bucketSize
	rows := len(blob) / (4 * width)
	if err := r.Take(int64(n) * int64(8+4*width)); err != nil {
		return err
	}
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
			return r.corrupt("row %d of a table of %d", row, rows)
		}
		t.keys = append(t.keys, key)
		t.row(blob[int(row)*4*width:][:4*width])
	}
	grow(r, &r.f.tables, t)
	return r.err
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
