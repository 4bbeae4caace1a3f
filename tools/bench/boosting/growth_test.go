//go:build linux

package boosting

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/report/plot"
)

// TestGrowthPictures: the pictures of the page are those of its tables. COPPICE_UPDATE=1 draws
// them.
func TestGrowthPictures(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(docs, "measurements", "boosting-speed.md"))
	if err != nil {
		t.Fatal(err)
	}
	var charts []plot.Chart
	for _, s := range sweeps() {
		_, table, found := strings.Cut(string(page), "\n| "+s.name+" | coppice: binning s |")
		if !found {
			t.Fatalf("the page has no table of %s", s.name)
		}
		table, _, _ = strings.Cut(table, "\n\n")
		lines := strings.Split(table, "\n")
		names := []string{"coppice"}
		if strings.Contains(lines[0], "LightGBM") {
			names = append(names, "LightGBM")
		}
		var values []int
		var points [][]point
		for _, line := range lines[2:] {
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			v, err := strconv.Atoi(cells[0])
			if err != nil || len(cells) != 1+3*len(names) {
				t.Fatalf("%s: %q: %v", s.name, line, err)
			}
			var row []point
			for i := range names {
				ms, err := strconv.ParseFloat(cells[2+3*i], 64)
				if err != nil {
					t.Fatal(err)
				}
				row = append(row, point{tree: ms})
			}
			values, points = append(values, v), append(points, row)
		}
		charts = append(charts, s.chart(values, names, points))
	}
	drawn, shown := t.TempDir(), filepath.Join(docs, "img")
	if os.Getenv("COPPICE_UPDATE") != "" {
		drawn = shown
	}
	if err := drawGrowth(drawn, charts, 2); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"growth-table.svg", "growth-trees.svg"} {
		got, err := os.ReadFile(filepath.Join(drawn, name))
		want, wantErr := os.ReadFile(filepath.Join(shown, name))
		if err != nil || wantErr != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/img/%s is not of the tables (%v, %v): COPPICE_UPDATE=1 draws it", name, err,
				wantErr)
		}
	}
}
