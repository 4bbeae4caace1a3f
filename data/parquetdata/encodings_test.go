package parquetdata_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// encoded is a row whose columns are written in several encodings.
type encoded struct {
	N float64
	T string
	I int64
	O *int32 `parquet:",optional"`
	S float32
	B bool
}

// encodedRows are rows with runs, repeated texts, jumps and gaps.
func encodedRows() []encoded {
	rows := make([]encoded, 700)
	for i := range rows {
		v := int32(i * i % 977)
		rows[i] = encoded{N: float64(i%50) / 8, T: fmt.Sprintf("level %d of many", i/9%40),
			I: int64(i)*int64(i)*1_000_003 - 5_000_000,
			S: float32(v) / 4, B: i%37 < 20}
		if i%5 != 0 && i/100 != 3 {
			rows[i].O = &v
		}
	}
	return rows
}

// encodings returns the rows in all encodings and codecs, and in both versions of pages.
func encodings(t testing.TB) map[string][]byte {
	t.Helper()
	type tags map[string]encoding.Encoding
	made := map[string][]byte{}
	for name, of := range map[string]tags{
		"plain": {}, "dictionary": {"N": &parquet.RLEDictionary, "T": &parquet.RLEDictionary, "I": &parquet.RLEDictionary, "O": &parquet.RLEDictionary},
		"delta": {"T": &parquet.DeltaLengthByteArray, "I": &parquet.DeltaBinaryPacked, "O": &parquet.DeltaBinaryPacked, "B": &parquet.RLE},
		"split": {"T": &parquet.DeltaByteArray, "N": &parquet.ByteStreamSplit, "S": &parquet.ByteStreamSplit},
	} {
		group := parquet.Group{}
		for column, node := range map[string]parquet.Node{
			"N": parquet.Leaf(parquet.DoubleType), "T": parquet.String(), "I": parquet.Leaf(parquet.Int64Type),
			"O": parquet.Optional(parquet.Leaf(parquet.Int32Type)), "S": parquet.Leaf(parquet.FloatType), "B": parquet.Leaf(parquet.BooleanType),
		} {
			if e := of[column]; e != nil {
				node = parquet.Encoded(node, e)
			}
			group[column] = node
		}
		for version := 1; version <= 2; version++ {
			for _, codec := range []parquet.WriterOption{parquet.Compression(&parquet.Uncompressed),
				parquet.Compression(&parquet.Snappy),
				parquet.Compression(&parquet.Gzip), parquet.Compression(&parquet.Zstd),
				parquet.Compression(&parquet.Lz4Raw), parquet.Compression(&parquet.Brotli)} {
				var b bytes.Buffer
				w := parquet.NewGenericWriter[encoded](&b, ordered(group),
					parquet.DataPageVersion(version), codec,
					parquet.PageBufferSize(1500), parquet.MaxRowsPerRowGroup(400))
				if _, err := w.Write(encodedRows()); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				made[fmt.Sprintf("%s, version %d, %d", name, version, len(made))] = b.Bytes()
			}
		}
	}
	return made
}

// ordered is the schema of a group; its columns come in the order of their names.
func ordered(g parquet.Group) *parquet.Schema { return parquet.NewSchema("rows", g) }
