package data

import "strings"

// monthNames are the English names of months, whose first three letters stand for them too.
var monthNames = [...]string{"january", "february", "march", "april", "may", "june", "july",
	"august", "september", "october", "november", "december"}

// monthName takes the English name of a month off the front, or its first letters, in any letter
// case and with a point behind them or not.
func (p *dateText) monthName() (month int, ok bool) {
	n := 0
	for n < len(p.rest) && 'a' <= p.rest[n]|0x20 && p.rest[n]|0x20 <= 'z' {
		n++
	}
	word := strings.ToLower(p.rest[:n])
	for i, name := range monthNames {
		if word == name || word == name[:3] || word == "sept" && i == 8 {
			p.rest = strings.TrimPrefix(p.rest[n:], ".")
			return i + 1, true
		}
	}
	return 0, false
}

// named takes a date whose month has a name: "Jul 1, 2004", "1 July 2004", "01-Jul-2004". No format
// can mistake it.
func (p *dateText) named() (year, month, day int, ok bool) {
	if month, ok = p.monthName(); ok { // the month first
		day, digits := p.dayBehind()
		p.take(",")
		blanks := p.blanks()
		year, long := p.number(4)
		return year, month, day, digits > 0 && blanks && long == 4
	}
	day, digits := p.number(2)
	by, dash := p.take("-")
	if !dash && !p.blanks() {
		return 0, 0, 0, false
	}
	if month, ok = p.monthName(); !ok || digits == 0 {
		return 0, 0, 0, false
	}
	if c, same := p.take("-"); dash != same || dash && c != by {
		return 0, 0, 0, false
	}
	if !dash {
		p.take(",")
		if !p.blanks() {
			return 0, 0, 0, false
		}
	}
	year, long := p.number(4)
	return year, month, day, long == 4
}

// dayBehind takes a day behind the name of a month.
func (p *dateText) dayBehind() (day, digits int) {
	if !p.blanks() {
		return 0, 0
	}
	return p.number(2)
}

// The years of months without a day: other numbers before two digits are mostly keys.
const (
	firstMonthYear = 1900
	lastMonthYear  = 2099
)

// wholeMonth takes a month without a day, 2024-05 or 2024/05, which is nothing but that. The date
// is its first day.
func (p *dateText) wholeMonth() (year, month, day int, ok bool) {
	year, long := p.number(4)
	_, ok = p.take("-/")
	month, digits := p.number(2)
	return year, month, 1, ok && long == 4 && digits == 2 && p.rest == "" && year >= firstMonthYear &&
		year <= lastMonthYear
}
