package formats_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/model"
)

// encoded returns the first model that a format can hold, and its file.
func encoded(t *testing.T, f codec.Format) (model.Model, []byte) {
	t.Helper()
	for _, m := range codectest.Models() {
		var b bytes.Buffer
		err := f.Encode(&b, m)
		var unsupported *codec.UnsupportedError
		if errors.As(err, &unsupported) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return m, b.Bytes()
	}
	t.Fatalf("%s holds no model", f.Name)
	return nil, nil
}

func TestOpen(t *testing.T) {
	folder := t.TempDir()
	for _, f := range formats.Table() {
		if f.Encode == nil || f.Decode == nil {
			continue
		}
		written, b := encoded(t, f)
		path := filepath.Join(folder, "m-"+f.Name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		m, found, err := formats.Open(path, codec.Limits{})
		if err != nil || found.Name != f.Name || m.Outputs() != written.Outputs() {
			t.Errorf("%s is read as %v: %v", f.Name, found, err)
		}
		if ref, err := formats.OpenReference(path, nil, codec.Limits{}); err != nil ||
			(ref == nil) != (f.Reference == nil) {
			t.Errorf("reference of %s: %v, %v", f.Name, ref, err)
		}
	}
	table, empty := filepath.Join(folder, "t.csv"), filepath.Join(folder, "empty")
	for path, text := range map[string]string{table: "a,b\n1,2\n", empty: ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]error{table: formats.ErrUnknown, empty: formats.ErrUnknown,
		folder: formats.ErrUnknown, filepath.Join(folder, "none"): fs.ErrNotExist} {
		_, _, err := formats.Open(path, codec.Limits{})
		if !errors.Is(err, want) || !strings.Contains(err.Error(), path) ||
			strings.Count(err.Error(), path) != 1 {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := formats.OpenReference(path, nil, codec.Limits{}); !errors.Is(err, want) {
			t.Errorf("reference of %s: %v", path, err)
		}
	}
}

// TestUnknownNames: the error of a file without a known content names the formats that its name
// suggests.
func TestUnknownNames(t *testing.T) {
	folder := t.TempDir()
	for name, want := range map[string]string{
		"x.lgb.json":    "its name suggests lightgbm-json, but its content is not of that format",
		"x.json":        "suggests catboost-json, lightgbm-json or xgboost-json, but its content is of none of them",
		"x.cbm":         "suggests catboost,",
		"x.ubj":         "suggests xgboost-ubjson,",
		"x.trees.json":  "a format that Coppice reads", // it is written only
		"x.bin":         "a format that Coppice reads",
		"json":          "a format that Coppice reads",
		"x.lgb.json.gz": "a format that Coppice reads",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := formats.Open(path, codec.Limits{})
		if !errors.Is(err, formats.ErrUnknown) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(want, "suggests") && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}
