package csvdata

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/internal/source"
)

// Columns of all short lists of texts are read, whatever the texts mean together: numbers, names of
// digits, dates, words for missing values, in each of the formats of people. The notes about them
// name what does not fit, which may be nothing.
func TestColumnsOfFewTexts(t *testing.T) {
	texts := []string{"", "7", "007", "1.5", "1,5", "1,007", "1.007", "$5", "12 %", "1e5", "x", "None",
		"NA", "2024-05", "2024-05-01", "1/5/2024", "Jul 1, 2004", "true", "-", "99999999999999999999", " ", "\n", "-3e2"}
	var rows [][]string
	for i, a := range texts {
		for k, b := range texts[i:] {
			rows = append(rows, []string{a, b})
			for _, c := range texts[i+k:] {
				rows = append(rows, []string{b, c, a})
			}
		}
	}
	for _, list := range rows {
		text := "y;x\n"
		for i, s := range list {
			text += fmt.Sprintf("%d;\"%s\"\n", i, s)
		}
		got := readText(t.Context(), Options{Comma: ';'},
			[]source.Source{source.Bytes("t.csv", []byte(text))}, 1<<16, 1)
		if got.err != "" || got.table.Frame.Rows() != len(list) {
			t.Fatalf("%q: %s", list, got.err)
		}
	}
}
