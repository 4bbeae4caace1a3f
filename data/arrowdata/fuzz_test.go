package arrowdata

import "testing"

func FuzzRead(f *testing.F) {
	for _, name := range []string{"plain.arrow", "plain.arrows", "lz4.arrow", "zstd.arrows",
		"rows.arrows"} {
		f.Add(reader(f, name).File)
	}
	r := reader(f, "plain.arrow")
	f.Fuzz(func(t *testing.T, b []byte) { r.Damaged(t, b) })
}
