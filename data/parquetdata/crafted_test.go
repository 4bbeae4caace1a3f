package parquetdata_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/memory"
)

// page is a page of a crafted file: data of version 1, or a dictionary.
type page struct {
	dictionary bool
	values     int32
	encoding   format.Encoding
	unpacked   int32 // 0: the size of body
	body       []byte
}

// craft writes a file of one column x, whatever its pages claim.
func craft(
	t testing.TB, kind parquet.Kind, optional bool, codec format.CompressionCodec, rows int64,
	pages ...page,
) []byte {
	t.Helper()
	file := []byte("PAR1")
	for _, p := range pages {
		h := format.PageHeader{CompressedPageSize: int32(len(p.body)),
			UncompressedPageSize: p.unpacked}
		if p.unpacked == 0 {
			h.UncompressedPageSize = int32(len(p.body))
		}
		if p.dictionary {
			h.Type = format.DictionaryPage
			h.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: p.values,
				Encoding: p.encoding})
		} else {
			h.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: p.values,
				Encoding:                p.encoding,
				DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})
		}
		file = append(append(file, marshal(t, &h)...), p.body...)
	}
	repetition := format.Required
	if optional {
		repetition = format.Optional
	}
	column := format.ColumnChunk{MetaData: format.ColumnMetaData{Type: format.Type(kind),
		PathInSchema: []string{"x"}, Codec: codec, NumValues: rows,
		DataPageOffset: 4, TotalCompressedSize: int64(len(file) - 4),
		Encoding: []format.Encoding{format.Plain}}}
	return finish(t, file, &format.FileMetaData{Version: 1, NumRows: rows,
		Schema: []format.SchemaElement{{Name: "root", NumChildren: thrift.New(int32(1))},
			{Name: "x", Type: thrift.New(format.Type(kind)), RepetitionType: thrift.New(repetition)}},
		RowGroups: []format.RowGroup{{NumRows: rows, Columns: []format.ColumnChunk{column}}}})
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// finish writes the footer.
func finish(t testing.TB, file []byte, meta *format.FileMetaData) []byte {
	t.Helper()
	footer := marshal(t, meta)
	file = binary.LittleEndian.AppendUint32(append(file, footer...), uint32(len(footer)))
	return append(file, "PAR1"...)
}

// run is a run of the same value of a byte or less.
func run(count uint64, value byte) []byte {
	return append(binary.AppendUvarint(nil, count<<1), value)
}

// sized puts the size before levels or booleans.
func sized(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// delta is the head of integers that are written as differences, n of them, all the same.
func delta(n uint64, value int64) []byte {
	b := binary.AppendUvarint(nil, 128)
	b = binary.AppendUvarint(b, 4)
	b = binary.AppendUvarint(b, n)
	b = binary.AppendVarint(b, value)
	for range (n + 126) / 128 {
		b = append(b, 0, 0, 0, 0, 0)
	}
	return b
}

// texts writes plain texts.
func texts(list ...string) []byte {
	var b []byte
	for _, text := range list {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
	}
	return b
}

// claims are small files that claim to hold far more than they do. The decoder would allocate 4 to
// 35 GB for most of them, or print a warning of its own.
func claims(t testing.TB) map[string][]byte {
	const most = math.MaxInt32
	value := make([]byte, 8)
	dictionary := page{dictionary: true, values: 1, body: value}
	deep := make([]format.SchemaElement, 50_000)
	for i := range deep {
		deep[i] = format.SchemaElement{Name: "group", NumChildren: thrift.New(int32(1))}
	}
	deep[len(deep)-1] = format.SchemaElement{Name: "x", Type: thrift.New(format.Double)}
	return map[string][]byte{
		"a run of levels": craft(t, parquet.Double, true, format.Uncompressed, 1, page{values: 1, body: append(sized(run(most, 1)), value...)}),
		"runs of levels": craft(t, parquet.Double, true, format.Uncompressed, 9,
			page{values: 9, body: append(sized(bytes.Repeat(run(1<<20, 1), 5000)), value...)}),
		"a run of indexes": craft(t, parquet.Double, false, format.Uncompressed, 1, dictionary,
			page{values: 1, encoding: format.RLEDictionary,
				body: append([]byte{1}, run(most, 0)...)}),
		"packed indexes of no bits": craft(t, parquet.Double, false, format.Uncompressed, 1, dictionary,
			page{values: 1, encoding: format.RLEDictionary,
				body: append([]byte{1}, binary.AppendUvarint(nil, most<<1|1)...)}),
		"a run of booleans": craft(t, parquet.Boolean, false, format.Uncompressed, 1, page{values: 1, encoding: format.RLE, body: sized(run(most, 1))}),
		"differences":       craft(t, parquet.Int64, false, format.Uncompressed, 1, page{values: 1, encoding: format.DeltaBinaryPacked, body: delta(most, 1)[:9]}),
		"lengths": craft(t, parquet.ByteArray, false, format.Uncompressed, 1,
			page{values: 1, encoding: format.DeltaLengthByteArray, body: delta(most, 0)[:9]}),
		"texts of common prefixes": craft(t, parquet.ByteArray, false, format.Uncompressed, 20_001, page{values: 20_001, encoding: format.DeltaByteArray,
			body: prefixTexts(20_001, 200_000)}),
		"LZ4": craft(t, parquet.Double, false, format.Lz4Raw, 1, page{values: 1, unpacked: 8, body: []byte{0xf0, 0xff, 0xff, 1, 2, 3}}),
		"LZ4 of more": craft(t, parquet.Double, false, format.Lz4Raw, 1,
			page{values: 1, unpacked: 8,
				body: append([]byte{0x1f, 0, 1, 0}, bytes.Repeat([]byte{255}, 1<<16)...)}),
		"snappy":          craft(t, parquet.Double, false, format.Snappy, 1, page{values: 1, unpacked: 8, body: binary.AppendUvarint(nil, most)}),
		"too few texts":   craft(t, parquet.ByteArray, false, format.Uncompressed, 2, page{values: 2, body: texts("a")}),
		"texts truncated": craft(t, parquet.ByteArray, false, format.Uncompressed, 2, page{values: 2, body: texts("a", "b")[:9]}),
		"too few levels":  craft(t, parquet.ByteArray, true, format.Uncompressed, 2, page{values: 2, body: append(sized(run(2, 1)), texts("a")...)}),
		"no dictionary": craft(t, parquet.Double, false, format.Uncompressed, 1,
			page{values: 1, encoding: format.RLEDictionary, body: append([]byte{1}, run(1, 0)...)}),
		"an index beyond": craft(t, parquet.Double, false, format.Uncompressed, 1, dictionary,
			page{values: 1, encoding: format.RLEDictionary, body: append([]byte{1}, run(1, 1)...)}),
		"a deep schema": finish(t, []byte("PAR1"), &format.FileMetaData{Version: 1, Schema: deep}),
	}
}

// prefixTexts writes n texts of a length, all of which are the first one.
func prefixTexts(n uint64, length int64) []byte {
	shared, rest := deltaList(n, length)
	return append(append(shared, rest...), make([]byte, length)...)
}

// deltaList returns 0 and then n - 1 times a length, and a length and then zeros.
func deltaList(n uint64, length int64) (shared, rest []byte) {
	list := func(first, then int64) []byte {
		b := binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, 128), 4), n)
		b = binary.AppendVarint(b, first)
		for block := range (n + 126) / 128 {
			// Every difference is 0, but for the first: 20 bits in the first mini-block of the
			// first block.
			step := then - first
			if block > 0 {
				b = append(b, 0, 0, 0, 0, 0)
				continue
			}
			least := min(step, 0)
			b = binary.AppendVarint(b, least)
			packed := make([]byte, 0, 4*128)
			for i := range 128 {
				v := -least
				if i == 0 {
					v = step - least
				}
				packed = binary.LittleEndian.AppendUint32(packed, uint32(v))
			}
			b = append(append(b, 32, 32, 32, 32), packed...)
		}
		return b
	}
	return list(0, length), list(length, 0)
}

func TestClaims(t *testing.T) {
	for name, b := range claims(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parquetdata.Open(data.ReadOptions{Memory: 1 << 30, Bytes: map[string][]byte{name: b}}, name).Frame(t.Context())
		runtime.ReadMemStats(&after)
		tabletest.CheckError(t, err)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 100<<20 {
			t.Errorf("%s: %d bytes were allocated to read %d: %v", name, allocated, len(b), err)
		}
		if strings.Contains(name, "prefix") && !errors.Is(err, memory.ErrLimit) {
			t.Errorf("%s: %v, want the limit of memory", name, err)
		}
	}
}

// The decoder warns by the builtin println, which cannot be turned off: no file may lead to it.
func TestNoWarnings(t *testing.T) {
	tier.NotShort(t, "runs a program for each file")
	if os.Getenv("COPPICE_READ_CLAIMS") != "" {
		for name, b := range claims(t) {
			_, _ = parquetdata.Open(data.ReadOptions{Memory: 1 << 30, Bytes: map[string][]byte{name: b}}, name).Frame(t.Context())
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoWarnings$")
	cmd.Env = append(os.Environ(), "COPPICE_READ_CLAIMS=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v: %s", err, stderr.String())
	}
}

// Runs of booleans may have any length: the decoder takes them for whole bytes.
func TestRunsOfBooleans(t *testing.T) {
	body := bytes.Join([][]byte{run(5, 1), run(1, 0), run(6, 1), {1<<1 | 1, 0b0000_0110}}, nil)
	b := craft(t, parquet.Boolean, false, format.Uncompressed, 16,
		page{values: 16, encoding: format.RLE, body: sized(body)})
	f, err := parquetdata.Open(data.ReadOptions{Bytes: map[string][]byte{"t": b}}, "t").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := "x true true true true true false true true true true true true false true true " +
		"false {false|true}\n"
	if got := tabletest.Render(f); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

// Every encoding and codec that the library writes is read as it was written.
func TestEncodings(t *testing.T) {
	for name, b := range encodings(t) {
		f, err := parquetdata.Open(data.ReadOptions{Bytes: map[string][]byte{name: b}}, name).Frame(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// the columns stand in the order of their names
		const b, in, n, o, sh, te = 0, 1, 2, 3, 4, 5
		c := f.Columns
		for i, r := range encodedRows() {
			text, on := f.Schema.Fields[te].Levels[c[te].Code(i)],
				f.Schema.Fields[b].Levels[c[b].Code(i)] == "true"
			if on != r.B || c[in].Number(i) != float64(r.I) || c[n].Number(i) != r.N ||
				c[sh].Number(i) != float64(r.S) || text != r.T {
				t.Fatalf("%s, row %d: %v %v %v %v %s, want %+v", name, i, on, c[in].Number(i),
					c[n].Number(i), c[sh].Number(i), text, r)
			}
			if missing := f.IsMissing(i, o); missing != (r.O == nil) || !missing &&
				c[o].Number(i) != float64(*r.O) {
				t.Fatalf("%s, row %d: %v, want %v", name, i, c[o].Number(i), r.O)
			}
		}
	}
}

// unchecked returns a file of parquet-go's writer without the checksums of its pages, so that
// damage gets to what decodes them.
func unchecked(t testing.TB, b []byte) []byte {
	t.Helper()
	size := int(binary.LittleEndian.Uint32(b[len(b)-8:]))
	var meta format.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[len(b)-8-size:len(b)-8],
		&meta); err != nil {
		t.Fatal(err)
	}
	file := []byte("PAR1")
	for i := range meta.RowGroups {
		for j := range meta.RowGroups[i].Columns {
			c := &meta.RowGroups[i].Columns[j]
			m := &c.MetaData
			at := m.DataPageOffset
			if m.DictionaryPageOffset != 0 {
				at = m.DictionaryPageOffset
			}
			from, end := len(file), at+m.TotalCompressedSize
			for at < end {
				reader := new(thrift.CompactProtocol).NewReaderFromBytes(b[at:end])
				var h format.PageHeader
				if err := thrift.NewDecoder(reader).Decode(&h); err != nil {
					t.Fatal(err)
				}
				at += int64(reader.BytesRead())
				h.CRC = 0
				if m.DataPageOffset = int64(len(file)); h.Type == format.DictionaryPage {
					m.DictionaryPageOffset = int64(len(file))
				}
				file = append(append(file, marshal(t, &h)...),
					b[at:at+int64(h.CompressedPageSize)]...)
				at += int64(h.CompressedPageSize)
			}
			if m.DictionaryPageOffset == 0 {
				m.DataPageOffset = int64(from)
			}
			m.TotalCompressedSize = int64(len(file) - from)
		}
	}
	return finish(t, file, &meta)
}
