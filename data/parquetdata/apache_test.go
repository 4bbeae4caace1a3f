package parquetdata

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// Files of github.com/apache/parquet-testing (Apache License 2.0, commits 60ddd9c7 and c62e34aa,
// and of LZ4 1a2a7512) have the values of its descriptions: timestamps of Spark up to the year
// 290000, LZ4 in Hadoop's frames and without them, metadata without a value and no rows.
func TestApacheFiles(t *testing.T) {
	read := func(name string) (*data.RowBlock, error) {
		return Open(data.ReadOptions{}, filepath.Join("testdata", name+".parquet")).Read(t.Context())
	}
	times, err := read("int96_from_spark")
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{1704141296123456, 1704070800000000, 253402225200000000,
		1735599600000000, math.NaN(), 9089380393200000000} {
		got := times.Frame.Columns[0].Number(row)
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("row %d: %.0f, want %.0f", row, got, want)
		}
	}
	for _, name := range []string{"hadoop_lz4_compressed", "non_hadoop_lz4_compressed"} {
		packed, err := read(name)
		if err != nil {
			t.Fatal(err)
		}
		const want = "c0 1.5936048e+09 1.5936048e+09 1.593604801e+09 1.593604801e+09\n" +
			"c1 abc def abc def {abc|def}\nv11 42 7.7 42.125 7.7\n"
		if got := tabletest.Render(packed.Frame); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
	_, err = read("apache/column_chunk_key_value_metadata")
	if err == nil || !strings.Contains(err.Error(), "there are no rows") {
		t.Errorf("metadata without a value: %v", err)
	}
}

// A footer has all that it had, but for what no table needs.
func TestFootersWithout(t *testing.T) {
	files, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	files = append(files, "testdata/apache/column_chunk_key_value_metadata.parquet")
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		size := int(binary.LittleEndian.Uint32(b[len(b)-tailSize:]))
		footer := b[len(b)-tailSize-size : len(b)-tailSize]
		w := walker{b: footer}
		lean, err := w.without(nil, unneeded)
		if err != nil || w.at != len(footer) {
			t.Fatalf("%s: %d of %d bytes, %v", path, w.at, len(footer), err)
		}
		var all, some format.FileMetaData
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), lean, &some); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), footer, &all); err != nil {
			if strings.Contains(path, "key_value") {
				continue // the decoder requires a value
			}
			t.Fatalf("%s: %v", path, err)
		}
		for _, meta := range []*format.FileMetaData{&all, &some} {
			meta.KeyValueMetadata = nil
			for i := range meta.RowGroups {
				for j := range meta.RowGroups[i].Columns {
					m := &meta.RowGroups[i].Columns[j].MetaData
					*m = format.ColumnMetaData{Type: m.Type, Encoding: m.Encoding,
						PathInSchema: m.PathInSchema, Codec: m.Codec, NumValues: m.NumValues,
						TotalUncompressedSize: m.TotalUncompressedSize,
						TotalCompressedSize:   m.TotalCompressedSize,
						DataPageOffset:        m.DataPageOffset, IndexPageOffset: m.IndexPageOffset,
						DictionaryPageOffset: m.DictionaryPageOffset}
				}
			}
		}
		if d := cmp.Diff(all.RowGroups, some.RowGroups); d != "" {
			t.Errorf("%s: %s", path, d)
		}
		if d := cmp.Diff(all.Schema, some.Schema); d != "" {
			t.Errorf("%s: %s", path, d)
		}
	}
}

// The older LZ4 is one block, or frames of one block or several. What does not fill a page to its
// size is an error, and nothing is written behind it.
func TestHadoopLZ4(t *testing.T) {
	page := bytes.Repeat([]byte("abcdefgh"), 100)
	block := func(b []byte) []byte {
		packed := make([]byte, lz4.CompressBlockBound(len(b)))
		n, err := lz4.CompressBlock(b, packed, nil)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		return packed[:n]
	}
	sized := func(n int, b ...byte) []byte { return append(binary.BigEndian.AppendUint32(nil, uint32(n)), b...) }
	framed := func(b []byte) []byte { packed := block(b); return sized(len(packed), packed...) }
	two := append(framed(page[:300]), framed(page[300:])...)
	whole := sized(len(page), two...)
	frames := append(sized(300, framed(page[:300])...), sized(len(page)-300, framed(page[300:])...)...)
	for name, packed := range map[string][]byte{"a block": block(page), "a frame": sized(len(page),
		framed(page)...), "blocks": whole, "frames": frames} {
		got, err := unpack(format.Lz4, make([]byte, 0, len(page)), packed)
		if err != nil || !bytes.Equal(got, page) {
			t.Errorf("%s: %v", name, err)
		}
		memory := make([]byte, len(page)+8)
		for cut := range len(packed) {
			_, err := unpack(format.Lz4, memory[:0:len(page)], packed[:cut])
			if err == nil || !bytes.Equal(memory[len(page):], make([]byte, 8)) {
				t.Fatalf("%s cut to %d of %d bytes: %v", name, cut, len(packed), err)
			}
		}
		for _, size := range []int{len(page) - 1, len(page) + 1} {
			if _, err := unpack(format.Lz4, make([]byte, 0, size), packed); err == nil {
				t.Errorf("%s unpacks to %d bytes", name, size)
			}
		}
	}
}
