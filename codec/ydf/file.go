package ydf

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/protobuf"
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
func (d *folder) read() (*file, error) {
	f := &file{}
	columns, err := f.readHeaders(d)
	if err != nil {
		return nil, err
	}
	if err := f.findFeatures(d, columns); err != nil {
		return nil, wrap(err, d.prefix+columnsName)
	}
	if err := f.findClasses(d, columns); err != nil {
		return nil, wrap(err, d.prefix+columnsName)
	}
	if err := f.checkForest(); err != nil {
		return nil, wrap(err, d.prefix+headerName)
	}
	if f.nodes, err = d.readNodes(f, len(columns)); err != nil {
		return nil, err
	}
	return f, nil
}

// readHeaders reads all files but those of nodes, and returns the columns.
func (f *file) readHeaders(d *folder) ([]column, error) {
	m, err := d.message(headerName)
	if err != nil {
		return nil, err
	}
	f.header = readHeader(m)
	if m.Err() != nil {
		return nil, wrap(m.Err(), d.prefix+headerName)
	}
	if m, err = d.message(columnsName); err != nil {
		return nil, err
	}
	columns := readColumns(m)
	if m.Err() != nil {
		return nil, wrap(m.Err(), d.prefix+columnsName)
	}
	name, read := boostedName, readBoosted
	switch f.name {
	case boostedTrees:
	case randomForest:
		name, read = forestName, readForest
	default:
		return nil, unsupported("the kind of model %.50q", f.name)
	}
	if m, err = d.message(name); err != nil {
		return nil, err
	}
	f.forest = read(m)
	return columns, wrapDamage(m, d.prefix+name)
}

func wrapDamage(m *protobuf.Message, section string) error {
	if m.Err() == nil {
		return nil
	}
	return wrap(m.Err(), section)
}

// findFeatures finds the columns of the features.
func (f *file) findFeatures(d *folder, columns []column) error {
	if err := d.budget.Take(int64(len(f.inputs)) * bytesPerColumn); err != nil {
		return err
	}
	seen := make([]bool, len(columns))
	for _, at := range f.inputs {
		if at < 0 || int(at) >= len(columns) || seen[at] {
			return fmt.Errorf("feature in column %d of %d, or twice", at, len(columns))
		}
		seen[at] = true
		c := &columns[at]
		if err := c.check(); err != nil {
			return err
		}
		var levels []string
		if c.kind == categorical {
			var err error
			if levels, err = c.levels(d.budget.Take); err != nil {
				return err
			}
		}
		f.features, f.levels = append(f.features, *c), append(f.levels, levels)
	}
	return nil
}

// findClasses finds the label and its classes.
func (f *file) findClasses(d *folder, columns []column) error {
	if at := f.target; at >= 0 && int(at) < len(columns) {
		f.label = columns[at].name
	} else if f.task == classification {
		return fmt.Errorf("the label is column %d of %d", at, len(columns))
	}
	if f.task != classification {
		return nil
	}
	c := &columns[f.target]
	if c.kind != categorical {
		return unsupported("classes of column %.50q, which is not categorical", c.name)
	}
	if err := c.check(); err != nil {
		return err
	}
	levels, err := c.levels(d.budget.Take)
	if err != nil {
		return err
	}
	if f.classes = levels[1:]; len(f.classes) < 2 {
		return unsupported("a label of %d classes", len(f.classes))
	}
	return nil
}

// checkForest refuses what does not fit together, and what no model can hold.
func (f *file) checkForest() error {
	if f.format != "BLOB_SEQUENCE" && f.format != "BLOB_SEQUENCE_GZIP" {
		return unsupported("nodes in the format %.50q", f.format)
	}
	if f.shards < 1 || f.count < 0 || f.count > math.MaxInt32 {
		return fmt.Errorf("%d trees in %d files", f.count, f.shards)
	}
	if f.name == randomForest {
		if f.task != classification && f.task != regression {
			return unsupported("random forests of task %d", f.task)
		}
		if f.count == 0 {
			return fmt.Errorf("a random forest without trees")
		}
		return nil
	}
	want, ok := taskOf[f.loss]
	if !ok {
		return unsupported("gradient boosted trees with loss %d", f.loss)
	}
	if f.task != want {
		return fmt.Errorf("task %d with loss %d", f.task, f.loss)
	}
	scores := 1
	if f.loss == multinomial {
		scores = len(f.classes)
	} else if f.classes != nil && len(f.classes) != 2 {
		return fmt.Errorf("%d classes with loss %d", len(f.classes), f.loss)
	}
	if int(f.width) != scores || len(f.start) != scores || f.count%int64(scores) != 0 {
		return fmt.Errorf("%d trees in iterations of %d, with %d initial predictions of %d scores",
			f.count, f.width, len(f.start), scores)
	}
	if slices.ContainsFunc(f.start, isNotFinite) {
		return fmt.Errorf("an initial prediction that is not finite")
	}
	return nil
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
