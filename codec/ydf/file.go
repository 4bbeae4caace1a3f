package ydf

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// file is what the files of a folder hold.
type file struct {
	header
	forest
	label    string     // the name of the label's column
	features []column   // by feature
	levels   [][]string // by feature; nil: not categorical
	classes  []string   // from index 1 on; nil: the task has none
	nodes
}

// read reads all files of the folder.
func (d *folder) read() *file {
	f := &file{}
	columns := f.readHeaders(d)
	d.within(columnsName, func() {
		f.findFeatures(d, columns)
		f.findClasses(d, columns)
	})
	d.within(headerName, f.checkForest)
	f.nodes = foreign.Must(d.readNodes(f, len(columns)))
	return f
}

// within takes a step, whose error is one of a file.
func (d *folder) within(name string, step func()) {
	taken := func() (err error) {
		defer foreign.Ended(&err)
		step()
		return nil
	}
	foreign.Check(wrap(taken(), d.prefix+name))
}

// readHeaders reads all files but those of nodes, and returns the columns.
func (f *file) readHeaders(d *folder) []column {
	m := d.message(headerName)
	f.header = readHeader(m)
	foreign.Check(wrap(m.Err(), d.prefix+headerName))
	m = d.message(columnsName)
	columns := readColumns(m)
	foreign.Check(wrap(m.Err(), d.prefix+columnsName))
	name, read := boostedName, readBoosted
	switch f.name {
	case boostedTrees:
	case randomForest:
		name, read = forestName, readForest
	default:
		refuse("the kind of model %.50q", f.name)
	}
	m = d.message(name)
	f.forest = read(m)
	foreign.Check(wrap(m.Err(), d.prefix+name))
	return columns
}

// findFeatures finds the columns of the features.
func (f *file) findFeatures(d *folder, columns []column) {
	d.budget.Need(int64(len(f.inputs)) * bytesPerColumn)
	seen := make([]bool, len(columns))
	for _, at := range f.inputs {
		if at < 0 || int(at) >= len(columns) || seen[at] {
			fail("feature in column %d of %d, or twice", at, len(columns))
		}
		seen[at] = true
		c := &columns[at]
		c.check()
		var levels []string
		if c.kind == categorical {
			levels = c.levels(d.budget)
		}
		f.features, f.levels = append(f.features, *c), append(f.levels, levels)
	}
}

// findClasses finds the label and its classes.
func (f *file) findClasses(d *folder, columns []column) {
	if at := f.target; at >= 0 && int(at) < len(columns) {
		f.label = columns[at].name
	} else if f.task == classification {
		fail("the label is column %d of %d", at, len(columns))
	}
	if f.task != classification {
		return
	}
	c := &columns[f.target]
	if c.kind != categorical {
		refuse("classes of column %.50q, which is not categorical", c.name)
	}
	c.check()
	levels := c.levels(d.budget)
	if f.classes = levels[1:]; len(f.classes) < 2 {
		refuse("a label of %d classes", len(f.classes))
	}
}

// checkForest refuses what does not fit together, and what no model can hold.
func (f *file) checkForest() {
	if f.format != "BLOB_SEQUENCE" && f.format != "BLOB_SEQUENCE_GZIP" {
		refuse("nodes in the format %.50q", f.format)
	}
	if f.shards < 1 || f.count < 0 || f.count > math.MaxInt32 {
		fail("%d trees in %d files", f.count, f.shards)
	}
	if f.name == randomForest {
		if f.task != classification && f.task != regression {
			refuse("random forests of task %d", f.task)
		}
		if f.count == 0 {
			fail("a random forest without trees")
		}
		return
	}
	want, ok := taskOf[f.loss]
	if !ok {
		refuse("gradient boosted trees with loss %d", f.loss)
	}
	if f.task != want {
		fail("task %d with loss %d", f.task, f.loss)
	}
	scores := 1
	if f.loss == multinomial {
		scores = len(f.classes)
	} else if f.classes != nil && len(f.classes) != 2 {
		fail("%d classes with loss %d", len(f.classes), f.loss)
	}
	if int(f.width) != scores || len(f.start) != scores || f.count%int64(scores) != 0 {
		fail("%d trees in iterations of %d, with %d initial predictions of %d scores",
			f.count, f.width, len(f.start), scores)
	}
	if slices.ContainsFunc(f.start, isNotFinite) {
		fail("an initial prediction that is not finite")
	}
}

// taskOf has the task of each loss.
var taskOf = map[int32]int32{binomial: classification, focal: classification,
	multinomial: classification, squared: regression, absolute: regression, poisson: regression,
	lambdaNDCG5: ranking, lambdaNDCG: ranking, crossNDCG: ranking, cox: survival}

func isNotFinite(x float32) bool { return !(x >= -math.MaxFloat32 && x <= math.MaxFloat32) }

// scores returns the number of raw scores.
func (f *file) scores() int {
	if f.name == randomForest {
		return max(1, len(f.classes))
	}
	return int(f.width)
}
