package param

import (
	"fmt"
	"slices"
)

// Enum is a type of a few named values, numbered from 0, such as
//
//	type Growth uint8
//
//	const (
//		GrowthLeaf Growth = iota
//		GrowthDepth
//	)
//
//	func (g Growth) String() string { return param.EnumName(growths, g) }
type Enum interface {
	~uint8
	fmt.Stringer
}

// EnumName returns the name of a value, by its number; "unknown(9)" of a number without a name.
func EnumName[E ~uint8](names []string, e E) string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("unknown(%d)", e)
}

// ParseEnum returns the value of a name; the error of an unknown name, with what it is to be a name
// of, suggests the nearest.
func ParseEnum[E ~uint8](what string, names []string, name []byte) (E, error) {
	i := slices.Index(names, string(name))
	if i < 0 {
		return 0, Unknown(what, string(name), names)
	}
	return E(i), nil
}

// OneOf declares a value of an Enum, of which the first is the default. Texts and JSON hold its
// name.
func OneOf[E Enum](p *E, name string, values []E, help string) Param {
	return declare(name, help, &enum[E]{p, values})
}

type enum[E Enum] struct {
	p      *E
	values []E
}

// names returns the choice by name that stands for the enum.
func (v *enum[E]) names(current *string) *choice {
	names := make([]string, len(v.values))
	for i, e := range v.values {
		names[i] = e.String()
	}
	return &choice{p: current, def: names[0], options: names}
}

func (v *enum[E]) parse(text string) (func(), error) {
	for _, e := range v.values {
		if e.String() == text {
			return func() { *v.p = e }, nil
		}
	}
	return nil, v.names(nil).accepts(text)
}

func (v *enum[E]) check() error {
	if slices.Contains(v.values, *v.p) {
		return nil
	}
	return v.names(nil).accepts(v.text())
}

func (v *enum[E]) reset()                { *v.p = v.values[0] }
func (v *enum[E]) text() string          { return (*v.p).String() }
func (v *enum[E]) json() ([]byte, error) { return quote(v.text()) }
func (v *enum[E]) defaultText() string   { return v.values[0].String() }
func (v *enum[E]) domain() string        { return v.names(nil).domain() }
