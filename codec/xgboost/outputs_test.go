package xgboost

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
)

// A small file may not declare classes that its objective does not have.
func TestClassesOfObjectives(t *testing.T) {
	for name, want := range map[string]string{"hinge": "binary:hinge of 262144 classes", "logitraw": "binary:logitraw of 262144 classes",
		"reglogistic": "reg:logistic of 262144 classes"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".model"))
		if err != nil {
			t.Fatal(err)
		}
		at := 8
		if bytes.HasPrefix(b, binaryMagic) {
			at += len(binaryMagic)
		}
		binary.LittleEndian.PutUint32(b[at:], 262144)
		_, err = Binary().Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
