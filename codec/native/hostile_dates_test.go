package native

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
)

// A header whose parts of dates make no sense is damage.
func TestHostileDates(t *testing.T) {
	h := headerOf(t, codectest.Dated())
	fields := string(h.Schema.Fields)
	for _, c := range []struct{ old, new, want string }{
		{`"part":"days"`, `"part":"minute"`, `there is no part of a date "minute"`},
		{`"part":"days"`, `"part":"hour"`, "the hour of a date has no origin"},
		{`"part":"days"`, `"part":7`, "cannot unmarshal number"},
		{`"format":"dmy"`, `"format":"dym"`, `unknown date format "dym"`},
		{`"format":"dmy","part":"days"`, `"format":"mdy","part":"days"`, "has dates of the formats mdy and dmy"},
		{`"source":"seconds"`, `"source":"x"`, `made of column "x", which is there too`},
		{`"source":"seconds"`, `"source":""`, "a part of a date column without name"},
		{`"origin":-1500000000000000`, `"origin":-1e19`, "want less than 2^63"},
		{`"origin":-1500000000000000`, `"origin":-1e999`, "cannot unmarshal"},
		{`"kind":"numeric","from":{"source":"seconds"`, `"kind":"date","from":{"source":"seconds"`, "is date and part of a date"},
		{`"kind":"numeric","from":{"source":"seconds"`, `"kind":"date","f":{"source":"seconds"`, "holds dates"},
	} {
		if !strings.Contains(fields, c.old) {
			t.Fatalf("the header has no %s: %s", c.old, fields)
		}
		b := write(t, codectest.Dated(), func(d *draft) { d.head.Schema.Fields = []byte(strings.Replace(fields, c.old, c.new, 1)) })
		mustBeCorrupt(t, c.new, b, c.want)
	}
}
