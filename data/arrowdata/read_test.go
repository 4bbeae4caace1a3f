package arrowdata

import (
	"testing"

	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/data/table/tabletest"
)

func reader(t testing.TB, name string) tabletest.Reader {
	return tabletest.Reader{ReadTable: ReadTable, ReadBytes: ReadBytes, Sniff: Sniff, Name: name, File: stored(t, name), Want: want(),
		Number: "size", Forced: "size 1.5 -2 - {-2|1.5}\n", Text: "fresh", Line: 2}
}

func TestReader(t *testing.T) {
	file := reader(t, "lz4.arrow")
	file.Sealed = true
	t.Run("file", file.Run)
	t.Run("stream", reader(t, "plain.arrows").Run)
}

// The library's writer of today and of the day when testdata was written agree.
func TestFiles(t *testing.T) {
	for name, b := range files(t) {
		for what, b := range map[string][]byte{"stored": stored(t, name), "written now": b} {
			f, err := ReadBytes(t.Context(), table.Options{}, name, b)
			if err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
			} else if got := tabletest.Render(f); got != want() {
				t.Errorf("%s, %s: got\n%swant\n%s", name, what, got, want())
			}
		}
	}
}
