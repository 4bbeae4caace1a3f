package experiment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestTable(t *testing.T) {
	var b bytes.Buffer
	w := Table(&b)
	fmt.Fprintln(w, "n\terror\t")
	fmt.Fprintln(w, "10\t0.25\t")
	w.Flush()
	if want := "    n   error\n   10    0.25\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// TestPictures: every example has its picture, and every picture its example.
func TestPictures(t *testing.T) {
	mains, err := filepath.Glob("../*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("%d examples, error %v", len(mains), err)
	}
	pictures, err := filepath.Glob("../*/*.svg")
	if err != nil || len(pictures) != len(mains) {
		t.Errorf("%d examples, %d pictures, error %v", len(mains), len(pictures), err)
	}
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, main := range mains {
		name := filepath.Base(filepath.Dir(main))
		if _, err := os.Stat(filepath.Join("..", name, name+".svg")); err != nil {
			t.Error(err)
		}
		if link := fmt.Sprintf("(%s/%s.svg)", name, name); !bytes.Contains(text, []byte(link)) {
			t.Errorf("README.md does not show %s", link)
		}
	}
}
