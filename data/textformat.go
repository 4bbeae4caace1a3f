package data

import (
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/param"
)

// TextFormat is how the texts of a column become numbers. Texts are split into words: runs of
// letters, digits and marks, with apostrophes between them. An n-gram is some consecutive words, or
// some consecutive characters of a word. A fixed hash gives each n-gram one of some buckets, and
// each bucket becomes a column that counts its n-grams. NewTextFormat makes a valid format.
type TextFormat struct {
	Words    int // n-grams are of 1 to so many words; 0: none
	Chars    int // n-grams are of Shortest to so many characters of a word; 0: none
	Shortest int
	Buckets  int
	// least number of training rows that have an n-gram of a bucket, else it is no column; see
	// Frame.FitTexts
	Rows  int
	Lower bool // letters count as lower-case ones
}

// Limits of formats of texts.
const (
	maxGram    = 16
	maxBuckets = 1 << 16
)

// Params declares the parameters of the format.
func (t *TextFormat) Params() param.Set {
	return param.Set{
		param.Int(&t.Words, "words", 1, 1, maxGram,
			"longest n-gram of words; all from single words on are counted",
			param.Zero("no n-grams of words")),
		param.Int(&t.Chars, "chars", 0, 1, maxGram, "longest n-gram of characters of a word",
			param.Zero("no n-grams of characters")),
		param.Int(&t.Shortest, "chars_min", 3, 1, maxGram, "shortest n-gram of characters"),
		param.Int(&t.Buckets, "buckets", 4096, 2, maxBuckets,
			"buckets of the hash of n-grams, each of which may become a column"),
		param.Int(&t.Rows, "min_rows", 5, 1, math.MaxInt32,
			"least number of training rows with an n-gram of a bucket for a column"),
		param.Bool(&t.Lower, "lower", true, "count letters as lower-case ones"),
	}
}

// NewTextFormat returns the format of some settings of the form name=value; all other parameters
// have their defaults. The error is a param.Faults with all that is wrong.
func NewTextFormat(settings ...string) (TextFormat, error) {
	var t TextFormat
	p := t.Params()
	p.Reset()
	if err := p.Set(settings); err != nil {
		return TextFormat{}, err
	}
	return t, t.validate()
}

// validate checks what fields of Go code or files may have wrong.
func (t *TextFormat) validate() error {
	switch err := t.Params().Validate(); {
	case err != nil:
		return err
	case t.Words == 0 && t.Chars == 0:
		return fmt.Errorf("words=0 and chars=0 leave no n-grams: raise one of them")
	case t.Chars > 0 && t.Chars < t.Shortest:
		return fmt.Errorf("chars=%d is less than chars_min=%d: raise chars", t.Chars, t.Shortest)
	}
	return nil
}

// Code writes the format as its settings, such as
// "words=1,chars=0,chars_min=3,buckets=4096,min_rows=5,lower=true". It is the Format of text
// columns.
func (t TextFormat) Code() string {
	settings := make([]string, 0, 6)
	for _, p := range t.Params() {
		settings = append(settings, p.Name+"="+p.Value())
	}
	return strings.Join(settings, ",")
}

// parseTextFormat reads what Code wrote; "" is the format of the defaults.
func parseTextFormat(code string) (TextFormat, error) {
	if code == "" {
		return NewTextFormat()
	}
	return NewTextFormat(strings.Split(code, ",")...)
}

// MarshalText writes Code.
func (t TextFormat) MarshalText() ([]byte, error) { return []byte(t.Code()), nil }

// UnmarshalText reads a code.
func (t *TextFormat) UnmarshalText(text []byte) (err error) {
	*t, err = parseTextFormat(string(text))
	return err
}

// TextFormat returns how the texts of a text column become numbers.
func (f *Field) TextFormat() (TextFormat, error) { return parseTextFormat(f.Format) }
