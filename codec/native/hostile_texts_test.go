package native

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
)

// A header whose columns of texts make no sense is damage.
func TestHostileTexts(t *testing.T) {
	h := headerOf(t, codectest.Texted())
	fields := string(h.Schema.Fields)
	for _, c := range []struct{ old, new, want string }{
		{`"bucket":3`, `"bucket":32`, "there is no bucket 32 of 32"},
		{`"bucket":3`, `"bucket":-2`, "there is no bucket -2 of 32"},
		{`buckets=32`, `buckets=100000000`, "buckets=100000000"},
		{`buckets=32`, `buckets=16`, "has texts of the formats"},
		{`words=2,chars=5`, `words=0,chars=0`, "leave no n-grams"},
		{`lower=true`, `lower=true,upper=true`, "upper"},
		{`"bucket":3}`, `"bucket":3},"from":{"source":"day"}`, "made of a date and of a text"},
	} {
		if !strings.Contains(fields, c.old) {
			t.Fatalf("the header has no %s: %s", c.old, fields)
		}
		b := write(t, codectest.Texted(), func(d *draft) {
			d.head.Schema.Fields = []byte(strings.Replace(fields, c.old, c.new, 1))
		})
		mustBeCorrupt(t, c.new, b, c.want)
	}
}
