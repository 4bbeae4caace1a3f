package decoders_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/arff"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/decoders"
	"github.com/coppice-ml/coppice/data/jsonl"
	"github.com/coppice-ml/coppice/data/libsvm"
	"github.com/coppice-ml/coppice/data/tabletest"
)

func packed(t *testing.T, text string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll([]byte(text), nil)
}

// readers are those of text, with a table of 300 rows.
var readers = map[string]struct {
	open func(data.ReadOptions, ...string) data.Table
	text string
}{
	"t.csv": {openCSV, "a,b\n" + strings.Repeat("1,x\n2.5,y\n-3,x\n", 100)},
	"t.arff": {arff.Open, "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n" +
		strings.Repeat("1,x\n2.5,y\n-3,x\n", 100)},
	"t.jsonl": {jsonl.Open, strings.Repeat(`{"a":1,"b":"x"}`+"\n"+`{"a":2.5,"b":"y"}`+"\n"+
		`{"a":-3,"b":"x"}`+"\n", 100)},
	"t.libsvm": {libsvm.Open, strings.Repeat("1 1:2.5\n0 2:-3\n1 1:4 2:7\n", 100)},
}

func openCSV(o data.ReadOptions, paths ...string) data.Table {
	return csvdata.Open(csvdata.Options{ReadOptions: o}, paths...)
}

// Every reader of text reads it packed as it reads it plain: as a frame and as a stream.
func TestDecoders(t *testing.T) {
	for name, r := range readers {
		for _, b := range [][]byte{packed(t, r.text), tabletest.Packed(t, []byte(r.text))[".gz"]} {
			o := data.ReadOptions{Decoders: decoders.New(),
				Bytes: map[string][]byte{name: []byte(r.text), "packed": b}}
			want, err := r.open(o, name).Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.open(o, "packed").Frame(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			tabletest.Same(t, got, want, 0)
			rows := 0
			o.Schema = &want.Schema
			for block, err := range r.open(o, "packed").Stream(t.Context()) {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				rows += block.Frame.Rows()
			}
			if rows != 300 {
				t.Errorf("%s: %d rows, want 300", name, rows)
			}
		}
	}
}

// Files of several members, padding and what follows by mistake are those of the standard library.
func TestMembers(t *testing.T) {
	text := "a,b\n" + strings.Repeat("1,x\n2.5,y\n", 100)
	one := string(tabletest.Packed(t, []byte(text))[".gz"])
	more := string(tabletest.Packed(t, []byte("7,z\n"))[".gz"])
	for name, file := range map[string]string{"two": one + more, "padding": one + "\x00\x00",
		"more": one + "more", "truncated": one[:len(one)-3]} {
		var rows [2]int
		var faults [2]string
		for i, all := range [][]data.Decoder{nil, decoders.New()} {
			f, err := openCSV(data.ReadOptions{Decoders: all, Bytes: map[string][]byte{"t.csv": []byte(file)}},
				"t.csv").Frame(t.Context())
			if err != nil {
				faults[i] = err.Error()
				continue
			}
			rows[i] = f.Rows()
		}
		if rows[0] != rows[1] || faults[0] != faults[1] || (name == "two") != (rows[0] == 201) {
			t.Errorf("%s: %d rows, %q", name, rows, faults)
		}
	}
}

// Without the decoder the error names what has it.
func TestNoDecoder(t *testing.T) {
	for name, r := range readers {
		o := data.ReadOptions{Bytes: map[string][]byte{name: packed(t, r.text)}}
		_, err := r.open(o, name).Frame(t.Context())
		if !errors.Is(err, data.ErrText) || !strings.HasPrefix(err.Error(), name+": this is zstd data") ||
			!strings.Contains(err.Error(), "package github.com/coppice-ml/coppice/data/decoders") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Damaged data and data that breaks off are errors that name the compression.
func TestDamaged(t *testing.T) {
	text := strings.Repeat("1,2\n", 1000)
	all := packed(t, text)
	read := func(b []byte) error {
		o := csvdata.Options{NoHeader: true}
		o.Decoders, o.Bytes = decoders.New(), map[string][]byte{"t.csv": b}
		_, err := csvdata.Open(o, "t.csv").Frame(t.Context())
		return err
	}
	for _, n := range []int{4, 11, len(all) / 2, len(all) - 1} {
		err := read(all[:n])
		if want := "t.csv: the zstd data ends too early: the file is truncated"; err == nil ||
			err.Error() != want || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("truncated to %d of %d bytes: %v", n, len(all), err)
		}
	}
	flipped := slices.Clone(all)
	flipped[len(all)-3] ^= 1
	if err := read(flipped); err == nil || !strings.HasPrefix(err.Error(), "t.csv: damaged zstd data: ") {
		t.Errorf("with a flipped bit: %v", err)
	}
	if err := read(packed(t, string(all))); !errors.Is(err, data.ErrText) {
		t.Errorf("zstd in zstd: %v", err)
	}
	if err := read(packed(t, "\ufeff"+text)); err != nil {
		t.Errorf("behind a byte order mark: %v", err)
	}
}

// Data that refers further back than 128 MiB is refused before memory is taken for it.
func TestWindow(t *testing.T) {
	const far = "\x28\xb5\x2f\xfd\x00\x98" // a frame whose window is 512 MiB
	z, err := decoders.New()[0].Open(bytes.NewReader([]byte(far + "\x01\x00\x00")))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if _, err := io.ReadAll(z); !errors.Is(err, zstd.ErrWindowSizeExceeded) {
		t.Errorf("%v", err)
	}
}
