package datatest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
)

// MixedRows is the number of rows of Mixed.
const MixedRows = 180

// Mixed returns a table with a column of each kind that tables have, as CSV, for tests of all
// commands and all explainers:
//
//	day     dates, two of them missing         open    true or false
//	seen    dates with a time of day           same    a constant
//	note    texts, to be read by --text note   shop    groups of rows
//	kind    categories, of which "once" has    w       weights
//	        one row, and missing ones          price   numbers, some missing
//
// Its labels are the classes bought (no, yes) and left (churn, stay), of which yes and churn are
// the same rows, the classes size (large, medium, small), and the numbers sales.
func Mixed() string {
	var b strings.Builder
	b.WriteString("day,seen,note,kind,price,open,same,shop,w,bought,left,size,sales\n")
	first := time.Date(2024, 1, 5, 0, 0, 0, 0, time.UTC)
	words := []string{"good", "fine", "late", "broken", "cheap", "heavy"}
	for i := range MixedRows {
		noise := (i*7919 + 13) % 101
		day := first.AddDate(0, 0, i*3%200)
		seen := first.AddDate(0, 0, i*5%170).Add(time.Duration(i*37%24) * time.Hour)
		note := words[i%6] + " " + words[(i/6+noise)%6]
		kind, price := string(rune('a'+noise%3)), fmt.Sprint(5+noise%40)
		level := 2*float64(noise%40)/40 + float64(i*3%200)/100
		if strings.Contains(note, "good") {
			level++
		}
		if kind == "a" {
			level += 0.5
		}
		text := day.Format(time.DateOnly)
		switch i {
		case 17:
			kind = "once"
		case 23, 71:
			text = ""
		case 40, 90, 140:
			price = ""
		case 55:
			kind = ""
		}
		bought, left, size := "no", "stay", "small"
		if level > 2.6 {
			bought, left = "yes", "churn"
		}
		if level > 1.8 {
			size = "medium"
		}
		if level > 2.8 {
			size = "large"
		}
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%t,7,s%d,%d,%s,%s,%s,%g\n", text,
			seen.Format(time.RFC3339), note, kind, price, noise%2 == 0, i%6, 1+i%3, bought, left,
			size, level)
	}
	return b.String()
}

// ReadMixed reads the table as commands do, with note as a text. It returns the features as they
// were read, and the table expanded with one of the labels and the weights.
func ReadMixed(t testing.TB, label string) (features *data.Frame, ds *data.Dataset) {
	t.Helper()
	texts := map[string]data.TextFormat{"note": {Words: 1, Shortest: 1, Buckets: 32, Rows: 5, Lower: true}}
	f, err := csvdata.Open(csvdata.Options{
		ReadOptions: data.ReadOptions{Bytes: map[string][]byte{"mixed.csv": []byte(Mixed())}, Texts: texts}}, "mixed.csv").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	roles := data.Roles{Label: label, Weight: "w", Group: "shop"}
	var places []int
	for i, name := range f.Schema.Names() {
		switch name {
		case "bought", "left", "size", "sales":
			if name != label {
				roles.Ignore = append(roles.Ignore, name)
			}
		case "w", "shop":
		default:
			places = append(places, i)
		}
	}
	if ds, err = roles.Apply(f); err != nil {
		t.Fatal(err)
	}
	return f.Select(places), ds
}
