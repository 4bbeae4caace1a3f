package parquetdata_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// Dates of a file are those of structs, whether the file or a schema says that they are dates. So
// a model that is trained on structs predicts the same for the file.
func TestDatesOfStructs(t *testing.T) {
	type sale struct {
		At    time.Time `coppice:"at" parquet:"at,timestamp(microsecond)"`
		Size  float64   `coppice:"size" parquet:"size"`
		Sales float64   `coppice:"sales" parquet:"sales"`
	}
	rows := make([]sale, 240)
	for i := range rows {
		at := time.Date(2024, 2, 20, 0, 0, 0, 0, time.UTC).Add(time.Duration(i*37) * time.Hour)
		rows[i] = sale{at, float64(i * 7 % 5), float64(i)}
	}
	want, err := data.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := parquet.Write(&file, rows); err != nil {
		t.Fatal(err)
	}
	for name, schema := range map[string]*data.Schema{"of the file": nil, "of the schema": &want.Schema} {
		o := data.ReadOptions{Schema: schema, Bytes: map[string][]byte{"t.parquet": file.Bytes()}}
		got, err := parquetdata.Open(o, "t.parquet").Frame(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tabletest.Same(t, got, want, 0)
	}
}
