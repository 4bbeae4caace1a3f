package csvdata_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
)

func TestReadDataset(t *testing.T) {
	const path = "../../testdata/weather/weather.nominal.csv"
	ds, err := csvdata.ReadDataset(t.Context(), path, data.Label("play"))
	if err != nil {
		t.Fatal(err)
	}
	if ds.Rows() != 14 || !slices.Equal(ds.Target.Classes, []string{"no", "yes"}) ||
		ds.Schema.Index("play") >= 0 || len(ds.Columns) != 4 {
		t.Errorf("%d rows of %q, classes %q", ds.Rows(), ds.Schema.Names(), ds.Target.Classes)
	}
	if _, err := csvdata.ReadDataset(t.Context(), path, data.Label("pley")); err == nil ||
		!strings.Contains(err.Error(), `did you mean "play"?`) {
		t.Errorf("error %v", err)
	}
	if _, err := csvdata.ReadDataset(t.Context(), "absent.csv", data.Label("play")); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
