package param

import (
	"fmt"
	"slices"
)

// Search is the values of a parameter that tuning tries: numbers between Low and High, or Values.
type Search struct {
	Low   float64  `json:"low,omitempty"` // both ends included
	High  float64  `json:"high,omitempty"`
	Log   bool     `json:"log,omitempty"`    // numbers are drawn evenly by their logarithm
	Whole bool     `json:"whole,omitempty"`  // integers
	Texts []string `json:"values,omitempty"` // of a parameter that is no number; nil: numbers

	// With is another parameter, of the same set, that must have one of WithValues; "" = none. Else
	// this one has no effect, and keeps its value.
	With       string   `json:"with,omitempty"`
	WithValues []string `json:"with_values,omitempty"`
}

// Tune declares the numbers that tuning tries. It panics if the parameter is no number, or does not
// accept an end: declarations are code.
func (p Param) Tune(low, high float64) Param { return p.search(Search{Low: low, High: high}) }

// TuneLog is Tune of numbers above 0 that are drawn evenly by their logarithm.
func (p Param) TuneLog(low, high float64) Param {
	return p.search(Search{Low: low, High: high, Log: true})
}

// TuneAmong declares the texts that tuning tries. It panics if the parameter does not accept one.
func (p Param) TuneAmong(texts ...string) Param { return p.search(Search{Texts: texts}) }

// TuneWith limits tuning to settings in which another parameter has one of some values.
func (p Param) TuneWith(name string, values ...string) Param {
	s := *p.Search
	s.With, s.WithValues = name, values
	p.Search = &s
	return p
}

func (p Param) search(s Search) Param {
	_, s.Whole = p.value.(*integer)
	_, number := p.value.(*number)
	ends := s.Texts
	if s.Texts == nil {
		if !s.Whole && !number || !(s.Low < s.High) || s.Log && !(s.Low > 0) {
			panic(fmt.Sprintf("parameter %s: %+v is no range to search", p.Name, s))
		}
		ends = []string{s.Text(s.Low), s.Text(s.High)}
	}
	for _, text := range ends {
		if _, err := p.value.parse(text); err != nil {
			panic(fmt.Sprintf("parameter %s=%s: %v", p.Name, text, err))
		}
	}
	p.Search = &s
	return p
}

// Text writes a number of the range as Set.Set accepts it. Numbers that are no integers have four
// digits, so that people can read and repeat them.
func (s *Search) Text(x float64) string {
	if s.Whole {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// below returns the search of a parameter as it is below a choice.
func (s *Search) below(choice string) *Search {
	if s == nil || s.With == "" {
		return s
	}
	own := *s
	own.With = choice + "." + s.With
	return &own
}

// Applies reports whether the parameter has an effect among others, whose values are theirs.
func (s *Search) Applies(among Set) bool {
	if s.With == "" {
		return true
	}
	other := among.Lookup(s.With)
	return other != nil && slices.Contains(s.WithValues, other.Value())
}
