package data_test

import (
	"context"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// A frame is a source of one block, which is itself; a cancelled context ends it before.
func TestFrameIsARowSource(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers([]float64{1, 2})})
	if err != nil {
		t.Fatal(err)
	}
	var source data.RowSource = f
	if fields := source.Fields(); len(fields) != 1 || fields[0].Name != "x" || source.Rows() != 2 {
		t.Errorf("fields %v, %d rows", fields, source.Rows())
	}
	blocks := 0
	for b, err := range source.Blocks(t.Context()) {
		if blocks++; err != nil || b.Frame != f || b.First != 0 {
			t.Errorf("block %+v, error %v", b, err)
		}
	}
	if blocks != 1 {
		t.Errorf("%d blocks", blocks)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for b, err := range source.Blocks(ctx) {
		if !errors.Is(err, context.Canceled) || b.Frame != nil {
			t.Errorf("block %+v, error %v of a cancelled context", b, err)
		}
	}
}
