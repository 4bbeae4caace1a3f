package csvdata

import (
	"context"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

func TestReader(t *testing.T) {
	tabletest.Reader{
		Open: func(o data.ReadOptions, paths ...string) data.Table {
			return Open(Options{ReadOptions: o}, paths...)
		},
		Name: "t.csv", File: []byte("size,color\n1.5,red\n-2,\n?,\"a,b\"\n"),
		Want:   "size 1.5 -2 -\ncolor red - a,b {a,b|red}\n",
		Number: "size", Forced: "size 1.5 -2 - {-2|1.5}\n", Text: "color", Line: 3, Dense: true,
		Texts: func(_ testing.TB, column string, texts []string) []byte {
			return []byte(column + "\n" + `"` + strings.Join(texts, "\"\n\"") + "\"\n")
		},
	}.Run(t)
}

// readBytes reads a table from memory.
func readBytes(ctx context.Context, o Options, name string, b []byte) (*data.Frame, error) {
	o.Bytes = map[string][]byte{name: b}
	return Open(o, name).Frame(ctx)
}

// readBlocksOf is readBytes in blocks of so many bytes.
func readBlocksOf(o Options, name, text string, block int) (*data.Frame, error) {
	o.Bytes = map[string][]byte{name: []byte(text)}
	return o.format(block, 1).Open(o.ReadOptions, []string{name}).Frame(context.Background())
}
