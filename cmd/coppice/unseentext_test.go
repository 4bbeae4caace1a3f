package main

import (
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/convert"
	"github.com/coppice-ml/coppice/data"
)

// The text for categories that a model has not means no category, whatever its levels are.
func TestUnseenText(t *testing.T) {
	for want, f := range map[string]data.Field{
		"unseen":   {Levels: []string{"a", "unseen2"}},
		"unseen__": {Levels: []string{"unseen", "unseen_"}},
		"3":        {Levels: []string{"0", "1", "2"}},
		"1":        {Levels: []string{"-5"}},
		"2":        {Levels: []string{"0.5", "1.75"}, Format: data.NumberLevels},
		"8":        {Levels: []string{"7", data.OutOfDictionary}},
	} {
		f.Kind = data.Categorical
		if got := convert.UnseenText(&f); got != want {
			t.Errorf("of %q: %q, want %q", f.Levels, got, want)
		}
		if got := convert.FieldText(&f, -1, convert.UnseenText(&f)); got != want {
			t.Errorf("of %q: %q in the file, want %q", f.Levels, got, want)
		}
	}
}
