package parquetdata

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// row is a row of the files in testdata. The tags name types of the Parquet format.
type row struct {
	Size  *float64         `parquet:"size,optional"`
	Short float32          `parquet:"short"`
	Color *string          `parquet:"color,optional,dict"`
	Count int64            `parquet:"count,delta"`
	Small uint32           `parquet:"small"`
	Fresh bool             `parquet:"fresh"`
	Price int32            `parquet:"price,decimal(2:9)"`
	Big   [9]byte          `parquet:"big,decimal(1:20)"`
	Day   int32            `parquet:"day,date"`
	Then  time.Time        `parquet:"then,timestamp(nanosecond)"`
	Old   deprecated.Int96 `parquet:"old"`
	ID    [16]byte         `parquet:"id,uuid"`
	Raw   []byte           `parquet:"raw"`
}

func ptr[T any](v T) *T { return &v }

// rows are the rows of the files in testdata.
func rows() []row {
	return []row{
		{ptr(1.5), 0.1, ptr("red"), 7, 4294967295, true, -1999, [9]byte{0: 1}, 1, time.UnixMicro(-1).Add(-time.Nanosecond), deprecated.Int96{1500, 0, 2440588},
			[16]byte{0: 1, 15: 255}, []byte("x")},
		{ptr(-2.0), 2, nil, 9007199254740993, 0, false, 5, [9]byte{8: 15}, -1, time.Unix(1, 2000), deprecated.Int96{0, 0, 2440587}, [16]byte{}, []byte(" y ")},
		{nil, -3, ptr(" "), -7, 8, true, 100, [9]byte{255, 255, 255, 255, 255, 255, 255, 255, 254}, 0, time.Unix(0, 0), deprecated.Int96{0, 0, 2440588}, [16]byte{}, nil},
	}
}

// want is what the files of testdata hold, by tabletest.Render.
const want = `size 1.5 -2 -
short 0.10000000149011612 2 -3
color red - - {red}
count 7 9.007199254740992e+15 -7
small 4.294967295e+09 0 8
fresh true false true {false|true}
price -19.99 0.05 1
big 1.8446744073709553e+18 1.5 -0.2
day 1970-01-02 1969-12-31 1970-01-01 date
then 1969-12-31T23:59:59.999998Z 1970-01-01T00:00:01.000002Z 1970-01-01 date
old 1970-01-01T00:00:00.000001Z 1969-12-31 1970-01-01 date
id 01000000-0000-0000-0000-0000000000ff 00000000-0000-0000-0000-000000000000 00000000-0000-0000-0000-000000000000 {00000000-0000-0000-0000-000000000000|01000000-0000-0000-0000-0000000000ff}
raw x  y  - { y |x}
`

// files returns the files of testdata: all codecs, both versions of pages, and several pages and
// row groups.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	made := map[string][]byte{}
	for name, options := range map[string][]parquet.WriterOption{
		"plain.parquet":  {parquet.DataPageVersion(1)},
		"snappy.parquet": {parquet.Compression(&parquet.Snappy), parquet.PageBufferSize(1)},
		"gzip.parquet":   {parquet.Compression(&parquet.Gzip), parquet.MaxRowsPerRowGroup(1)},
		"zstd.parquet":   {parquet.Compression(&parquet.Zstd), parquet.DataPageVersion(1)},
		"lz4.parquet":    {parquet.Compression(&parquet.Lz4Raw)},
		"brotli.parquet": {parquet.Compression(&parquet.Brotli)},
	} {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b, options...)
		if _, err := w.Write(rows()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		made[name] = b.Bytes()
	}
	return made
}

func TestUpdate(t *testing.T) {
	if !*update {
		t.Skip("-update writes testdata anew")
	}
	for name, b := range files(t) {
		if err := os.WriteFile(filepath.Join("testdata", name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
