package native

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
)

// setVersion makes a file claim another version.
func setVersion(v Version) func([]byte) []byte {
	return func(b []byte) []byte { le.PutUint32(b[8:], uint32(v)); return b }
}

func TestVersion(t *testing.T) {
	if version1 != 0x10000 || version1.String() != "1.0" || (version1+3).String() != "1.3" || Version(0x20001).major() != 2 {
		t.Error("version numbers changed their meaning")
	}
}

// What a newer program may add without harm to this one, and what this one must refuse.
func TestNewerFiles(t *testing.T) {
	arrays := func(flags uint16) func(*draft) {
		return func(d *draft) {
			d.edit = func(s []section) []section {
				more := []float64{1, 2, 3}
				all := append(d.forest.perTree(), newForest(codectest.Full()).perNode()...)
				trees := slices.IndexFunc(s, func(s section) bool { return s.name == "trees" })
				s[trees] = arraySection("trees", append(all, whole("node.novelty", flags, &more)))
				return s
			}
		}
	}
	for _, c := range []struct {
		name string
		edit func(*draft)
		want string // part of the UnsupportedError; "" = the file is read
	}{
		{"minor version", func(d *draft) { d.patch = setVersion(Latest + 1) }, ""},
		{"major version", func(d *draft) { d.patch = setVersion(version1 << 1) }, "version 2.0"},
		{"optional section", func(d *draft) { d.more = []section{blob("extra", 0, bytes.Repeat([]byte{7}, 1<<17))} }, ""},
		{"required section", func(d *draft) { d.more = []section{blob("extra", required, []byte("x"))} }, `section "extra"`},
		{"section of unknown flags", func(d *draft) { d.more = []section{blob("extra", 2, []byte("x"))} }, `section "extra"`},
		{"optional array", arrays(0), ""},
		{"required array", arrays(required), `array "node.novelty"`},
		{"key of the header", func(d *draft) {
			d.edit = func(s []section) []section {
				b, err := marshal(d.head)
				if err != nil {
					t.Fatal(err)
				}
				s[0] = blob("header", required, append([]byte(`{"novelty":{"a":[1,2]},`), b[1:]...))
				return s
			}
		}, ""},
		{"part of a tree", func(d *draft) { d.forest.has[0] |= 1 << 31 }, "tree 0 has arrays"},
		{"model", func(d *draft) { d.head.Model = "orchestra" }, `"orchestra"`},
		{"link", func(d *draft) { d.head.Link = "cauchit" }, `"cauchit"`},
		{"way to combine", func(d *draft) { d.head.Combine = "median" }, `"median"`},
		{"structure in a minor version", func(d *draft) {
			d.forest.nodes[0]++
			d.patch = setVersion(Latest + 1)
		}, "newer than"},
	} {
		b := write(t, codectest.Full(), c.edit)
		got, err := decodeBytes(b)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if d := codectest.Diff(codectest.Full(), got); d != "" {
				t.Errorf("%s: another model:\n%s", c.name, d)
			}
			continue
		}
		if e := (*codec.UnsupportedError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want unsupported and %q", c.name, err, c.want)
		}
	}
}

// A damaged byte is not taken for a newer version, nor damage in a newer file for its novelty.
func TestDamageIsNotNovelty(t *testing.T) {
	b := encode(t, codectest.Tiny())
	b[10]++ // the major version
	for _, change := range []func(){
		func() {},
		func() { b[10]--; b[8]++; b = reseal(b); b[len(b)-1]++ },
	} {
		change()
		_, err := decodeBytes(b)
		if e := (*codec.CorruptError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("%v, want a corrupt file", err)
		}
	}
}
