package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	fresh := filepath.Join(t.TempDir(), "new.csv")
	table := "petal_width,petal_length,sepal_width,sepal_length\n0.2,1.4,3.5,5.1\n2.1,5.8,3,6.5\n"
	if err := os.WriteFile(fresh, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out, "species", "../../testdata/iris/iris.csv", fresh); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "Iris-setosa\nIris-virginica\n" {
		t.Errorf("got %q", got)
	}
	err := run(t.Context(), &out, "specie", "../../testdata/iris/iris.csv", fresh)
	if err == nil || !strings.Contains(err.Error(), `did you mean "species"?`) {
		t.Errorf("got %v", err)
	}
}
