package csvdata

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
	"github.com/coppice-ml/coppice/internal/testing/tabletest"
)

func TestReader(t *testing.T) {
	tabletest.Reader{
		ReadTable: func(ctx context.Context, o data.ReadOptions,
			paths ...string) (*table.Table, error) {
			return ReadTable(ctx, Options{ReadOptions: o}, paths...)
		},
		ReadBytes: func(ctx context.Context, o data.ReadOptions, name string,
			b []byte) (*data.Frame, error) {
			return ReadBytes(ctx, Options{ReadOptions: o}, name, b)
		},
		OpenBlocks: func(ctx context.Context, o data.ReadOptions,
			paths ...string) (*table.Blocks, error) {
			return OpenBlocks(ctx, Options{ReadOptions: o}, paths...)
		},
		Tables: func(ctx context.Context, o data.ReadOptions,
			paths ...string) iter.Seq2[*table.Table, error] {
			return Tables(ctx, Options{ReadOptions: o}, paths...)
		},
		Name: "t.csv", File: []byte("size,color\n1.5,red\n-2,\n?,\"a,b\"\n"),
		Want:   "size 1.5 -2 -\ncolor red - a,b {a,b|red}\n",
		Number: "size", Forced: "size 1.5 -2 - {-2|1.5}\n", Text: "color", Line: 3, Dense: true,
		Texts: func(_ testing.TB, column string, texts []string) []byte {
			return []byte(column + "\n" + strings.Join(texts, "\n") + "\n")
		},
	}.Run(t)
}
