package param

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// value is a bound variable with its type, default and range. Errors name what is allowed; the
// caller adds which parameter and which text it was.
type value interface {
	parse(text string) (store func(), err error) // nothing changes before store is called
	check() error                                // of the current value
	reset()
	text() string
	json() ([]byte, error)
	defaultText() string
	domain() string
}

type integer struct {
	p             *int
	def, min, max int
	rule
}

func (v *integer) accepts(x int) error {
	if x == AutoInt && v.auto != "" || x == 0 && v.zero != "" || x >= v.min && x <= v.max && !(v.above && x == v.min) &&
		!(v.below && x == v.max) {
		return nil
	}
	return errors.New("want " + v.domain())
}

func (v *integer) parse(text string) (func(), error) {
	if text == Auto && v.auto != "" {
		return func() { *v.p = AutoInt }, nil
	}
	x, err := strconv.Atoi(text)
	if err != nil || x == AutoInt && v.auto != "" {
		return nil, errors.New("want " + v.domain())
	}
	return func() { *v.p = x }, v.accepts(x)
}

func (v *integer) check() error        { return v.accepts(*v.p) }
func (v *integer) reset()              { *v.p = v.def }
func (v *integer) text() string        { return v.textOf(*v.p) }
func (v *integer) defaultText() string { return v.textOf(v.def) }

func (v *integer) textOf(x int) string {
	if x == AutoInt && v.auto != "" {
		return Auto
	}
	return strconv.Itoa(x)
}

func (v *integer) json() ([]byte, error) {
	if *v.p == AutoInt && v.auto != "" {
		return quote(Auto)
	}
	return strconv.AppendInt(nil, int64(*v.p), 10), nil
}

func (v *integer) domain() string {
	var min, max string
	if v.min > math.MinInt {
		min = strconv.Itoa(v.min)
	}
	if v.max < math.MaxInt {
		max = strconv.Itoa(v.max)
	}
	return "an integer" + v.bounds(min, max)
}

type number struct {
	p             *float64
	def, min, max float64
	rule
}

func (v *number) accepts(x float64) error {
	finite := !math.IsInf(x, 0) && !math.IsNaN(x)
	if x == 0 && v.zero != "" || finite && x >= v.min && x <= v.max && !(v.above && x == v.min) &&
		!(v.below && x == v.max) {
		return nil
	}
	return errors.New("want " + v.domain())
}

func (v *number) parse(text string) (func(), error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, errors.New("want " + v.domain())
	}
	if x == 0 {
		x = 0 // a negative zero would be another text in JSON
	}
	return func() { *v.p = x }, v.accepts(x)
}

func (v *number) check() error        { return v.accepts(*v.p) }
func (v *number) reset()              { *v.p = v.def }
func (v *number) text() string        { return formatFloat(*v.p) }
func (v *number) defaultText() string { return formatFloat(v.def) }

func (v *number) json() ([]byte, error) {
	if math.IsInf(*v.p, 0) || math.IsNaN(*v.p) {
		return nil, v.check()
	}
	return []byte(v.text()), nil
}

func (v *number) domain() string {
	var min, max string
	if !math.IsInf(v.min, -1) {
		min = boundWords(v.min)
	}
	if !math.IsInf(v.max, 1) {
		max = boundWords(v.max)
	}
	return "a number" + v.bounds(min, max)
}

// formatFloat writes the shortest text that reads back as x; for finite x it is also a JSON number.
func formatFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// boundDigits is the most characters in which a bound is read as a number.
const boundDigits = 10

// boundWords writes a bound for people: a long one that is a power of two as that.
func boundWords(x float64) string {
	text := formatFloat(x)
	if part, exponent := math.Frexp(x); part == 0.5 && len(text) > boundDigits {
		return fmt.Sprintf("2^%d (about %.2g)", exponent-1, x)
	}
	return text
}

// bounds words a range; an empty text is no bound.
func (r rule) bounds(min, max string) string {
	var b strings.Builder
	if min != "" && r.above {
		b.WriteString(" > " + min)
	} else if min != "" {
		b.WriteString(" >= " + min)
	}
	if max != "" && min != "" {
		b.WriteString(" and")
	}
	if max != "" && r.below {
		b.WriteString(" < " + max)
	} else if max != "" {
		b.WriteString(" <= " + max)
	}
	var special []string
	if r.zero != "" {
		special = append(special, "0 = "+r.zero)
	}
	if r.auto != "" {
		special = append(special, Auto+" = "+r.auto)
	}
	if special != nil {
		b.WriteString(" (" + strings.Join(special, "; ") + ")")
	}
	return b.String()
}

type toggle struct {
	p   *bool
	def bool
}

func (v *toggle) parse(text string) (func(), error) {
	x := text == "true"
	if !x && text != "false" {
		return nil, errors.New("want " + v.domain())
	}
	return func() { *v.p = x }, nil
}

func (v *toggle) check() error          { return nil }
func (v *toggle) reset()                { *v.p = v.def }
func (v *toggle) text() string          { return strconv.FormatBool(*v.p) }
func (v *toggle) json() ([]byte, error) { return []byte(v.text()), nil }
func (v *toggle) defaultText() string   { return strconv.FormatBool(v.def) }
func (v *toggle) domain() string        { return "true or false" }

type choice struct {
	p       *string
	def     string
	options []string
}

func (v *choice) accepts(x string) error {
	if slices.Contains(v.options, x) {
		return nil
	}
	if near := Nearest(x, v.options); near != "" {
		return fmt.Errorf("want %s; did you mean %q?", v.domain(), near)
	}
	return errors.New("want " + v.domain())
}

func (v *choice) parse(text string) (func(), error) {
	return func() { *v.p = text }, v.accepts(text)
}

func (v *choice) check() error          { return v.accepts(*v.p) }
func (v *choice) reset()                { *v.p = v.def }
func (v *choice) text() string          { return *v.p }
func (v *choice) json() ([]byte, error) { return quote(*v.p) }
func (v *choice) defaultText() string   { return v.def }

func (v *choice) domain() string {
	last := len(v.options) - 1
	if last < 1 {
		return strings.Join(v.options, "")
	}
	return strings.Join(v.options[:last], ", ") + " or " + v.options[last]
}

type structured[T any] struct {
	p           *T
	def, syntax string
	read        func(string) (T, error)
	write       func(T) string
}

// value reads a text; the error has the syntax.
func (v *structured[T]) value(text string) (T, error) {
	x, err := v.read(text)
	if err != nil {
		err = fmt.Errorf("%w; want %s", err, v.syntax)
	}
	return x, err
}

func (v *structured[T]) parse(text string) (func(), error) {
	x, err := v.value(text)
	return func() { *v.p = x }, err
}

func (v *structured[T]) check() error {
	_, err := v.value(v.text())
	return err
}

func (v *structured[T]) reset()                { *v.p, _ = v.read(v.def) }
func (v *structured[T]) text() string          { return v.write(*v.p) }
func (v *structured[T]) json() ([]byte, error) { return quote(v.text()) }
func (v *structured[T]) defaultText() string   { return v.def }
func (v *structured[T]) domain() string        { return v.syntax }
