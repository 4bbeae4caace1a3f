package native

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
)

// What a file reports of its model is checked like everything else.
func TestHostileReports(t *testing.T) {
	test := func(s string) string {
		return fmt.Sprintf(`{"evaluations":[{"origin":"test","rows":1,"metrics":[%s]}]}`, s)
	}
	note := func(key, text string) string { return fmt.Sprintf(`{"notes":[{"key":%q,"text":%q}]}`, key, text) }
	for _, c := range []struct{ section, text, want string }{
		{"report", ``, "unexpected end"},
		{"report", `[]`, "cannot unmarshal"},
		{"report", strings.Repeat(" ", 1<<20+1), "the most is 1048576"},
		{"report", `{"evaluations":[{"origin":"dream","rows":1}]}`, `evaluation of "dream"`},
		{"report", `{"evaluations":[{"origin":"test","rows":0}]}`, "on 0 rows"},
		{"report", `{"evaluations":[` + strings.Repeat(`{"origin":"test","rows":1},`, 100) + `{}]}`, "101 evaluations"},
		{"report", `{"evaluations":[{"origin":"test","rows":1,"plan":"a\nb"}]}`, "plan of an evaluation"},
		{"report", test(strings.Repeat(`{"name":"auc"},`, 100) + `{}`), "101 metrics"},
		{"report", test(`{"name":"auc","value":1e999}`), "cannot unmarshal"},
		{"report", test(`{"value":1}`), `metric "" is 1`},
		{"report", test(`{"name":"auc","value":1,"low":0.5}`), `metric "auc" is 1`},
		{"report", test(`{"name":"auc","value":1,"low":0.5,"high":0.25}`), "from 0.5 to 0.25"},
		{"report", note("", "x"), "want a key"},
		{"report", note("a b", "x"), "want letters"},
		{"report", note("ä", "x"), "want letters"},
		{"report", note(strings.Repeat("k", 65), "x"), "want a key of 1 to 64"},
		{"report", note("k", strings.Repeat("x", 1001)), "at most 1000 bytes"},
		{"report", note("k", "a\tb"), "in one line"},
		{"report", `{"notes":[{"key":"b","text":""},{"key":"a","text":""}]}`, `note "a" follows "b"`},
		{"report", `{"notes":[{"key":"a","text":""},{"key":"a","text":""}]}`, `note "a" follows "a"`},
		{"stamp", `{"time":"yesterday","version":"1"}`, `"yesterday" is no time`},
		{"stamp", `{"time":"2026-02-03T04:05:06Z","version":"\u0007"}`, "version of the stamp"},
		{"stamp", strings.Repeat(" ", 1<<12+1), "the most is 4096"},
	} {
		b := write(t, codectest.Tiny(), func(d *draft) { d.more = []section{blob(c.section, 0, []byte(c.text))} })
		var err error
		used := allocated(func() { _, err = decodeBytes(b) })
		var corrupt *codec.CorruptError
		if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %v, want a corrupt file and %q", c.text, err, c.want)
		}
		if limit := (codec.Limits{}).MemoryFor(int64(len(b))); used > limit {
			t.Errorf("%.60s: %d bytes allocated, the limit is %d", c.text, used, limit)
		}
	}
}
