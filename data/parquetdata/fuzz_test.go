package parquetdata

import "testing"

func FuzzRead(f *testing.F) {
	for _, name := range []string{"plain.parquet", "snappy.parquet", "gzip.parquet", "zstd.parquet", "lz4.parquet", "brotli.parquet"} {
		f.Add(reader(f, name).File)
	}
	r := reader(f, "plain.parquet")
	f.Fuzz(func(t *testing.T, b []byte) { r.Damaged(t, b) })
}
