package csvdata

import (
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// TestMissingTexts: which texts are missing values depends on the column, in memory and in blocks
// alike, and for a model that was trained on the table.
func TestMissingTexts(t *testing.T) {
	of := func(column string, tokens ...string) data.ReadOptions {
		return data.ReadOptions{MissingOf: map[string][]string{column: tokens}}
	}
	for _, c := range []struct {
		name, text string
		o          data.ReadOptions
		want       string
		notes      []string
	}{
		{"in numbers", "a\n1\nNone\n<NA>\nn/a\n#N/A\nNaT\n2.5\n", data.ReadOptions{}, "a 1 - - - - - 2.5\n", nil},
		{"in numbers that people write", "a;b\n1.234,5;x\nNone;y\n1,5;x\n", data.ReadOptions{}, "a 1234.5 - 1.5\nb x y x {x|y}\n",
			[]string{`column "a" is numeric, written as 1.234,5: "1.234,5" at t.csv:2 is 1234.5 (data.ReadOptions.Categorical a keeps the texts)`, `column "b" is categorical: "x" at t.csv:2`}},
		{"in dates", "a,b\n2024-01-31,1\nNone,2\nn/a,3\n", data.ReadOptions{}, "a 2024-01-31 - - date\nb 1 2 3\n", nil},
		{"in forced numbers", "a\n1\nNone\n", data.ReadOptions{Numeric: []string{"a"}}, "a 1 -\n", nil},
		{"in forced dates", "a,b\n31/01/2024,1\nn/a,2\n", data.ReadOptions{Dates: map[string]data.DateFormat{"a": data.DayFirst}},
			"a 2024-01-31 - date dmy\nb 1 2\n", nil},
		{"in texts", "a,b\nx,1\nNone,2\n", data.ReadOptions{}, "a x None {None|x}\nb 1 2\n",
			[]string{`column "a" is categorical: "x" at t.csv:2`, `column "a": the text "None" is a category (data.ReadOptions.Missing a=None reads it as a missing value)`}},
		{"in several texts", "a,b\nx,n/a\nNone,y\n", data.ReadOptions{}, "a x None {None|x}\nb n/a y {n/a|y}\n",
			[]string{`column "a" is categorical: "x" at t.csv:2`, `column "b" is categorical: "n/a" at t.csv:2`,
				`the text "None" is a category of "a", and so are such texts of 1 further column (data.ReadOptions.Missing a=None,b=n/a reads them as missing values)`}},
		{"in texts, with a token of the file", "a\nx\nNone\nNA\n", data.ReadOptions{}, "a x None - {None|x}\n",
			[]string{`column "a" is categorical: "x" at t.csv:2`, `column "a": the text "None" is a category (data.ReadOptions.Missing a=None reads it as a missing value)`}},
		{"alone", "a,b\nNone,1\nNone,2\n", data.ReadOptions{}, "a - -\nb 1 2\n", nil},
		{"where the tokens are chosen", "a\n1\nNone\n", data.ReadOptions{Missing: []string{"?"}}, "a 1 None {1|None}\n",
			[]string{`column "a" is categorical though 1 of 2`}},
		{"of one column", "a,b\n-999,-999\n1,2\n-999.0,x\n", of("a", "-999"), "a - 1 -999\nb -999 2 x {-999|2|x}\n",
			[]string{`column "b" is categorical: "x" at t.csv:4`}},
		{"of one column of texts", "a,b\nunknown,unknown\nx,x\n", of("b", "unknown", "y"), "a unknown x {unknown|x}\nb - x {x}\n", nil},
		{"of one column, beside the others", "a,b\n-1,-1\nNA,NA\n2,3\n", of("a", " -1 "), "a - - 2\nb -1 - 3\n", nil},
	} {
		var notes []string
		o := Options{ReadOptions: c.o}
		o.Log = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
		o.Bytes = map[string][]byte{"t.csv": []byte(c.text)}
		for _, block := range []int{blockSize, 3} {
			notes = nil
			table := o.format(block, 1).Open(o.ReadOptions, []string{"t.csv"})
			f, err := table.Frame(t.Context())
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if got := tabletest.Render(f); got != c.want {
				t.Errorf("%s, block %d: got\n%s\nwant\n%s", c.name, block, got, c.want)
			}
			if len(c.notes) > 1 && !slices.Equal(notes, c.notes) {
				t.Errorf("%s: notes %q, want %q", c.name, notes, c.notes)
			}
			blocks, err := table.Blocks(t.Context())
			if err != nil {
				t.Errorf("%s, in blocks: %v", c.name, err)
				continue
			}
			if again, err := join(t.Context(), blocks); err != nil || tabletest.Render(again) != c.want {
				t.Errorf("%s, in blocks: %v, got\n%s\nwant\n%s", c.name, err, tabletest.Render(again), c.want)
			}
			if c.o.Dates != nil || c.o.Numeric != nil {
				continue
			}
			own := o
			own.ReadOptions = data.ReadOptions{Schema: &f.Schema, Missing: c.o.Missing, Bytes: o.Bytes}
			f.Schema.TokensOf = c.o.MissingOf
			again, err := Open(own, "t.csv").Frame(t.Context())
			if err != nil {
				t.Errorf("%s, for a model: %v", c.name, err)
			} else if got := tabletest.Render(again); got != c.want {
				t.Errorf("%s, for a model: got\n%s\nwant\n%s", c.name, got, c.want)
			}
		}
	}
}
