package formats_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
)

func TestConformance(t *testing.T) {
	tier.NotShort(t, "writes each kind of model in each format")
	for _, f := range formats.Table() {
		if f.Encode == nil || f.Decode == nil {
			continue // the tests of its package have files
		}
		if !f.Foreign {
			continue // the tests of package native run the suite on the same models
		}
		t.Run(f.Name, func(t *testing.T) { codectest.Run(t, f, codectest.Models()) })
	}
}

func TestTable(t *testing.T) {
	names, suffixes := map[string]bool{}, map[string]bool{}
	for _, f := range formats.Table() {
		if names[f.Name] {
			t.Errorf("two formats are called %q", f.Name)
		}
		names[f.Name] = true
		if got := formats.ByName(f.Name); got == nil || got.Name != f.Name {
			t.Errorf("ByName(%q) = %v", f.Name, got)
		}
		for _, s := range f.Suffix {
			if suffixes[s] || s[0] != '.' {
				t.Errorf("suffix %q is taken or has no dot", s)
			}
			suffixes[s] = true
			if got := formats.BySuffix("dir.d/model" + s); got == nil || got.Name != f.Name {
				t.Errorf("BySuffix of %q = %v", s, got)
			}
		}
	}
}

func TestFind(t *testing.T) {
	for _, f := range formats.Table() {
		if f.Encode == nil || f.Decode == nil {
			continue
		}
		var b bytes.Buffer
		err := f.Encode(&b, codectest.Tiny())
		if unsupported := (*codec.UnsupportedError)(nil); errors.As(err, &unsupported) {
			continue // the conformance suite has files that its Encode wrote
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := formats.Find(b.Bytes()[:min(b.Len(), 512)]); got == nil || got.Name != f.Name {
			t.Errorf("the head of a %s file is taken for %v", f.Name, got)
		}
	}
	if got := formats.Find([]byte("a,b\n1,2\n")); got != nil {
		t.Errorf("a table is taken for a %s model", got.Name)
	}
	if formats.ByName("nothing") != nil || formats.BySuffix("model.csv") != nil || formats.BySuffix("coppice") != nil {
		t.Error("a format for names that none has")
	}
}

// Files of other tools have no hashes in place of the texts of categories, and no derived columns
// of combinations.
func TestForeignFormatsRefuseHashes(t *testing.T) {
	combined := codectest.Combined()
	hashed := *codectest.Tiny()
	hashed.Meta.Schema = hashed.Meta.Schema.Clone()
	hashed.Meta.Schema.Fields = append(hashed.Meta.Schema.Fields, combined.Meta.Schema.Fields[0])
	if err := hashed.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, f := range formats.Table() {
		if f.Encode == nil || !f.Foreign {
			continue
		}
		for _, m := range []*model.Ensemble{combined, &hashed} {
			var unsupported *codec.UnsupportedError
			if err := f.Encode(io.Discard, m); !errors.As(err, &unsupported) {
				t.Errorf("%s writes hashes of categories: %v", f.Name, err)
			}
		}
	}
}
