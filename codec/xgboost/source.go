package xgboost

import (
	"math"
	"strconv"
	"strings"
)

// source reads the values of a file one after the other, whatever its encoding. Each method reads
// the next value, and it is damage if that is of another kind.
type source interface {
	// object calls member with the name of each member; member reads the value.
	object(member func(name string))
	// array calls element with the number of each element; element reads it.
	array(element func(i int))
	text() string
	integer() int64 // true is 1
	float() float32
	skip()
	// nextKind returns the kind of the next value: textKind, objectKind, or another byte.
	nextKind() byte
	// where returns the place of the value that is read: the next byte, and members and elements.
	where() (offset int64, path string)
}

// The kinds of values that nextKind tells apart.
const (
	textKind   = 'S'
	objectKind = '{'
)

// decoding reads the parts of a structure from a source.
type decoding struct {
	*input
	source
}

// corrupt reports damage of the value that is read.
func (d *decoding) corrupt(format string, args ...any) {
	d.at, d.section = d.where()
	d.input.corrupt(format, args...)
}

// members reads an object. of returns the function that reads a member; nil leaves it out.
func (d *decoding) members(of func(name string) func()) {
	d.object(func(name string) {
		if read := of(name); read != nil {
			read()
		} else {
			d.skip()
		}
	})
}

// floats returns a function that reads an array of numbers.
func (d *decoding) floats(to *[]float32) func() {
	return func() {
		d.array(func(int) { *to = push(d.input, *to, d.float()) })
	}
}

// integers returns a function that reads an array of integers. XGBoost stores counts and places in
// 64 bits, but nothing has so many elements.
func integers[T int32 | uint8](d *decoding, to *[]T, low, high int64) func() {
	return func() {
		d.array(func(int) {
			x := d.integer()
			if x < low || x > high {
				d.corrupt("%d is not from %d to %d", x, low, high)
			}
			*to = push(d.input, *to, T(x))
		})
	}
}

// int32s is integers for any number of 32 bits.
func (d *decoding) int32s(to *[]int32) func() {
	return integers(d, to, math.MinInt32, math.MaxInt32)
}

// texts returns a function that reads an array of texts.
func (d *decoding) texts(to *[]string) func() {
	return func() {
		d.array(func(int) { *to = push(d.input, *to, d.text()) })
	}
}

// textTo returns a function that reads a text.
func (d *decoding) textTo(to *string) func() {
	return func() { *to = d.text() }
}

// parameter returns a function that reads a count of XGBoost's parameters, which are texts.
func (d *decoding) parameter(to *int64) func() {
	return func() {
		s := d.text()
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 || n > math.MaxInt32 {
			d.corrupt("%q is not a count", s)
		}
		*to = n
	}
}

// vector returns a function that reads a parameter that is a number, "5E-1", or since 3.1 a list of
// them, "[5E-1,1E0]".
func (d *decoding) vector(to *[]float32) func() {
	return func() {
		s := d.text()
		list, ok := strings.CutPrefix(s, "[")
		if ok {
			if list, ok = strings.CutSuffix(list, "]"); !ok {
				d.corrupt("a list without its end: %.40q", s)
			}
		}
		for part := range strings.SplitSeq(list, ",") {
			x, err := strconv.ParseFloat(strings.TrimSpace(part), 32)
			if err != nil {
				d.corrupt("%.40q is not a number", part)
			}
			*to = push(d.input, *to, float32(x))
		}
	}
}
