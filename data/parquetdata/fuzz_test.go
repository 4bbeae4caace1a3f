package parquetdata

import "testing"

func FuzzRead(f *testing.F) {
	for _, name := range []string{"plain.parquet", "snappy.parquet", "gzip.parquet", "zstd.parquet", "lz4.parquet", "brotli.parquet"} {
		f.Add(stored(f, name))
	}
	r := reader(f, "plain.parquet")
	f.Fuzz(func(t *testing.T, b []byte) { r.Damaged(t, b) })
}
