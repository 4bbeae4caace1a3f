package xlsxdata

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/data"
	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
)

// A workbook that excelize wrote (testdata/excelize.go) has the cells that its program set. The
// formula has no stored value, so its column is empty.
func TestExcelize(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "excelize.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "day 2024-01-31T12:00:00Z 2024-02-01T12:00:00Z 2024-02-02T12:00:00Z 2024-02-03T12:00:00Z 2024-02-04T12:00:00Z date\n" +
		"age 20 21 22 23 24\ntown Ulm Bonn Ulm Ulm Ulm {Bonn|Ulm}\nok true false true false true {false|true}\nsum - - - - -\n"
	if got, _, err := read(t, data.ReadOptions{}, b); err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	if got, _, err := read(t, data.ReadOptions{Sheet: "Zwei"}, b); err != nil || got != "x 7\n" {
		t.Errorf("the second sheet: %v, %s", err, got)
	}
}
