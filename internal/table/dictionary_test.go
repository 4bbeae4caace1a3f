package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// Texts of few letters, many of them alike in their first eight bytes, with and without bytes
// behind them.
var someTexts = rapid.SliceOf(rapid.Custom(func(t *rapid.T) []byte {
	text := strings.Repeat("ab", rapid.IntRange(0, 5).Draw(t, "pairs")) +
		rapid.StringMatching(`[abé]{0,3}`).Draw(t, "end")
	space := rapid.IntRange(0, 9).Draw(t, "space")
	return append(make([]byte, 0, len(text)+space), text...)
}))

// TestBareCodes: of levels that are bare codes, a text that is a number is the level of its
// integer.
func TestBareCodes(t *testing.T) {
	field := &data.Field{Kind: data.Categorical}
	for range 12 {
		field.Levels = append(field.Levels, strconv.Itoa(len(field.Levels)))
	}
	d := closedDictionary([]string{"", "NA", "3.5"}, field)
	for range 2 {
		for text, want := range map[string]uint32{"0": 0, "11": 11, "11.0": 11, "1e0": 1, "2.75": 2, "-0.5": 0, "007": 7, "": data.MissingCode,
			"NA": data.MissingCode, "3.5": data.MissingCode, "3.50": 3, "12": data.UnseenCode, "-1": data.UnseenCode, "inf": data.UnseenCode,
			"-1e300": data.UnseenCode, "one": data.UnseenCode, "1 and more than eight bytes": data.UnseenCode} {
			if code, err := d.Encode([]byte(text)); code != want || err != nil {
				t.Errorf("%q: code %d, %v, want %d", text, code, err, want)
			}
		}
	}
	field.Levels[11] = "eleven"
	if code, _ := closedDictionary(nil, field).Encode([]byte("1.0")); code != data.UnseenCode {
		t.Errorf("1.0 is code %d of a dictionary with names", code)
	}
}

// TestHashedLevels: a text is the level that is its hash, also if it is a token for missing.
func TestHashedLevels(t *testing.T) {
	const long = "a text of more than eight bytes"
	field := &data.Field{Kind: data.Categorical, Format: data.HashedLevels,
		Levels: []string{spelling.HashedLevel("north"), "south", spelling.HashedLevel("NA"), spelling.HashedLevel(long)}}
	d := closedDictionary([]string{"", "NA", "?"}, field)
	for range 2 {
		for text, want := range map[string]uint32{"north": 0, "south": 1, "NA": 2, long: 3, "": data.MissingCode, "?": data.MissingCode,
			spelling.HashedLevel("north"): 0, spelling.HashedLevel("south"): data.UnseenCode, "east": data.UnseenCode} {
			if code, err := d.Encode([]byte(text)); code != want || err != nil {
				t.Errorf("%q: code %d, %v, want %d", text, code, err, want)
			}
		}
	}
}

func TestDictionary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := someTexts.Draw(t, "texts")
		tokens := []string{"", "a", "abababab", "ababababa"}
		d := newDictionary(tokens)
		var codes []uint32
		var levels []string
		for _, text := range texts {
			code, err := d.Encode(text)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
			if !slices.Contains(tokens, string(text)) {
				levels = append(levels, string(text))
			}
		}
		d.sort(codes)
		slices.Sort(levels)
		levels = slices.Compact(levels)
		if !slices.Equal(d.levels, levels) {
			t.Fatalf("levels %q, want %q", d.levels, levels)
		}
		closed := closedDictionary(tokens, &data.Field{Kind: data.Categorical, Levels: levels})
		for i, text := range texts {
			want := data.MissingCode
			if k, ok := slices.BinarySearch(levels, string(text)); ok {
				want = uint32(k)
			}
			again, _ := closed.Encode(text)
			if codes[i] != want || again != want {
				t.Fatalf("%q: open %d, closed %d, want %d", text, codes[i], again, want)
			}
		}
		if code, _ := closed.Encode([]byte("unheard of")); code != data.UnseenCode {
			t.Fatalf("an unknown text has code %d", code)
		}
	})
}

// Levels are parts of few texts, which the garbage collector follows, and none changes another.
func TestLevelsShareMemory(t *testing.T) {
	texts := make([][]byte, 20_000)
	for i := range texts {
		texts[i] = fmt.Appendf(nil, "%0*d", 1+i%40, i)
	}
	var d *Dictionary
	allocations := testing.AllocsPerRun(1, func() {
		d = newDictionary(nil)
		for _, text := range texts {
			if _, err := d.Encode(text); err != nil {
				t.Fatal(err)
			}
		}
	})
	if allocations > 500 {
		t.Errorf("%v allocations for %d levels", allocations, len(texts))
	}
	for i, level := range d.levels {
		if level != string(texts[i]) {
			t.Fatalf("level %d is %q, want %q", i, level, texts[i])
		}
	}
}

func TestHead(t *testing.T) {
	b := []byte("abcdefghijkl")
	for n := range b {
		short := append(make([]byte, 0, n), b[:n]...)
		if head(b[:n]) != head(short[:n:n]) {
			t.Errorf("the head of %q depends on what lies behind it", b[:n])
		}
	}
	if head([]byte("ba")) != 'b'|'a'<<8 {
		t.Error("the first byte is not the lowest")
	}
}
