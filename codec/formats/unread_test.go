package formats_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/codec/xgboost"
)

// put writes a file below a folder, and those between them.
func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// What no format reads is named with the way out, by its content or its name.
func TestUnreadModels(t *testing.T) {
	for file, c := range map[string]struct{ content, want string }{
		"model.json":              {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"},
		"model.bin":               {"\x80\x04\x95\x1c", "write ONNX, by tools/sklearn2onnx.py"},
		"m.joblib":                {"\x78\x9c", "write ONNX, by tools/sklearn2onnx.py"},
		"dump.raw.txt":            {"booster[0]:\n0:[f2<2.45] yes=1,no=2,missing=1\n", "dump_format=\"json\""},
		"ranker.txt":              {"## LambdaMART\n## No. of trees = 1000\n", "loss=lambdarank"},
		"m.mlmodel":               {"\x08\x01", "ONNX of the model that it was made of"},
		"net.h5":                  {"\x89HDF", "only models of trees and linear ones"},
		"saved/saved_model.pb":    {"\x08\x01", "the folder assets in it"},
		"pipeline/stages/0/x.txt": {"", "below stages"},
		"folder/x.txt":            {"", "a header.pb, or of XGBoost4J-Spark"},
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, file), []byte(c.content))
		path := filepath.Join(dir, strings.Split(file, "/")[0])
		_, _, err := formats.Open(path, codec.Limits{})
		if !errors.Is(err, formats.ErrUnknown) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", file, err, c.want)
		}
	}
}

// Folders of XGBoost4J-Spark are the booster in them, with and without the number of classes before
// it; so is that file alone.
func TestSparkFolders(t *testing.T) {
	for _, name := range []string{"logistic.json", "squarederror.ubj", "gamma.model"} {
		booster, err := os.ReadFile("../xgboost/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := formats.Open("../xgboost/testdata/"+name, codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for file, content := range map[string][]byte{
			"XGBoostRegressionModel":     booster,
			"model":                      booster,
			"XGBoostClassificationModel": append(binary.BigEndian.AppendUint32(nil, 2), booster...),
		} {
			folder := t.TempDir()
			put(t, filepath.Join(folder, "metadata", "part-00000"), []byte("{}"))
			put(t, filepath.Join(folder, "data", file), content)
			for _, path := range []string{folder, filepath.Join(folder, "data", file)} {
				m, format, err := formats.Open(path, codec.Limits{})
				if err != nil || !strings.HasPrefix(format.Name, "xgboost-") {
					t.Fatalf("%s as %s: %v", name, file, err)
				}
				if d := codectest.Diff(want, m); d != "" {
					t.Errorf("%s as %s: another model:\n%s", name, file, d)
				}
				ref, err := formats.OpenReference(path, nil, codec.Limits{})
				if err != nil || ref == nil {
					t.Errorf("%s as %s: reference %v, %v", name, file, ref, err)
				}
			}
		}
	}
}

// A format in place of another reads files of its own name alone.
func TestOpenAs(t *testing.T) {
	f := xgboost.Dump(xgboost.DumpOptions{Objective: "binary:logistic", BaseScore: 0.3})
	dump, found, err := formats.OpenAs("../xgboost/testdata/dumps/logistic.json", &f, codec.Limits{})
	if err != nil || found.Name != "xgboost-dump" || dump.Outputs() != 2 {
		t.Errorf("a dump: %v", err)
	}
	_, _, err = formats.Open("../xgboost/testdata/dumps/logistic.json", codec.Limits{})
	if !errors.Is(err, xgboost.ErrNoObjective) {
		t.Errorf("a dump without its objective: %v", err)
	}
	if _, found, err := formats.OpenAs("../xgboost/testdata/tiny.json", &f, codec.Limits{}); err != nil || found.Name != "xgboost-json" {
		t.Errorf("a model of another format: %v, %v", found, err)
	}
}
