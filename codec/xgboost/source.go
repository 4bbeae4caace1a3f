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
	object(member func(name string) error) error
	// array calls element with the number of each element; element reads it.
	array(element func(i int) error) error
	text() (string, error)
	integer() (int64, error) // true is 1
	float() (float32, error)
	skip() error
	// nextKind returns the kind of the next value: textKind, objectKind, or another byte.
	nextKind() (byte, error)
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
func (d *decoding) corrupt(format string, args ...any) error {
	d.at, d.section = d.where()
	return d.input.corrupt(format, args...)
}

// members reads an object. of returns the function that reads a member; nil leaves it out.
func (d *decoding) members(of func(name string) func() error) error {
	return d.object(func(name string) error {
		if read := of(name); read != nil {
			return read()
		}
		return d.skip()
	})
}

// floats returns a function that reads an array of numbers.
func (d *decoding) floats(to *[]float32) func() error {
	return func() error {
		return d.array(func(int) error {
			x, err := d.float()
			if err != nil {
				return err
			}
			*to, err = push(d.input, *to, x)
			return err
		})
	}
}

// integers returns a function that reads an array of integers. XGBoost stores counts and places in
// 64 bits, but nothing has so many elements.
func integers[T int32 | uint8](d *decoding, to *[]T, low, high int64) func() error {
	return func() error {
		return d.array(func(int) error {
			x, err := d.integer()
			if err != nil {
				return err
			}
			if x < low || x > high {
				return d.corrupt("%d is not from %d to %d", x, low, high)
			}
			*to, err = push(d.input, *to, T(x))
			return err
		})
	}
}

// int32s is integers for any number of 32 bits.
func (d *decoding) int32s(to *[]int32) func() error {
	return integers(d, to, math.MinInt32, math.MaxInt32)
}

// texts returns a function that reads an array of texts.
func (d *decoding) texts(to *[]string) func() error {
	return func() error {
		return d.array(func(int) error {
			s, err := d.text()
			if err != nil {
				return err
			}
			*to, err = push(d.input, *to, s)
			return err
		})
	}
}

// textTo returns a function that reads a text.
func (d *decoding) textTo(to *string) func() error {
	return func() (err error) {
		*to, err = d.text()
		return err
	}
}

// parameter returns a function that reads a count of XGBoost's parameters, which are texts.
func (d *decoding) parameter(to *int64) func() error {
	return func() error {
		s, err := d.text()
		if err != nil {
			return err
		}
		if *to, err = strconv.ParseInt(s, 10, 64); err != nil || *to < 0 || *to > math.MaxInt32 {
			return d.corrupt("%q is not a count", s)
		}
		return nil
	}
}

// vector returns a function that reads a parameter that is a number, "5E-1", or since 3.1 a list of
// them, "[5E-1,1E0]".
func (d *decoding) vector(to *[]float32) func() error {
	return func() error {
		s, err := d.text()
		if err != nil {
			return err
		}
		list, ok := strings.CutPrefix(s, "[")
		if ok {
			if list, ok = strings.CutSuffix(list, "]"); !ok {
				return d.corrupt("a list without its end: %.40q", s)
			}
		}
		for part := range strings.SplitSeq(list, ",") {
			x, err := strconv.ParseFloat(strings.TrimSpace(part), 32)
			if err != nil {
				return d.corrupt("%.40q is not a number", part)
			}
			if *to, err = push(d.input, *to, float32(x)); err != nil {
				return err
			}
		}
		return nil
	}
}
