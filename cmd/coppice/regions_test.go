package main

import (
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
)

// Regions of a table that the command reads in blocks are those of its reader, so that some columns
// or rows of a file are read without the others.
func TestBlocksReadRegions(t *testing.T) {
	f, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{
		Bytes: map[string][]byte{"t.csv": []byte("a,b\n1,2\n3,4\n5,6\n")}, BlockBytes: 1}}, "t.csv").
		Blocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, is := f.(data.RegionSource); !is {
		t.Fatal("the reader has no regions")
	}
	var from data.RowSource = &tables.Blocks{Features: f}
	regions, is := from.(data.RegionSource)
	if !is {
		t.Fatal("the regions of the reader are hidden")
	}
	rows := 0
	for block, err := range regions.BlocksOf(t.Context(), data.Region{From: 1, To: 2, Columns: []int{1}}) {
		if err != nil {
			t.Fatal(err)
		}
		if len(block.Columns) != 1 || block.Schema.Fields[0].Name != "b" {
			t.Errorf("columns %v", block.Schema.Names())
		}
		rows += block.Rows()
	}
	if rows < 1 || rows > 3 {
		t.Errorf("%d rows of the region", rows)
	}
}
