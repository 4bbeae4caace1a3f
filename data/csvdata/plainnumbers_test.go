package csvdata

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// A model's column in a format with a decimal comma reads plain numbers too, where they have one
// meaning.
func TestPlainNumbersOfModels(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"1.234,5", "1150.5", "a 1150.5\n"}, {"1.234,5", "-0.5", "a -0.5\n"}, {"1.234,5", "1.150", "a 1150\n"},
		{"1.234,5", "1150.125", "a 1150.125\n"}, {"1.234,5", "1.150,5", "a 1150.5\n"},
		{"1234,5", "1150.5", "a 1150.5\n"}, {"1234,5", "1.150", `t.csv:2: column "a": "1.150" is not a number (the column is written as 1234,5)`},
		{"1.234,5 €", "12.5", "a 12.5\n"}, {"1234,5%", "0.5", `t.csv:2: column "a": "0.5" is not a number (the column is written as 1234,5%)`},
		{"1.234,5", "1.5.2", `t.csv:2: column "a": "1.5.2" is not a number (the column is written as 1.234,5)`},
	} {
		o := Options{Comma: ';', ReadOptions: data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "a", Format: c.format}}}}}
		f, err := readBytes(t.Context(), o, "t.csv", []byte("a\n"+c.text+"\n"))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = tabletest.Render(f)
		}
		if got != c.want {
			t.Errorf("%s in %s: got %s, want %s", c.text, c.format, got, c.want)
		}
	}
}
