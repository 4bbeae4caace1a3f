package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// quickTraining is what makes learners fast whose defaults train many members.
var quickTraining = map[string]string{
	"forest":     "trees=5",
	"extratrees": "trees=5",
	"isolation":  "trees=5",
	"gbm":        "trees=5",
	"anyboost":   "rounds=3",
	"adaboost":   "rounds=3",
	"logitboost": "rounds=3",
	"bag":        "members=3",
	"vote":       "members=a:cart,b:bayes",
	"stack":      "members=a:cart,b:bayes",
	"portfolio":  "members=a:cart,b:bayes budget=2",
	"calibrate":  "base=cart",
	"network":    "epochs=3",
}

// writeTwins writes the same table as a LibSVM file, whose columns are sparse, and as a CSV file.
func writeTwins(t *testing.T, folder string) (files [2]string) {
	t.Helper()
	const rows, features = 80, 6
	r := rng.New(4)
	names := make([]string, features)
	for j := range names {
		names[j] = fmt.Sprint("f", j+1)
	}
	var svm strings.Builder
	csv := "label," + strings.Join(names, ",") + "\n"
	for range rows {
		label, cells := r.Intn(4)/3, make([]string, features)
		pairs := ""
		for j := range cells {
			cells[j] = "0"
			if r.Intn(6) == 0 || label == 1 && j == 0 && r.Intn(2) == 0 {
				cells[j] = fmt.Sprint(1 + r.Intn(2))
				pairs += fmt.Sprintf(" %d:%s", j+1, cells[j])
			}
		}
		fmt.Fprintf(&svm, "%d%s\n", label, pairs)
		csv += fmt.Sprintf("%d,%s\n", label, strings.Join(cells, ","))
	}
	files = [2]string{filepath.Join(folder, "t.svm"), filepath.Join(folder, "t.csv")}
	for i, text := range []string{svm.String(), csv} {
		if err := os.WriteFile(files[i], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// Every learner makes the same model file of a table, whether its columns are sparse or dense.
func TestSparseAndDenseTablesMakeTheSameModel(t *testing.T) {
	folder := t.TempDir()
	files := writeTwins(t, folder)
	for _, entry := range catalog.Table() {
		t.Run(entry.Name, func(t *testing.T) {
			var models [2][]byte
			for i, file := range files {
				made := filepath.Join(folder, entry.Name+".coppice")
				args := []string{"train", file, "--learner", entry.Name, "-o", made}
				for _, set := range strings.Fields(quickTraining[entry.Name]) {
					args = append(args, "--set", set)
				}
				needs := entry.New().Capabilities().Needs
				if needs.Categorical {
					args = append(args, "--categorical", "f1,f2,f3,f4,f5,f6")
				}
				if needs.Unsupervised {
					args = append(args, "--ignore", "label")
				} else {
					args = append(args, "--label", "label")
				}
				err := silent(t.Context(), io.Discard, args...)
				if err != nil {
					t.Fatalf("%s: %v", filepath.Base(file), err)
				}
				if models[i], err = os.ReadFile(made); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(models[0], models[1]) {
				t.Error("the model of the LibSVM file differs from that of the CSV file")
			}
		})
	}
}
