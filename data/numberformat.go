package data

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NumberFormat is how people write the numbers of a column: with separators of thousands, a decimal
// comma, a currency sign or a percent sign. The zero value is the plain number, with a decimal
// point and nothing else.
//
// Its text shows the number 1234.5 in the format: "1,234.5", "1.234,5", "1234,5", "$1,234.5", "1
// 234,5 €", "1234.5%".
type NumberFormat struct {
	// between groups of three digits: ',', '.', ' ' (any blank, narrow ones too), '\'' (the curly
	// one too); 0: none
	Thousands rune
	Comma     bool // a comma before the decimals, not a point
	Currency  rune // a currency sign; 0: none
	Behind    bool // the currency sign stands behind the number, not before it
	Percent   bool // each number ends in a percent sign: 32% is 32
}

// Plain reports whether the format is that of plain numbers.
func (f NumberFormat) Plain() bool { return f == NumberFormat{} }

// Valid reports whether the format is one of those that are described at its fields.
func (f NumberFormat) Valid() bool {
	switch {
	case f.Thousands != 0 && !strings.ContainsRune(",. '", f.Thousands), f.Thousands == f.decimal():
		return false
	case f.Currency == 0:
		return !f.Behind
	}
	return unicode.Is(unicode.Sc, f.Currency) && !f.Percent
}

func (f NumberFormat) decimal() rune {
	if f.Comma {
		return ','
	}
	return '.'
}

// With returns the format with other marks: between thousands and before the decimals, which is a
// point or a comma. A mark of 0 stays as it is; if that is the other one now, it becomes the comma
// for the point, or the point for the comma.
func (f NumberFormat) With(thousands, decimal rune) NumberFormat {
	opposite := map[rune]rune{',': '.', '.': ','}
	if decimal != 0 {
		f.Comma = decimal == ','
		if f.Thousands == decimal {
			f.Thousands = opposite[decimal]
		}
	}
	if thousands != 0 {
		f.Thousands = thousands
		if thousands == f.decimal() {
			f.Comma = !f.Comma
		}
	}
	return f
}

// ReadsPlain reports whether a plain number, with or without a fraction, is read as the number that
// it is.
func (f NumberFormat) ReadsPlain() bool { return !f.Comma && !f.Percent }

// String returns the number 1234.5 in the format, "1234.5" for plain numbers.
func (f NumberFormat) String() string {
	var b strings.Builder
	if f.Currency != 0 && !f.Behind {
		b.WriteRune(f.Currency)
	}
	b.WriteByte('1')
	if f.Thousands != 0 {
		b.WriteRune(f.Thousands)
	}
	b.WriteString("234")
	b.WriteRune(f.decimal())
	b.WriteByte('5')
	switch {
	case f.Percent:
		b.WriteByte('%')
	case f.Currency != 0 && f.Behind:
		b.WriteByte(' ')
		b.WriteRune(f.Currency)
	}
	return b.String()
}

// Code returns the format as it is stored in Field.Format: its text, "" for plain numbers.
func (f NumberFormat) Code() string {
	if f.Plain() {
		return ""
	}
	return f.String()
}

// ParseNumberFormat reads what Code wrote; any other text is an error.
func ParseNumberFormat(code string) (NumberFormat, error) {
	var f NumberFormat
	if code == "" {
		return f, nil
	}
	rest := code
	if r, size := utf8.DecodeRuneInString(rest); r != '1' {
		f.Currency, rest = r, rest[size:]
	}
	rest = strings.TrimPrefix(rest, "1")
	if r, size := utf8.DecodeRuneInString(rest); r != '2' {
		f.Thousands, rest = r, rest[size:]
	}
	rest = strings.TrimPrefix(rest, "234")
	f.Comma = strings.HasPrefix(rest, ",")
	if tail := strings.TrimLeft(rest, ".,5"); tail == "%" {
		f.Percent = true
	} else if behind, ok := strings.CutPrefix(tail, " "); ok {
		f.Currency, _ = utf8.DecodeRuneInString(behind)
		f.Behind = true
	}
	if !f.Valid() || f.Code() != code {
		return NumberFormat{}, fmt.Errorf("%q is no number format (want the number 1234.5 as it "+
			"is written, such as \"$1,234.5\")", code)
	}
	return f, nil
}

// Number returns the number that a text is in the format, without blanks around it; it is false if
// the text does not fit. A fitting text may have
//
//   - a sign, before or behind the currency sign; the minus may be U+2212;
//   - no separators of thousands at all, or all of them: 1234567 and 1,234,567, not 1234,567;
//   - no zeros before the number: 0.5 and .5, not 00.5;
//   - no currency sign in a format that has one, and blanks between sign and number; a percent sign
//     must be there;
//   - parentheses around a negative number if the format has a currency sign or separators of
//     thousands;
//   - an exponent, or be inf or infinity, if the format has neither a currency sign nor a percent
//     sign.
//
// Numbers are rounded as strconv.ParseFloat rounds; beyond the range of float64 they are
// infinities.
func (f NumberFormat) Number(text []byte) (float64, bool) {
	p := numberText{format: f, rest: text, plain: make([]byte, 0, 32)}
	if !p.read() {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(p.plain), 64)
	if err != nil && v == 0 { // what read wrote can be wrong in its range alone, which is no fault
		return 0, false
	}
	if p.negative {
		v = -v
	}
	return v, true
}

// numberText walks over a text and collects the plain number that it is.
type numberText struct {
	format   NumberFormat
	rest     []byte
	plain    []byte // digits, point, exponent
	signed   bool   // a sign or an open parenthesis was read
	negative bool
	open     bool // a parenthesis
	grouped  bool // a separator of thousands was read
}

func (p *numberText) read() bool {
	p.sign()
	p.currency(false)
	p.sign()
	if !p.digits() {
		return p.infinity()
	}
	p.closeParenthesis()
	p.currency(true)
	if p.format.Percent {
		p.blanks()
		if !p.take('%') {
			return false
		}
	}
	p.closeParenthesis()
	return len(p.rest) == 0 && !p.open
}

// take moves over a character if it is the next one.
func (p *numberText) take(r rune) bool {
	next, size := utf8.DecodeRune(p.rest)
	if size == 0 || next != r {
		return false
	}
	p.rest = p.rest[size:]
	return true
}

// isSpace reports whether a character is a blank that people set between digits, or before a sign.
func isSpace(r rune) bool { return r == ' ' || r == '\u00a0' || r == '\u202f' || r == '\u2009' }

func (p *numberText) blanks() { p.rest = bytes.TrimLeftFunc(p.rest, isSpace) }

// sign moves over a sign or an opening parenthesis, of which there is one at most.
func (p *numberText) sign() {
	if p.signed {
		return
	}
	parentheses := p.format.Currency != 0 || p.format.Thousands != 0
	switch {
	case p.take('-'), p.take('\u2212'):
		p.negative = true
	case parentheses && p.take('('):
		p.negative, p.open = true, true
	case !p.take('+'):
		return
	}
	p.signed = true
}

func (p *numberText) closeParenthesis() {
	if p.open && p.take(')') {
		p.open = false
	}
}

// currency moves over the currency sign, if it belongs here, and the blanks beside it.
func (p *numberText) currency(behind bool) {
	if p.format.Currency == 0 || p.format.Behind != behind {
		return
	}
	before := p.rest
	p.blanks()
	switch {
	case !p.take(p.format.Currency):
		p.rest = before
	case !behind:
		p.blanks()
	}
}

// leading returns how many digits the text starts with.
func (p *numberText) leading() int {
	n := 0
	for n < len(p.rest) && '0' <= p.rest[n] && p.rest[n] <= '9' {
		n++
	}
	return n
}

func (p *numberText) collect(n int) {
	p.plain = append(p.plain, p.rest[:n]...)
	p.rest = p.rest[n:]
}

// digits moves over the number between the signs.
func (p *numberText) digits() bool {
	whole := p.leading()
	if whole > 1 && p.rest[0] == '0' {
		return false
	}
	zero := whole > 0 && p.rest[0] == '0'
	p.collect(whole)
	for 0 < whole && whole <= 3 && !zero && p.group() {
		p.grouped = true
	}
	fraction := 0
	if p.take(p.format.decimal()) {
		p.plain = append(p.plain, '.')
		fraction = p.leading()
		p.collect(fraction)
	}
	return whole+fraction > 0 && p.exponent()
}

// group moves over a separator of thousands and the three digits behind it.
func (p *numberText) group() bool {
	r, size := utf8.DecodeRune(p.rest)
	switch {
	case p.format.Thousands == ' ' && isSpace(r), p.format.Thousands == '\'' && r == '\u2019',
		size > 0 && r == p.format.Thousands:
	default:
		return false
	}
	before := p.rest
	p.rest = p.rest[size:]
	if p.leading() != 3 {
		p.rest = before
		return false
	}
	p.collect(3)
	return true
}

// exponent moves over an exponent, if there is one; false if it is not complete or has no place in
// the format.
func (p *numberText) exponent() bool {
	if len(p.rest) == 0 || p.rest[0]|0x20 != 'e' {
		return true
	}
	if p.grouped || p.format.Currency != 0 || p.format.Percent {
		return false
	}
	p.collect(1)
	if len(p.rest) > 0 && (p.rest[0] == '-' || p.rest[0] == '+') {
		p.collect(1)
	}
	n := p.leading()
	p.collect(n)
	return n > 0
}

// infinity moves over the word for an infinity.
func (p *numberText) infinity() bool {
	if len(p.plain) > 0 || p.open || p.format.Currency != 0 || p.format.Percent {
		return false
	}
	p.plain = []byte("inf")
	return bytes.EqualFold(p.rest, []byte("inf")) || bytes.EqualFold(p.rest, []byte("infinity"))
}
