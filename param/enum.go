package param

import (
	"fmt"
	"slices"
)

// Enum is a type of a few named values, numbered from 0, such as
//
//	type Growth = param.Enum[growthNames]
//
//	const (
//		GrowthLeaf Growth = iota
//		GrowthDepth
//	)
//
//	type growthNames struct{}
//
//	func (growthNames) Enum() (string, []string) { return "growth", []string{"leaf", "depth"} }
type Enum[N Names] uint8

// Names is the type that has the names of the values of an Enum.
type Names interface {
	// Enum returns what the names are of, such as the parameter that has them, and all of them.
	Enum() (what string, names []string)
}

// String returns the name of the value, "unknown(9)" of a number without a name.
func (e Enum[N]) String() string {
	var n N
	_, names := n.Enum()
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("unknown(%d)", uint8(e))
}

// MarshalText writes the value by its name.
func (e Enum[N]) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; the error of any other name suggests the
// nearest.
func (e *Enum[N]) UnmarshalText(text []byte) error {
	var n N
	what, names := n.Enum()
	i := slices.Index(names, string(text))
	*e = Enum[N](max(0, i))
	if i < 0 {
		return Unknown(what, string(text), names)
	}
	return nil
}

// named is an Enum, or a type like it with names of its own.
type named interface {
	~uint8
	fmt.Stringer
}

// AnyOf declares a value of an Enum, of which the first is the default. Texts and JSON hold its
// name.
func AnyOf[N Names](p *Enum[N], name, help string) Param {
	var n N
	_, names := n.Enum()
	values := make([]Enum[N], len(names))
	for i := range values {
		values[i] = Enum[N](i)
	}
	return OneOf(p, name, values, help)
}

// OneOf declares one of some values, of which the first is the default. Texts and JSON hold its
// name.
func OneOf[E named](p *E, name string, values []E, help string) Param {
	return declare(name, help, &oneOf[E]{p, values})
}

type oneOf[E named] struct {
	p      *E
	values []E
}

// names returns the choice by name that stands for the enum.
func (v *oneOf[E]) names(current *string) *choice {
	names := make([]string, len(v.values))
	for i, e := range v.values {
		names[i] = e.String()
	}
	return &choice{p: current, def: names[0], options: names}
}

func (v *oneOf[E]) parse(text string) (func(), error) {
	for _, e := range v.values {
		if e.String() == text {
			return func() { *v.p = e }, nil
		}
	}
	return nil, v.names(nil).accepts(text)
}

func (v *oneOf[E]) check() error {
	if slices.Contains(v.values, *v.p) {
		return nil
	}
	return v.names(nil).accepts(v.text())
}

func (v *oneOf[E]) reset()                { *v.p = v.values[0] }
func (v *oneOf[E]) text() string          { return (*v.p).String() }
func (v *oneOf[E]) json() ([]byte, error) { return quote(v.text()) }
func (v *oneOf[E]) defaultText() string   { return v.values[0].String() }
func (v *oneOf[E]) domain() string        { return v.names(nil).domain() }
