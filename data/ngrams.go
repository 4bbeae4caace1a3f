package data

import (
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// gramCounter counts the n-grams of texts by their buckets. It is scratch memory, for one goroutine
// at a time.
type gramCounter struct {
	format TextFormat
	// the words of a text with a blank before, between and behind them
	joined []byte
	words  []span // of joined
	count  []int32
	found  []int32 // buckets whose count is not 0; ascending after counting
}

// span is the bytes from ... to-1.
type span struct{ from, to int }

func newGramCounter(t TextFormat) *gramCounter {
	return &gramCounter{format: t, count: make([]int32, t.Buckets)}
}

// tally counts the n-grams of a text: found are its buckets, and count has the number of each. What
// was counted before is forgotten.
func (g *gramCounter) tally(text string) {
	for _, b := range g.found {
		g.count[b] = 0
	}
	g.found = g.found[:0]
	g.each(text, func(bucket int32, _ gram) {
		if g.count[bucket]++; g.count[bucket] == 1 {
			g.found = append(g.found, bucket)
		}
	})
	slices.Sort(g.found)
}

// gram is an n-gram, in memory that the next one may reuse.
type gram struct {
	text  []byte
	chars bool // of characters; a blank stands for an end of the word
}

// each calls f for each n-gram of a text with its bucket.
func (g *gramCounter) each(text string, f func(bucket int32, n gram)) {
	g.split(text)
	t := &g.format
	for i, first := range g.words {
		for _, last := range g.words[i:min(i+t.Words, len(g.words))] {
			n := gram{text: g.joined[first.from:last.to]}
			f(n.bucket(t.Buckets), n)
		}
		if t.Chars > 0 {
			// with the blanks around
			t.eachOfWord(g.joined[first.from-1:first.to+1], f)
		}
	}
}

// eachOfWord calls f for each n-gram of the characters of a word.
func (t *TextFormat) eachOfWord(word []byte, f func(bucket int32, n gram)) {
	for len(word) > 0 {
		_, first := utf8.DecodeRune(word)
		end := 0
		for size := 1; size <= t.Chars && end < len(word); size++ {
			_, width := utf8.DecodeRune(word[end:])
			if end += width; size >= t.Shortest {
				n := gram{word[:end], true}
				f(n.bucket(t.Buckets), n)
			}
		}
		word = word[first:]
	}
}

// split finds the words of a text.
func (g *gramCounter) split(text string) {
	g.joined, g.words = append(g.joined[:0], ' '), g.words[:0]
	start := len(g.joined)
	finish := func() {
		if len(g.joined) > start {
			g.words = append(g.words, span{start, len(g.joined)})
			g.joined = append(g.joined, ' ')
			start = len(g.joined)
		}
	}
	for at, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			if g.format.Lower {
				r = unicode.ToLower(r)
			}
			g.joined = utf8.AppendRune(g.joined, r)
		case (r == '\'' || r == '’') && len(g.joined) > start && letterAt(text, at+utf8.RuneLen(r)):
			g.joined = append(g.joined, '\'')
		default:
			finish()
		}
	}
	finish()
}

// letterAt reports whether a letter stands at a place of a text.
func letterAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsLetter(r)
}

// bucket returns the bucket of an n-gram, one of so many. Models depend on it, so it never changes:
// FNV-1a of the bytes, and behind them 1 of characters, mixed by the end of MurmurHash3.
func (n gram) bucket(of int) int32 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, b := range n.text {
		h = (h ^ uint64(b)) * prime
	}
	if n.chars {
		h = (h ^ 1) * prime
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return int32((h ^ h>>33) >> 32 * uint64(of) >> 32)
}

// String returns the n-gram as names of columns have it: of characters with a * on the sides on
// which the word may go on.
//
//	not good    n-gram of words
//	gr*         n-gram of characters at the start of a word
//	*rea*       inside
func (n gram) String() string {
	if !n.chars {
		return string(n.text)
	}
	name, before, behind := n.text, "*", "*"
	if len(name) > 0 && name[0] == ' ' {
		name, before = name[1:], ""
	}
	if k := len(name) - 1; k >= 0 && name[k] == ' ' {
		name, behind = name[:k], ""
	}
	if before+behind == "" {
		before = "^" // a whole word, which may be an n-gram of words too
	}
	return before + string(name) + behind
}

// readText writes what becomes of single texts: the values of the fields that are made of one
// column.
type readText struct {
	to       int // number of fields
	format   TextFormat
	at       []int32    // by bucket: its field, -1 if it has none
	words    int        // the field of the number of words, -1 if there is none
	counters *sync.Pool // of *gramCounter
}

// newReadText returns the reader of texts for their fields.
func newReadText(made []Field) readText {
	format := made[0].Text.Format
	t := readText{to: len(made), format: format, words: -1, counters: &sync.Pool{},
		at: slices.Repeat([]int32{-1}, format.Buckets)}
	for i := range made {
		if b := made[i].Text.Bucket; b == WordCount {
			t.words = i
		} else {
			t.at[b] = int32(i)
		}
	}
	return t
}

// tally writes the values of the fields for a text.
func (t *readText) tally(dst []float64, text string) {
	g, _ := t.counters.Get().(*gramCounter)
	if g == nil {
		g = newGramCounter(t.format)
	}
	g.tally(text)
	clear(dst)
	for _, b := range g.found {
		if at := t.at[b]; at >= 0 {
			dst[at] = float64(g.count[b])
		}
	}
	if t.words >= 0 {
		dst[t.words] = float64(len(g.words))
	}
	t.counters.Put(g)
}

// missing writes the values of the fields for a missing text: no n-grams of an unknown number of
// words. Zeros take no memory, and the number tells a missing text from an empty one.
func (t *readText) missing(dst []float64) {
	clear(dst)
	if t.words >= 0 {
		dst[t.words] = math.NaN()
	}
}

// TextWriter returns what writes the values of fields for single texts into dst, which has a place
// for each field; known is false for a missing text. The fields are those that a schema has of one
// column of texts, in their order. The function may be called concurrently.
func TextWriter(made []Field) func(dst []float64, text string, known bool) {
	t := newReadText(made)
	return func(dst []float64, text string, known bool) {
		if known {
			t.tally(dst, text)
		} else {
			t.missing(dst)
		}
	}
}
