package data_test

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// A level that is there twice is refused, among bare codes, behind them and before them.
func TestLevelsTwice(t *testing.T) {
	for levels, twice := range map[string]string{
		"0 1 2 3 4 5 6 7 8 9 10 11":   "",
		"0 1 2 10 11 3 4 5 6 7 8 9":   "",
		"0 1 2 1":                     "1",
		"0 1 2 b a b":                 "b",
		"0 1 2 b a 0":                 "0",
		"b a 1 0 2 1":                 "1",
		"0 1 2 01 +1 1.0 3 00":        "",
		"0 1 2 3 4 5 6 7 8 9 10 a 10": "10",
	} {
		s := data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical,
			Levels: strings.Fields(levels)}}}
		err := s.Validate()
		want := `level "` + twice + `" twice`
		if (err == nil) != (twice == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", levels, err, twice)
		}
	}
}
