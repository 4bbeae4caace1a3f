package formats_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/codec/parity"
)

// unreadable are the models of the samples that no reader reads, by their path in the folder, with
// a part of the error that says why.
var unreadable = map[string]string{
	// trees without the header of a model
	"leaves/tree_1leaf.txt":     "not of that format",
	"leaves/tree_2leaves.txt":   "not of that format",
	"leaves/tree_3leaves.txt":   "not of that format",
	"lightgbm/tree_1leaf.txt":   "not of that format",
	"lightgbm/tree_2leaves.txt": "not of that format",
	"lightgbm/tree_3leaves.txt": "not of that format",
	// trees as operations on tensors, not as an operator of trees
	"tract-onnx/lgbm_classifier_tensor/model.onnx": "a graph without TreeEnsembleClassifier",
	// folders without all their files
	"ydf/abalone_regression_rf":           "random_forest_header.pb",
	"ydf/model/abalone_regression_rf":     "random_forest_header.pb",
	"ydf/adult_binary_class_rf_wta_small": "nodes-00000-of-00001",
}

// TestSamples compares every model of another tool in testdata/models, and in the folder models of
// COPPICE_DATA, with its file, on rows at its split points: leaves are equal, and scores up to the
// rounding of sums. With -v it logs the reader of each file, how many rows there are, and the
// largest difference. A model that cannot be read must be one of unreadable.
func TestSamples(t *testing.T) {
	roots := []string{"../../testdata/models"}
	if shared := os.Getenv("COPPICE_DATA"); shared != "" {
		roots = append(roots, filepath.Join(shared, "models"))
	}
	compared := map[string]int{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			_, format, err := formats.Open(path, codec.Limits{})
			if errors.Is(err, formats.ErrUnknown) && (d.IsDir() || !isModel(path)) {
				return nil
			}
			name, relErr := filepath.Rel(root, path)
			if relErr != nil {
				return relErr
			}
			t.Run(filepath.ToSlash(name), func(t *testing.T) {
				if err != nil {
					checkUnreadable(t, err)
					return
				}
				compared[format.Name]++
				compare(t, path)
			})
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range formats.Table() {
		if (f.Reference != nil || f.ReferenceFS != nil) && compared[f.Name] == 0 {
			t.Logf("no sample of the format %s", f.Name)
		}
	}
	if len(compared) < 4 {
		t.Errorf("samples of the formats %v", compared)
	}
}

// isModel reports whether a file is a model by its name: neither rows, nor what a tool predicted,
// nor a note.
func isModel(path string) bool {
	base := filepath.Base(path)
	if slices.ContainsFunc([]string{"_data.txt", "_predictions.txt", "_pred_leaves.txt",
		"_leaves.txt", "description.txt", "describe.txt"}, func(end string) bool {
		return strings.HasSuffix(base, end)
	}) {
		return false
	}
	if _, err := os.Stat(strings.TrimSuffix(path, ".json") + ".onnx"); err == nil {
		return filepath.Ext(base) == ".onnx" // beside it are its rows and predictions
	}
	return slices.Contains([]string{".bin", ".cbm", ".json", ".model", ".onnx", ".pmml", ".txt",
		".ubj", ".xml"}, filepath.Ext(base))
}

// checkUnreadable checks that a model that no reader reads is known, and why.
func checkUnreadable(t *testing.T, err error) {
	_, name, _ := strings.Cut(t.Name(), "/")
	why, ok := unreadable[name]
	if !ok || !strings.Contains(err.Error(), why) {
		t.Errorf("%v, want %q", err, why)
	}
	t.Logf("not read: %v", err)
}

func compare(t *testing.T, path string) {
	m, format, err := formats.Open(path, codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	e := m.Describe().Ensemble
	if e == nil {
		t.Logf("%s: a linear model has no split points", format.Name)
		return
	}
	ref, err := formats.OpenReference(path, nil, codec.Limits{})
	if err != nil || ref == nil {
		t.Fatalf("no reference: %v", err)
	}
	cert, err := parity.Compare(t.Context(), e, ref, format.Single, parity.Make(e, 3000))
	if err != nil {
		t.Fatal(err)
	}
	if cert.Largest > cert.Allowed || cert.Rows == 0 {
		t.Errorf("certificate %+v", cert)
	}
	t.Logf("%s: %d rows, leaves equal, scores differ by %.2g at most, %.2g allowed", format.Name,
		cert.Rows, cert.Largest, cert.Allowed)
}
