package formats

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/coppice-ml/coppice/internal/outside"
)

// XGBoost4J-Spark stores a model as a folder: Spark's parameters in metadata, and the booster as
// one file in data. Before version 2 the file of a classifier begins with the number of its
// classes, in four bytes.
var sparkBoosters = []string{"XGBoostClassificationModel", "XGBoostRegressionModel",
	"XGBoostRankerModel", "model"}

// sparkBooster returns the path of the booster in a folder with some names in it, "" if the folder
// is none of XGBoost4J-Spark.
func sparkBooster(path string, names []string) string {
	if !slices.Contains(names, "metadata") || !slices.Contains(names, "data") {
		return ""
	}
	for _, name := range sparkBoosters {
		file := filepath.Join(path, "data", name)
		if info, err := outside.FileInfo(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// countSize is the size of the number of classes, which begins a file of Spark.
const countSize = 4

// counted returns what follows the number of classes of a file of Spark, where that is a model;
// nil where it is none.
func (s *source) counted(head []byte) io.ReaderAt {
	if len(head) <= countSize || head[0] != 0 || head[1] != 0 {
		return nil
	}
	if s.format = Find(head[countSize:]); s.format == nil {
		return nil
	}
	s.size -= countSize
	return io.NewSectionReader(s.file, countSize, s.size)
}
