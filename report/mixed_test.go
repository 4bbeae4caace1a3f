package report_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/report"
)

// TestPageOfATableAsRead: the page of a table with dates and texts as they were read is that of the
// same table expanded, all its sections have content, and days are shown as dates.
func TestPageOfATableAsRead(t *testing.T) {
	for _, label := range []string{"left", "sales"} {
		f, ds := datatest.ReadMixed(t, label)
		m, other := train(t, "gbm", ds, "trees=4"), train(t, "cart", ds)
		var pages [2]string
		for i := range pages {
			own := *ds
			if i == 0 {
				own.Frame = f
			}
			var b bytes.Buffer
			o := report.Options{Against: &report.Against{Name: "other", Model: other}}
			if err := report.HTML(t.Context(), &b, m, &own, o); err != nil {
				t.Fatal(err)
			}
			pages[i] = b.String()
		}
		if pages[0] != pages[1] {
			t.Errorf("%s: the pages differ", label)
		}
		if at := strings.Index(pages[0], `class="note">A table is missing`); at >= 0 {
			t.Errorf("%s: a section is missing: %.200s", label, pages[0][at:])
		}
		for _, want := range []string{`day = 2024-`, `day (\\u003c|&lt;)= 2024-`,
			`2024-01-05 to 2024-07-22`} {
			if !regexp.MustCompile(want).MatchString(pages[0]) {
				t.Errorf("%s: the page has no %s", label, want)
			}
		}
		if at := regexp.MustCompile(`\.days (\\u003c|&lt;)= .{20}`).FindString(pages[0]); at != "" {
			t.Errorf("%s: days are compared with a number: %s", label, at)
		}
	}
}
