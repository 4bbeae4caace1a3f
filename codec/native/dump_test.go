package native

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

var update = flag.Bool("update", false, "write the golden files of the current format version")

// The golden files are reviewed when the format changes: the dump shows every byte of a small
// model, the model files are read by all later versions. docs/format.md quotes the dump.
func TestGolden(t *testing.T) {
	goldens := map[string][]byte{
		"tiny.txt":      []byte(dump(t, encode(t, codectest.Tiny()))),
		"full.txt":      []byte(dump(t, encode(t, codectest.Full()))),
		"pool.txt":      []byte(dump(t, encode(t, codectest.Pool()))),
		"inclined.txt":  []byte(dump(t, encode(t, codectest.Inclined()))),
		"covered.txt":   []byte(dump(t, encode(t, codectest.Covered()))),
		"derived.txt":   []byte(dump(t, encode(t, codectest.Derived()))),
		"rules.txt":     []byte(dump(t, encode(t, codectest.TinyRules()))),
		"committee.txt": []byte(dump(t, encode(t, codectest.TinyCommittee()))),
		"linear.txt":    []byte(dump(t, encode(t, codectest.TinyLinear()))),
		"bayes.txt":     []byte(dump(t, encode(t, codectest.TinyBayes()))),

		"svm.txt":        []byte(dump(t, encode(t, codectest.TinyMachine()))),
		"network.txt":    []byte(dump(t, encode(t, codectest.TinyNetwork()))),
		"knn.txt":        []byte(dump(t, encode(t, codectest.TinyNeighbours()))),
		"calibrated.txt": []byte(dump(t, encode(t, codectest.TinyCalibrated()))),
	}
	for name, m := range map[string]model.Model{"tiny": codectest.Tiny(), "full": codectest.Full(), "pool": codectest.Pool(), "rules": codectest.FullRules(),
		"inclined": codectest.Inclined(), "derived": codectest.Derived(), "nonzero": codectest.Nonzero(), "combined": codectest.Combined(), "covered": codectest.Covered(), "committee": codectest.FullCommittee(), "linear": codectest.FullLinear(), "bayes": codectest.FullBayes(),
		"knn": codectest.FullNeighbours(), "network": codectest.FullNetwork(), "svm": codectest.FullMachine(), "calibrated": codectest.FullCalibrated(), "roles": codectest.Quartiles(), "refusing": codectest.Refusing(), "profile": codectest.Profiled()} {
		b := encode(t, m)
		goldens[fmt.Sprintf("v%s-%s.coppice", Version(le.Uint32(b[8:])), name)] = b
	}
	goldens["v1.2-sets.coppice"] = write(t, wide(640, 3), listed(func(*forest) {}))
	newer := setVersion(version1 << 1)(encode(t, codectest.Tiny()))
	goldens["newer.coppice"] = reseal(newer)
	for name, want := range goldens {
		golden(t, filepath.Join("testdata", name), want)
	}
	quoteInDocs(t, goldens["tiny.txt"])
}

// Files of every version that ever was are read, and written again without loss.
func TestOldFilesAreRead(t *testing.T) {
	files, err := filepath.Glob("testdata/v*.coppice")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := decodeBytes(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := decodeBytes(encode(t, m))
		if err != nil || codectest.Diff(m, again) != "" {
			t.Errorf("%s: %v\n%s", name, err, codectest.Diff(m, again))
		}
	}
}

// A file from before the first release gets one line of error with a remedy.
func TestPrereleaseFilesAreRefused(t *testing.T) {
	b, err := os.ReadFile("testdata/prerelease.coppice")
	if err != nil {
		t.Fatal(err)
	}
	_, err = decodeBytes(b)
	var strange *codec.UnsupportedError
	if !errors.As(err, &strange) || err.Error() != "coppice model: the file was made before the first release: train again" {
		t.Errorf("error %v", err)
	}
	if !Format().Sniff(b[:8]) {
		t.Error("the format does not recognise such a file")
	}
}

// golden compares a file with what it should be, or writes it.
func golden(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the encoder writes. If the format is meant to change, see docs/format.md on versions and run go test -update", path)
	}
}

// quoteInDocs keeps the dump in docs/format.md.
func quoteInDocs(t *testing.T, dump []byte) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", "format.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const start, end = "<!-- dump of testdata/tiny.txt -->\n```text\n", "```\n<!-- end of dump -->"
	before, rest, ok := strings.Cut(string(page), start)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the dump", path)
	}
	golden(t, path, []byte(before+start+string(dump)+end+after))
}

// dumper prints bytes as a tree: offset, bytes, meaning.
type dumper struct {
	strings.Builder
	b  []byte
	at int
}

// next prints the next n bytes with their meaning, at most 16 on a line.
func (d *dumper) next(indent string, n int, format string, args ...any) []byte {
	all := d.b[d.at : d.at+n]
	meaning := fmt.Sprintf(format, args...)
	for i := 0; i < n; i += 16 {
		part := all[i:min(n, i+16)]
		line := fmt.Sprintf("%5d  % -47x  %s%s", d.at+i, part, indent, meaning)
		d.WriteString(strings.TrimRight(line, " ") + "\n")
		meaning = ""
	}
	d.at += n
	return all
}

func (d *dumper) title(format string, args ...any) {
	fmt.Fprintf(d, "\n"+format+"\n", args...)
}

// dump prints a sound file.
func dump(t *testing.T, b []byte) string {
	t.Helper()
	d := &dumper{b: b}
	d.file(len(b))
	return d.String()
}

// file prints the file, or the member, that ends at a place.
func (d *dumper) file(end int) {
	b := d.b
	d.WriteString("head\n")
	d.next("  ", 8, "magic: 0x89 CPC and line ends")
	d.next("  ", 4, "format version %s", Version(le.Uint32(b[d.at:])))
	d.next("  ", 4, "%d sections", le.Uint32(b[d.at:]))
	d.next("  ", 8, "%d bytes in the file", le.Uint64(b[d.at:]))
	d.next("  ", 4, "zero")
	d.next("  ", 4, "CRC-32C of the head")
	for d.at < end {
		d.section()
	}
}

func (d *dumper) section() {
	name := strings.TrimRight(string(d.b[d.at:d.at+nameSize]), "\x00")
	d.title("section %q", name)
	d.next("  ", nameSize, "name")
	d.next("  ", 4, "flags: %d", le.Uint32(d.b[d.at:]))
	d.next("  ", 4, "zero")
	n := int(le.Uint64(d.b[d.at:]))
	d.next("  ", 8, "%d bytes of payload", n)
	if name == "header" || name == "state" {
		for end := d.at + n; d.at < end; {
			k := min(16, end-d.at)
			d.next("  ", k, "%s", bytes.Map(ascii, d.b[d.at:d.at+k]))
		}
	} else {
		d.arrays(d.b[d.at : d.at+n])
	}
	d.next("  ", int(gap(int64(d.at), align-crcSize)), "padding")
	d.next("  ", crcSize, "CRC-32C of the section")
}

// ascii shows other characters, which a line may break in two, as dots.
func ascii(r rune) rune {
	if r > '~' {
		return '.'
	}
	return r
}

func (d *dumper) arrays(p []byte) {
	start := d.at
	n := int(le.Uint32(p))
	d.next("  ", 4, "%d arrays", n)
	d.next("  ", 4, "zero")
	descriptors := p[tableHeadSize : tableHeadSize+descriptorSize*n]
	for i := range n {
		e := descriptors[descriptorSize*i:]
		d.next("    ", 16, "array %q", strings.TrimRight(string(e[:arrayNameSize]), "\x00"))
		d.next("      ", 2, "elements: %s", e[16:18])
		d.next("      ", 2, "flags: %d", le.Uint16(e[18:]))
		d.next("      ", 4, "zero")
		d.next("      ", 8, "at %d of the payload, %d of the file", le.Uint64(e[24:]), uint64(start)+le.Uint64(e[24:]))
		d.next("      ", 8, "%d elements", le.Uint64(e[32:]))
	}
	for i := range n {
		e := descriptors[descriptorSize*i:]
		d.next("  ", start+int(le.Uint64(e[24:]))-d.at, "padding")
		if string(bytes.TrimRight(e[:arrayNameSize], "\x00")) == "models" {
			for end := d.at + int(le.Uint64(e[32:])); d.at < end; {
				d.title("member")
				d.file(d.at + int(le.Uint64(d.b[d.at+16:])))
			}
			continue
		}
		d.elements(strings.TrimRight(string(e[:arrayNameSize]), "\x00"), string(e[16:18]), int(le.Uint64(e[32:])))
	}
}

// elements prints an array, up to 16 bytes on a line.
func (d *dumper) elements(name, code string, n int) {
	read := map[string]func(b []byte) string{
		"u1": func(b []byte) string { return fmt.Sprint(b[0]) },
		"i4": func(b []byte) string { return fmt.Sprint(int32(le.Uint32(b))) },
		"u4": func(b []byte) string { return fmt.Sprint(le.Uint32(b)) },
		"u8": func(b []byte) string { return fmt.Sprintf("%#x", le.Uint64(b)) },
		"f8": func(b []byte) string { return fmt.Sprint(math.Float64frombits(le.Uint64(b))) },
		"nd": func(b []byte) string {
			d := view[tree.Node](b)[0]
			return fmt.Sprintf("kind %d, missing %d, feature %d, split point %v, child %d", d.Kind(), d.Missing(), d.Feature(), math.Float64frombits(le.Uint64(b)), int32(le.Uint32(b[8:])))
		},
	}[code]
	size := map[string]int{"u1": 1, "i4": 4, "u4": 4, "u8": 8, "f8": 8, "nd": 16}[code]
	for i := 0; i < n; i += 16 / size {
		var values []string
		k := min(n-i, 16/size)
		for j := range k {
			values = append(values, read(d.b[d.at+j*size:]))
		}
		d.next("  ", k*size, "%s: %s", name, strings.Join(values, " "))
	}
}
