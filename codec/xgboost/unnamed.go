package xgboost

import (
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/tree"
)

// mostUnnamed is the number of columns without names up to which a model has them all.
const mostUnnamed = 1 << 16

// leaveOut leaves the columns out that no tree splits, where a file has very many without names:
// it states their number alone, so a small file may have millions. The first and the last column
// stay. They show what columns count from, and how many there were.
//
//	features        1000000                               columns  f0  f17  f999999
//	split_indices   17  999999  17               becomes           1   2    1
func (f *file) leaveOut(in *input) {
	c := &f.columns
	if f.features <= mostUnnamed || f.features > tree.MaxFeatures || f.booster == "gblinear" ||
		len(c.names)+len(c.types)+len(c.categories) > 0 {
		return
	}
	used := []int32{0, int32(f.features) - 1}
	for _, t := range f.forest.trees {
		in.Need(8 * int64(len(t.left)))
		for n, column := range t.feature {
			if t.splits(n, f.features) {
				used = append(used, column)
			}
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	for _, t := range f.forest.trees {
		for n, column := range t.feature {
			if t.splits(n, f.features) {
				place, _ := slices.BinarySearch(used, column)
				t.feature[n] = int32(place)
			} else if n < len(t.left) && t.left[n] != -1 {
				t.feature[n] = -1 // beyond all columns: checked where the node is not deleted
			}
		}
	}
	in.Need(int64(len(used)) * textSize)
	for _, column := range used {
		c.names = append(c.names, "f"+strconv.Itoa(int(column)))
	}
	f.features = int64(len(used))
}

// splits reports whether a node is no leaf, and tests one of the columns.
func (t *fileTree) splits(node int, features int64) bool {
	return node < len(t.left) && t.left[node] != -1 && t.feature[node] >= 0 &&
		int64(t.feature[node]) < features
}

// putBack numbers the columns as they were before leaveOut, in the file of a model that was read
// with some left out.
func (w *writing) putBack() error {
	f := w.file
	if w.Origin == nil || w.Origin.Tool != toolName || f.columns.categories != nil {
		return nil
	}
	var number []int32 // by column
	for i := range w.Meta.Schema.Fields {
		n, ok := spelling.FeatureNumber(w.Meta.Schema.Fields[i].Name)
		if !ok || n >= tree.MaxFeatures || i == 0 && n != 0 ||
			i > 0 && int32(n) <= number[i-1] {
			return nil
		}
		number = append(number, int32(n))
	}
	if len(number) == 0 || int(number[len(number)-1]) < mostUnnamed {
		return nil
	}
	for _, t := range f.forest.trees {
		for n := range t.feature {
			if t.left[n] != -1 {
				t.feature[n] = number[t.feature[n]]
			}
		}
	}
	f.features = int64(number[len(number)-1]) + 1
	f.columns.names, f.columns.types = nil, nil
	return nil
}
