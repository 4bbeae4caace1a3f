package tabletest

import (
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// meanings reads texts that people write for numbers and dates. They mean the same in all formats,
// in memory and in blocks, and a model refuses texts of another unit.
func (r *Reader) meanings(t *testing.T) {
	if r.Text == "" {
		t.Skip("the format has no texts")
	}
	for _, c := range []struct {
		texts  []string
		want   string // by Render
		format string
		wrong  string // a text that a model refuses; "" of categories
	}{
		{[]string{"159 lbs", "7 lbs", "80.5 lbs"}, "c 159 7 80.5\n", "1234.5 lbs", "63 kg"},
		{[]string{"19M", "300K", "1.5M"}, "c 1.9e+07 300000 1.5e+06\n", "1234.5K", "19 m"},
		{[]string{"12 %", "5 %", "0.5 %"}, "c 12 5 0.5\n", "1234.5%", "0.12"},
		{[]string{"$1,200", "$15", "$8.50"}, "c 1200 15 8.5\n", "$1,234.5", "€3"},
		{[]string{"Jul 1, 2004", "12 August 2004", "2-Sep-2004"},
			"c 2004-07-01 2004-08-12 2004-09-02 date\n", "", "July"},
		{[]string{"2024-05", "2024/06"}, "c 2024-05-01 2024-06-01 date\n", "", "spring"},
		{[]string{"2024-05-31", "2024-06-01T05:00:00Z"}, "c 2024-05-31 2024-06-01T05:00:00Z date\n",
			"", "31/05/2024"},
		{[]string{"31/01/2024", "01/02/2024"}, "c 2024-01-31 2024-02-01 date dmy\n", "dmy",
			"01/31/2024"},
		{[]string{"01/02/2024", "03/04/2024"}, "c 01/02/2024 03/04/2024 {01/02/2024|03/04/2024}\n",
			"", ""},
		{[]string{"5 kg", "6 lbs"}, "c 5 kg 6 lbs {5 kg|6 lbs}\n", "", ""},
		{[]string{"00123", "45678"}, "c 00123 45678 {00123|45678}\n", "", ""},
	} {
		o := data.ReadOptions{BlockBytes: 1}
		b := r.Texts(t, "c", c.texts)
		f, err := r.readBytes(t.Context(), o, r.Name, b)
		if err != nil {
			t.Fatal(err)
		}
		if got := Render(f); got != c.want || f.Schema.Fields[0].Format != c.format {
			t.Errorf("%q: got\n%swant\n%sformat %q, want %q", c.texts, got, c.want,
				f.Schema.Fields[0].Format, c.format)
		}
		r.Together(t, o, r.write(t, b))
		o.Schema = &f.Schema
		_, err = r.readBytes(t.Context(), o, r.Name, r.Texts(t, "c", []string{c.wrong}))
		if c.wrong != "" && !errors.Is(err, data.ErrNumber) && !errors.Is(err, data.ErrDate) {
			t.Errorf("%q for a model of %q: %v", c.wrong, c.texts, err)
		}
	}
}
