package foreign_test

import (
	"encoding/json"
	"testing"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
)

// Levels are numbers where all are written as numbers are, and JSON has all digits of them.
func TestJSONLevels(t *testing.T) {
	for _, c := range []struct {
		levels []string
		as     foreign.LevelType
		json   string
	}{
		{nil, foreign.TextLevels, `[]`},
		{[]string{"a", "1"}, foreign.TextLevels, `["a","1"]`},
		{[]string{"5", "-7"}, foreign.IntegerLevels, `[5,-7]`},
		{[]string{"9007199254740993"}, foreign.IntegerLevels, `[9007199254740993]`},
		{[]string{"0.5", "2"}, foreign.NumberLevels, `[0.5,2]`},
		{[]string{"2", "1e-07"}, foreign.NumberLevels, `[2,1e-07]`},
		{[]string{"2.0", "0.5"}, foreign.TextLevels, `["2.0","0.5"]`},
		{[]string{"007", "8"}, foreign.TextLevels, `["007","8"]`},
		{[]string{"NaN", "8"}, foreign.TextLevels, `["NaN","8"]`},
		{[]string{"+Inf", "8"}, foreign.TextLevels, `["+Inf","8"]`},
	} {
		f := data.Field{Kind: data.Categorical, Levels: c.levels}
		if got := foreign.TypeOf(&f); got != c.as {
			t.Errorf("%q: type %d, want %d", c.levels, got, c.as)
		}
		text, err := json.Marshal(foreign.JSONLevels(&f))
		if err != nil || string(text) != c.json {
			t.Errorf("%q: %s, %v, want %s", c.levels, text, err, c.json)
		}
	}
}
