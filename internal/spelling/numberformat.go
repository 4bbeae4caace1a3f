package spelling

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NumberFormat is how people write the numbers of a column: with separators of thousands, a decimal
// comma, a currency sign, a percent sign or a unit. The zero value is the plain number, with a
// decimal point and nothing else.
//
// Its text shows the number 1234.5 in the format: "1,234.5", "1.234,5", "1234,5", "$1,234.5",
// "1 234,5 €", "1234.5%", "1234.5 lbs", "1,234.5+", and "1234.5K" where a factor follows each
// number.
type NumberFormat struct {
	// between groups of three digits: ',', '.', ' ' (any blank, narrow ones too), '\'' (the curly
	// one too); 0: none
	Thousands rune
	Comma     bool // a comma before the decimals, not a point
	Currency  rune // a currency sign; 0: none
	Behind    bool // the currency sign stands behind the number, not before it
	Percent   bool // each number ends in a percent sign: 32% is 32
	// behind each number: a unit such as lbs or +, which does not change it; or Factors: K, M or B,
	// by which it is a thousand, a million or a billion times as large; "" = nothing
	Unit string
}

// Factors is the unit of numbers such as 1.2M and 350k.
const Factors = "K"

// exponents are the factors as powers of ten.
var exponents = map[string]string{"K": "e3", "k": "e3", "M": "e6", "B": "e9"}

// longestUnit is in characters.
const longestUnit = 12

// Plain reports whether the format is that of plain numbers.
func (f NumberFormat) Plain() bool { return f == NumberFormat{} }

// Valid reports whether the format is one of those that are described at its fields.
func (f NumberFormat) Valid() bool {
	switch {
	case f.Thousands != 0 && !strings.ContainsRune(",. '", f.Thousands), f.Thousands == f.decimal():
		return false
	case f.Currency == 0:
		return !f.Behind && (f.Unit == "" || !f.Percent && validUnit(f.Unit))
	case f.Unit != "" && (f.Unit != Factors || f.Behind):
		return false
	}
	return unicode.Is(unicode.Sc, f.Currency) && !f.Percent
}

// validUnit reports whether a text may be a unit. It has no digits but ² and ³ behind a letter,
// and nothing that has a meaning of its own in numbers: signs of currencies and percent,
// parentheses and separators. The letters of factors alone are no unit.
func validUnit(unit string) bool {
	if unit == Factors {
		return true
	}
	if !utf8.ValidString(unit) || utf8.RuneCountInString(unit) > longestUnit ||
		strings.TrimFunc(unit, isSpace) != unit || strings.ContainsAny(unit[:1], ".-") ||
		exponents[unit] != "" {
		return false
	}
	if strings.HasPrefix(unit, "²") || strings.HasPrefix(unit, "³") {
		return false // 5² is no 5
	}
	return strings.IndexFunc(unit, func(r rune) bool {
		return unicode.IsNumber(r) && r != '²' && r != '³' || unicode.Is(unicode.Sc, r) || strings.ContainsRune("%,'\u2019()", r) ||
			!unicode.IsPrint(r) && !isSpace(r)
	}) < 0
}

// UnitOf returns what stands behind the only number of a text where that may be the unit of a
// format, Factors for K, M and B; "" where there is none.
func UnitOf(text string) string {
	from := strings.LastIndexAny(text, "0123456789") + 1
	if from == 0 || strings.ContainsFunc(text[:from], unicode.IsLetter) {
		return ""
	}
	unit := strings.TrimLeftFunc(strings.TrimPrefix(text[from:], "."), isSpace)
	switch {
	case unit == "":
		return ""
	case exponents[unit] != "":
		return Factors
	case !validUnit(unit):
		return ""
	}
	return unit
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
func (f NumberFormat) ReadsPlain() bool { return !f.Comma && !f.Percent && f.Unit == "" }

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
	case f.Unit != "" && f.Unit != Factors && unicode.IsLetter([]rune(f.Unit)[0]):
		b.WriteByte(' ')
	}
	b.WriteString(f.Unit)
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
	tail := strings.TrimLeft(rest, ".,5")
	behind := strings.TrimPrefix(tail, " ")
	switch r, _ := utf8.DecodeRuneInString(behind); {
	case tail == "%":
		f.Percent = true
	case len(behind) < len(tail) && unicode.Is(unicode.Sc, r):
		f.Currency, f.Behind = r, true
	default:
		f.Unit = behind
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
//   - no currency sign in a format that has one, and blanks between sign and number; a percent
//     sign, a unit or a factor must be there;
//   - parentheses around a negative number if the format has a currency sign or separators of
//     thousands;
//   - an exponent, or be inf or infinity, if the format has no currency sign, percent sign or unit.
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
	if p.format.Unit != "" && !p.unit() {
		return false
	}
	p.closeParenthesis()
	return len(p.rest) == 0 && !p.open
}

// unit moves over the unit. A factor becomes an exponent, so that the number is rounded once.
func (p *numberText) unit() bool {
	p.blanks()
	if p.format.Unit != Factors {
		rest, ok := bytes.CutPrefix(p.rest, []byte(p.format.Unit))
		p.rest = rest
		return ok
	}
	exponent := ""
	if len(p.rest) > 0 {
		exponent = exponents[string(p.rest[:1])]
		p.rest = p.rest[1:]
	}
	p.plain = append(p.plain, exponent...)
	return exponent != ""
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
	if p.format.Unit != "" {
		return true // which begins here, or there is none
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
	if len(p.plain) > 0 || p.open || p.format.Currency != 0 || p.format.Percent ||
		p.format.Unit != "" {
		return false
	}
	p.plain = []byte("inf")
	return bytes.EqualFold(p.rest, []byte("inf")) || bytes.EqualFold(p.rest, []byte("infinity"))
}
