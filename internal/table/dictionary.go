package table

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// Dictionary gives texts their codes. An open one numbers new texts in the order of their
// appearance until Sort; a closed one holds a model's levels, and other texts are unseen.
type Dictionary struct {
	closed bool
	bare   *data.CodeIndex   // closed, of levels that are bare codes: numbers are categories too; nil: others
	whole  bool              // closed, and the levels are plain integers
	index  *data.LevelIndex  // of a closed one: what texts mean
	unseen *data.UnseenTexts // of a closed one: texts that mean nothing
	tokens []string          // that mean a missing value
	codes  map[string]uint32 // of tokens, and of the levels of an open one
	levels []string
	shared strings.Builder // what new levels are parts of
	empty  *uint32         // of a column of texts: the code of the empty text, nil if no row holds it
	// what a text means, where not any text may become a level; nil: it may
	value  func(text []byte) (float64, *data.ReadError)
	values []float64 // by code: what value returned
	// tokens for missing values that were looked up, but for the empty one
	met    []string
	recent [1 << recentBits]recent // before codes: few texts fill most rows

	brief   bool     // of a column of texts
	account *Account // nil: memory is not counted
	held    int64    // bytes of the levels in it
}

const (
	recentBits = 7
	// 2^64 over the golden ratio: the high bits of a product depend on all of a text
	golden = 0x9E3779B97F4A7C15
)

// recent is a text that was looked up lately. Up to eight bytes it is known by its head and size
// alone.
type recent struct {
	head uint64
	size uint32 // plus 1; 0: none
	code uint32
}

// newDictionary returns an open dictionary in which the tokens mean a missing value.
func newDictionary(tokens []string) *Dictionary {
	d := &Dictionary{tokens: tokens, codes: make(map[string]uint32, len(tokens))}
	for _, t := range tokens {
		d.codes[t] = data.MissingCode
	}
	return d
}

// closedDictionary returns the dictionary of a model's column, whose levels texts mean by
// data.LevelIndex. A text that is one of its levels is that level, also if it is a token for
// missing: the levels were made when the tokens were known. If the levels are bare codes, a text
// that is a number is the level that data.CodeIndex finds.
func closedDictionary(tokens []string, field *data.Field) *Dictionary {
	d := newDictionary(tokens)
	d.closed, d.bare, d.levels = true, field.CodeIndex(), field.Levels
	d.whole, d.index = field.IntegerLevels(), data.IndexLevels(field)
	d.unseen = &data.UnseenTexts{}
	for _, token := range tokens {
		if code := d.index.Find(token); code != data.UnseenCode &&
			(d.levels[code] == token || field.Hashed()) {
			d.codes[token] = code
		}
	}
	return d
}

// Levels returns the texts by code; they are sorted from Sort on, or as a model has them.
func (d *Dictionary) Levels() []string { return d.levels }

// Declare makes levels of texts that no row need hold. A text is a level then even if it is a token
// for missing, unless it is empty.
func (d *Dictionary) Declare(texts []string) *data.ReadError {
	for _, text := range texts {
		if text == "" {
			continue
		}
		if d.codes[text] == data.MissingCode {
			delete(d.codes, text)
		}
		if _, err := d.Encode([]byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// Encode returns the code of a text. It fails, with an Error that has no place yet, where the text
// cannot become a level.
func (d *Dictionary) Encode(text []byte) (uint32, *data.ReadError) {
	now := recent{head: head(text), size: uint32(len(text)) + 1}
	r := &d.recent[(now.head+uint64(now.size))*golden>>(64-recentBits)]
	if r.head == now.head && r.size == now.size &&
		(len(text) <= 8 || r.code < data.UnseenCode && d.levels[r.code] == string(text)) {
		return r.code, nil
	}
	code, known := d.codes[string(text)]
	if !known {
		if d.closed {
			if now.code = d.meant(text); now.code == data.UnseenCode {
				d.unseen.Add(text)
			} else {
				*r = now
			}
			return now.code, nil
		}
		if len(d.levels) == data.MaxLevels {
			return 0, tooManyTexts()
		}
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			return 0, &data.ReadError{Msg: Quote(text) + " is not UTF-8 text (" + EncodingAdvice() + ")",
				Err: data.ErrText}
		}
		if d.value != nil {
			v, fault := d.value(text)
			if fault != nil {
				return 0, fault
			}
			d.values = append(d.values, v)
		}
		code = d.add(d.share(text))
	}
	if code == data.MissingCode && len(text) > 0 && !slices.Contains(d.met, string(text)) {
		d.met = append(d.met, string(text))
	}
	now.code = code
	*r = now
	return code, nil
}

func tooManyTexts() *data.ReadError {
	return &data.ReadError{Msg: "more distinct texts than a column can hold", Err: data.ErrLimit}
}

// emptyText returns the code of the empty text in a column of texts, where it is not missing.
func (d *Dictionary) emptyText() uint32 {
	if d.empty == nil {
		code := uint32(len(d.levels))
		d.levels = append(d.levels, "")
		d.empty = &code
	}
	return *d.empty
}

// mostShared is how many bytes new levels have in common.
const mostShared = 32 << 10

// share returns a copy of a text in memory that it shares with others. So the garbage collector has
// few things to find, however many levels there are.
func (d *Dictionary) share(text []byte) string {
	if size := d.shared.Cap(); size-d.shared.Len() < len(text) {
		d.shared = strings.Builder{}
		d.shared.Grow(max(len(text), min(2*size, mostShared)))
	}
	at := d.shared.Len()
	d.shared.Write(text)
	return d.shared.String()[at:]
}

// add makes a level of a text and returns its code.
func (d *Dictionary) add(level string) uint32 {
	code := uint32(len(d.levels))
	d.levels = append(d.levels, level)
	d.codes[level] = code
	if d.account != nil {
		bytes := levelBytes + int64(len(level))
		d.account.chargeTexts(d, bytes)
		d.held += bytes
	}
	return code
}

// takeUnseen returns the unseen texts so far, and forgets them; nil of an open dictionary.
func (d *Dictionary) takeUnseen() *data.UnseenTexts {
	if !d.closed {
		return nil
	}
	texts := d.unseen
	d.unseen = &data.UnseenTexts{}
	return texts
}

// meant returns the code that a text means in a closed dictionary, where it is no token: that of a
// level, of a token that is the same integer, or of a bare code, which truth values are too.
func (d *Dictionary) meant(text []byte) uint32 {
	code := d.index.FindBytes(text)
	if code == data.UnseenCode && d.whole {
		if plain, ok := spelling.PlainInteger(string(text)); ok {
			if token, ok := d.codes[plain]; ok {
				return token
			}
		}
	}
	if code != data.UnseenCode || d.bare == nil {
		return code
	}
	v, ok := ParseNumber(text)
	if !ok {
		v, ok = spelling.TruthNumber(text)
	}
	if bare := d.bare.Find(v); ok && bare >= 0 {
		return uint32(bare)
	}
	return code
}

// head returns the first eight bytes of a text, or all with zeros behind.
func head(text []byte) uint64 {
	if cap(text) < 8 {
		var b [8]byte
		copy(b[:], text)
		return binary.LittleEndian.Uint64(b[:])
	}
	word := binary.LittleEndian.Uint64(text[:8]) // what lies behind the text is removed
	if len(text) < 8 {
		word &= 1<<(8*len(text)) - 1
	}
	return word
}

// sort puts the levels of an open dictionary in order and changes the codes given out before
// accordingly.
func (d *Dictionary) sort(codes []uint32) {
	if d.closed {
		return
	}
	order := make([]ordered, len(d.levels))
	for i, l := range d.levels {
		var first [8]byte
		copy(first[:], l)
		order[i] = ordered{binary.BigEndian.Uint64(first[:]), uint32(i)}
	}
	slices.SortFunc(order, func(a, b ordered) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(d.levels[a.code], d.levels[b.code])
	})
	sorted := make([]string, len(order))
	renumber := make([]uint32, len(order))
	for i, o := range order {
		sorted[i], renumber[o.code] = d.levels[o.code], uint32(i)
	}
	for row, c := range codes {
		if c < data.UnseenCode {
			codes[row] = renumber[c]
		}
	}
	d.levels = sorted
}

// ordered is a level by its first eight bytes, which decide on the order of most.
type ordered struct {
	head uint64 // the first byte is the highest
	code uint32
}

// valueOf returns what the text of a code means, NaN for a missing value.
func (d *Dictionary) valueOf(code uint32) float64 {
	if code == data.MissingCode {
		return math.NaN()
	}
	return d.values[code]
}
