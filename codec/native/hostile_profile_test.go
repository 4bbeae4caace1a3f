package native

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
)

// profiledFile returns the file of a model whose section of the profile has other bytes.
func profiledFile(t testing.TB, m *model.Ensemble, edit func(text string) string) []byte {
	t.Helper()
	b, err := EncodeProfile(m.Meta.Profile)
	if err != nil {
		t.Fatal(err)
	}
	own := edit(string(b))
	m.Meta.Profile = nil
	return write(t, m, func(d *draft) { d.more = []section{blob("profile", 0, []byte(own))} })
}

// replaced returns an edit that fails the test where it has no effect.
func replaced(old, with string) func(string) string {
	return func(text string) string {
		if !strings.Contains(text, old) {
			panic(old + " is not in " + text)
		}
		return strings.Replace(text, old, with, 1)
	}
}

// hostileProfiles are damages of the profile of codectest.Profiled.
var hostileProfiles = []struct {
	name string
	edit func(string) string
	want string
}{
	{"nothing", func(string) string { return "" }, "unexpected end"},
	{"no object", func(string) string { return "[]" }, "cannot unmarshal"},
	{"two objects", func(s string) string { return s + s }, "after top-level value"},
	{"too long", func(s string) string { return s + strings.Repeat(" ", model.ProfileBytes) }, "the most is 1048576"},
	{"deep", func(string) string { return strings.Repeat("[", 1<<19) }, "depth"},
	{"rows below zero", replaced(`"rows":300000`, `"rows":-1`), "profile of -1 rows"},
	{"rows beyond all tables", replaced(`"rows":300000`, `"rows":4294967296`), "4294967296"},
	{"rows beyond integers", replaced(`"rows":300000`, `"rows":1e99`), "cannot unmarshal"},
	{"half a row", replaced(`"rows":300000`, `"rows":0.5`), "cannot unmarshal"},
	{"a sample of more rows", replaced(`"sample_rows":65536`, `"sample_rows":300001`), "300001 of them a sample"},
	{"a rank error above 1", replaced(`"rank_error":0.00636`, `"rank_error":1.5`), "rank error 1.5"},
	{"a column less", replaced(`,{"name":"t","kind":"text","empty":4}`, ``), `column 4 is not the text column "t" of the schema`},
	{"a column more", replaced(`{"name":"t","kind":"text","empty":4}`, `{"name":"t","kind":"text"},{"name":"u"}`), "5 columns for 4"},
	{"a column of another name", replaced(`{"name":"x"`, `{"name":"z"`), `column 1 is not the numeric column "x"`},
	{"a column of another kind", replaced(`"kind":"text"`, `"kind":"date"`), `column 4 is not the text column "t"`},
	{"a kind of nobody", replaced(`"kind":"text"`, `"kind":"tensor"`), "tensor"},
	{"missing below zero", replaced(`"missing":3`, `"missing":-3`), "-3 rows are missing"},
	{"missing beyond the rows", replaced(`"missing":3`, `"missing":300001`), "300001 rows are missing"},
	{"missing and infinite beyond the rows", replaced(`"missing":3`, `"missing":299999`), "299999 rows are missing, 2 infinite"},
	{"distinct below zero", replaced(`"distinct":10000`, `"distinct":-1`), "-1 distinct"},
	{"empty below zero", replaced(`"empty":4`, `"empty":-4`), "-4 empty"},
	{"NaN", replaced(`"mean":5e-324`, `"mean":NaN`), "invalid character"},
	{"infinity", replaced(`"mean":5e-324`, `"mean":1e999`), "cannot unmarshal"},
	{"a mean outside", replaced(`"mean":5e-324`, `"mean":33`), "mean 33 of numbers from"},
	{"no least number", replaced(`"min":-1.7976931348623157e+308,`, ``), "are there: false, true"},
	{"a least number above all", replaced(`"min":-1.7976931348623157e+308`, `"min":33`), "of numbers from 33"},
	{"a negative deviation", replaced(`"std":0.1`, `"std":-0.1`), "standard deviation -0.1"},
	{"one quantile", replaced(`"quantiles":[0,1,`, `"quantiles":[0],"other":[1,`), "1 quantiles, want 33"},
	{"quantiles that fall", replaced(`"quantiles":[0,1,`, `"quantiles":[1,0,`), "do not ascend"},
	{"a quantile outside", replaced(`31,32]`, `31,33]`), "the quantile 33"},
	{"a quantile that is a text", replaced(`31,32]`, `31,"32"]`), "cannot unmarshal"},
	{"no counts", replaced(`,"at_most":[0,`, `,"other":[0,`), "0 counts of numbers at most 33 quantiles"},
	{"a count below zero", replaced(`"at_most":[0,`, `"at_most":[-1,`), "-1 numbers of"},
	{"counts beyond the rows", replaced(`65536]`, `300000]`), "300000 numbers of 299995 rows"},
	{"counts that fall", replaced(`"at_most":[0,2048,`, `"at_most":[2049,2048,`), "after 2049"},
	{"counts of equal quantiles", replaced(`"quantiles":[0,1,`, `"quantiles":[1,1,`), "after 0"},
	{"rows of too few levels", replaced(`"level_rows":[200000,5]`, `"level_rows":[200000]`), "2 levels and rows of 1"},
	{"a level that no row has", replaced(`"level_rows":[200000,5]`, `"level_rows":[200000,0]`), "has 0 of"},
	{"levels that ascend", replaced(`"level_rows":[200000,5]`, `"level_rows":[5,200000]`), "after one of 5"},
	{"levels of more rows", replaced(`"level_rows":[200000,5]`, `"level_rows":[299999,5]`), "299999 of"},
	{"a level twice", replaced(`"levels":[{"bytes":"cf8="},"p"],"level_rows":[200000,5]`, `"levels":["p","p"],"level_rows":[5,5]`), `level "p" has 5`},
	{"more levels than are distinct", replaced(`"distinct":3,"levels"`, `"distinct":1,"levels"`), "2 levels of 1"},
	{"other levels beyond the distinct", replaced(`"other_levels":1`, `"other_levels":9`), "9 other levels"},
	{"levels of numbers", replaced(`{"name":"t","kind":"text",`, `{"name":"t","kind":"text","distinct":1,"levels":["a"],"level_rows":[1],`), "a text column with levels"},
	{"numbers of categories", replaced(`{"name":"c","kind":"categorical",`, `{"name":"c","kind":"categorical","numbers":{"min":1,"max":1,"mean":1,"std":0},`), "a categorical column with levels and numbers"},
	{"a label of more rows", replaced(`"label":[{`, `"label":[{"missing":300001,`), "300001 rows are missing"},
	{"predictions of no rows", replaced(`"predictions":[{"name":"y"}]`, `"predictions":[{"name":"y","missing":4}]`), "4 rows are missing"},
	{"prediction rows below zero", replaced(`"prediction_rows":3`, `"prediction_rows":-3`), "predictions for -3 rows"},
	{"predictions that are no list", replaced(`"predictions":[{"name":"y"}]`, `"predictions":{"name":"y"}`), "cannot unmarshal"},
}

func TestHostileProfiles(t *testing.T) {
	for _, c := range hostileProfiles {
		b := profiledFile(t, codectest.Profiled(), c.edit)
		var err error
		used := allocated(func() { _, err = decodeBytes(b) })
		var corrupt *codec.CorruptError
		if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a corrupt file and %q", c.name, err, c.want)
		}
		if limit := (codec.Limits{}).MemoryFor(int64(len(b))); used > limit {
			t.Errorf("%s: %d bytes allocated, the limit is %d", c.name, used, limit)
		}
	}
	least := profiledFile(t, codectest.Discreet(), replaced(`"mean"`, `"min":1,"mean"`))
	if _, err := decodeBytes(least); err == nil || !strings.Contains(err.Error(), "are there: true, false") {
		t.Errorf("a least number where there are to be none: %v", err)
	}
}

// A small file whose profile takes much memory is refused before it gets it.
func TestMemoryOfProfiles(t *testing.T) {
	for name, item := range map[string]string{"columns": `{}`, "names": `{"name":""}`, "numbers": `{"numbers":{}}`} {
		list := "[" + strings.Repeat(item+",", 60_000) + item + "]"
		b := profiledFile(t, codectest.Profiled(), func(string) string { return `{"columns":` + list + `}` })
		for _, limit := range []int64{1 << 21, 1 << 23, 1 << 25} {
			var err error
			used := allocated(func() { _, err = Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{Memory: limit}) })
			if tooMuch := (*codec.LimitError)(nil); !errors.As(err, &tooMuch) {
				t.Errorf("%s within %d bytes: %v", name, limit, err)
			}
			if used > limit+1<<16 {
				t.Errorf("%s: %d bytes allocated, the limit is %d", name, used, limit)
			}
		}
	}
}

// A profile comes back as it was from what ranks send each other.
func TestProfilesAreSent(t *testing.T) {
	for _, m := range []*model.Ensemble{codectest.Profiled(), codectest.Discreet(), codectest.Tiny()} {
		b, err := EncodeProfile(m.Meta.Profile)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeProfile(b)
		if err != nil {
			t.Fatal(err)
		}
		again := *m
		if again.Meta.Profile = got; codectest.Diff(m, &again) != "" {
			t.Error(codectest.Diff(m, &again))
		}
	}
}
