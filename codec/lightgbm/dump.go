package lightgbm

import (
	"io"
	"math"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// dumpReader reads a JSON dump, in which each node holds its children.
type dumpReader struct {
	*jsonscan.Scanner
	budget *foreign.Budget
	f      *file
	infos  []dumpInfo
}

// dumpInfo is what a dump has of the values of a column.
type dumpInfo struct {
	column string
	codes  bool  // some values are listed, as those of categories are
	top    int32 // the largest of them
}

// readDump reads a JSON dump.
func readDump(r io.ReaderAt, size int64, b *foreign.Budget) (_ *file, err error) {
	defer foreign.Ended(&err)
	d := &dumpReader{Scanner: b.JSON(r, size), budget: b,
		f: &file{format: jsonName, classes: 1, scores: -1}}
	d.read()
	return d.f, nil
}

// fail ends the reading by an error of what was read; nil is none.
func (d *dumpReader) fail(err error) {
	if err != nil && !foreign.Typed(err) {
		d.Fail("%w", err)
	}
	foreign.Check(err)
}

// integer reads a whole number.
func (d *dumpReader) integer() int { return int(d.Int(math.MinInt32, math.MaxInt32)) }

// keep appends a value to a slice of the file.
func keep[T any](d *dumpReader, s *[]T, v T) { *s = foreign.Push(d.budget, *s, v) }

// read reads the whole dump.
func (d *dumpReader) read() {
	f, features := d.f, -1
	d.Object(func(key string) { d.member(key, &features) })
	d.End()
	if f.scores < 0 {
		f.scores = f.classes
	}
	d.fail(f.checkVersion())
	if features < len(f.columns)-1 || int64(features) >= d.Offset() {
		d.Fail("%d feature_names, max_feature_idx is %d", len(f.columns), features)
	}
	d.addColumns(features + 1)
	for i := range f.trees {
		if err := f.trees[i].check(len(f.columns)); err != nil {
			d.Fail("tree %d: %w", i, err)
		}
	}
	d.fail(f.check())
	d.fail(f.fewCodes(d.budget))
}

// member reads a member of the top level.
func (d *dumpReader) member(key string, features *int) {
	f := d.f
	switch key {
	case "version":
		f.version = d.Text()
		d.fail(f.checkVersion())
	case "num_class":
		f.classes = d.integer()
	case "num_tree_per_iteration":
		f.scores = d.integer()
	case "max_feature_idx":
		*features = d.integer()
	case "average_output":
		f.average = d.Bool()
	case "objective":
		d.fail(f.setObjective(d.Text()))
	case "feature_names":
		d.Array(func(int) {
			d.Take(bytesPerColumn)
			f.columns = append(f.columns, column{name: d.Text(), top: -1})
		})
	case "feature_infos":
		d.Object(d.info)
	case "tree_info":
		d.Array(func(int) { d.tree() })
	case "pandas_categorical":
		f.frame = readFrame(d.Scanner)
	default:
		d.Skip()
	}
}

// info reads what the dump has of the values of a column.
func (d *dumpReader) info(name string) {
	i := dumpInfo{column: name, top: -1}
	d.Object(func(key string) {
		if key != "values" {
			d.Skip()
			return
		}
		d.Array(func(int) {
			i.codes, i.top = true, max(i.top, int32(d.integer()))
		})
	})
	keep(d, &d.infos, i)
}

// addColumns adds columns without a name until there are n, and what the dump has of their values.
func (d *dumpReader) addColumns(n int) {
	f := d.f
	d.Take(int64(n-len(f.columns))*bytesPerColumn + int64(n)*64)
	for len(f.columns) < n {
		f.columns = append(f.columns, column{top: -1})
	}
	byName := make(map[string]*column, n)
	for i := range f.columns {
		byName[f.columns[i].name] = &f.columns[i]
	}
	for _, i := range d.infos {
		if c := byName[i.column]; c != nil {
			c.codes, c.top = i.codes, i.top
		}
	}
}

// tree reads an element of tree_info.
func (d *dumpReader) tree() {
	d.Take(bytesPerTree)
	t, leaves := fileTree{catAt: []int32{0}}, -1
	d.Object(func(key string) {
		switch key {
		case "num_leaves":
			leaves = d.integer()
		case "tree_structure":
			d.node(&t)
		default:
			d.Skip()
		}
	})
	if len(t.value) == 0 || leaves != len(t.value) {
		d.Fail("%d leaves, num_leaves is %d", len(t.value), leaves)
	}
	if len(t.gain) != len(t.feature) {
		t.gain = nil
	}
	if len(t.count) != len(t.value) {
		t.count = nil
	}
	d.f.trees = append(d.f.trees, t)
}
