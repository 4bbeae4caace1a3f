package xgboost

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// readJSON reads a file in JSON.
func readJSON(in *input) (*file, error) {
	s := &jsonSource{input: in}
	f, err := readFile(&decoding{in, s})
	if err != nil {
		return nil, err
	}
	return f, s.end()
}

// jsonSource reads JSON value by value. As XGBoost does it takes NaN and Infinity for numbers.
type jsonSource struct {
	*input
	scratch []byte // of the text or number that is read
}

// spaces leaves out spaces and returns the byte after them, which is read again.
func (s *jsonSource) spaces() (byte, error) {
	for {
		b, err := s.peek()
		if err != nil || b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			return b, err
		}
		if _, err := s.next(); err != nil {
			return 0, err
		}
	}
}

// expect reads a byte after spaces.
func (s *jsonSource) expect(want byte) error {
	got, err := s.spaces()
	if err != nil {
		return err
	}
	if got != want {
		return s.corrupt("%q where %q is expected", got, want)
	}
	_, err = s.next()
	return err
}

// end checks that nothing but spaces follows.
func (s *jsonSource) end() error {
	for s.at < s.size {
		b, err := s.next()
		if err != nil {
			return err
		}
		if b != ' ' && b != '\n' && b != '\t' && b != '\r' && b != 0 {
			return s.corrupt("%q after the end", b)
		}
	}
	return nil
}

// list reads what stands between two brackets, with commas between its parts.
func (s *jsonSource) list(open, closing byte, part func() error) error {
	if err := s.expect(open); err != nil {
		return err
	}
	b, err := s.spaces()
	if err != nil {
		return err
	}
	if b == closing {
		return s.expect(closing)
	}
	for {
		if err := part(); err != nil {
			return err
		}
		b, err := s.spaces()
		if err != nil {
			return err
		}
		if b == closing {
			return s.expect(closing)
		}
		if err := s.expect(','); err != nil {
			return err
		}
	}
}

func (s *jsonSource) object(member func(name string) error) error {
	return s.list('{', '}', func() error {
		name, err := s.text()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		return member(name)
	})
}

func (s *jsonSource) array(element func() error) error { return s.list('[', ']', element) }

// quoted reads a text with its quotes and escapes into the scratch buffer, where it is kept.
func (s *jsonSource) quoted(keep bool) (escaped bool, err error) {
	if err := s.expect('"'); err != nil {
		return false, err
	}
	s.scratch = append(s.scratch[:0], '"')
	for {
		b, err := s.next()
		if err != nil {
			return false, err
		}
		if len(s.scratch) > longestText {
			return false, s.corrupt("a text is longer than %d bytes", longestText)
		}
		if keep {
			s.scratch = append(s.scratch, b)
		}
		switch {
		case b == '"':
			return escaped, nil
		case b < ' ':
			return false, s.corrupt("a text with byte %#x", b)
		case b == '\\':
			escaped = true
			if b, err = s.next(); err != nil {
				return false, err
			}
			if keep {
				s.scratch = append(s.scratch, b)
			}
		}
	}
}

func (s *jsonSource) text() (string, error) {
	escaped, err := s.quoted(true)
	if err != nil {
		return "", err
	}
	if !escaped {
		return s.texted(s.scratch[1 : len(s.scratch)-1])
	}
	if err := s.Take(int64(len(s.scratch))); err != nil {
		return "", err
	}
	var text string
	if err := json.Unmarshal(s.scratch, &text); err != nil {
		return "", s.corrupt("a text: %w", err)
	}
	return text, nil
}

// longestNumber bounds the texts of numbers.
const longestNumber = 64

// word reads a number, or a name such as true, into the scratch buffer. A text of its own for each
// number would take more memory than the arrays.
func (s *jsonSource) word() ([]byte, error) {
	if _, err := s.spaces(); err != nil {
		return nil, err
	}
	s.scratch = s.scratch[:0]
	for {
		b, err := s.peek()
		if err != nil {
			return nil, err
		}
		letter := b|0x20 >= 'a' && b|0x20 <= 'z'
		if !letter && (b < '0' || b > '9') && b != '-' && b != '+' && b != '.' {
			break
		}
		if len(s.scratch) == longestNumber {
			return nil, s.corrupt("a number of more than %d digits", longestNumber)
		}
		s.scratch = append(s.scratch, b)
		if _, err := s.next(); err != nil {
			return nil, err
		}
	}
	if len(s.scratch) == 0 {
		b, err := s.peek()
		if err != nil {
			return nil, err
		}
		return nil, s.corrupt("%q where a value is expected", b)
	}
	return s.scratch, nil
}

func (s *jsonSource) integer() (int64, error) {
	word, err := s.word()
	if err != nil {
		return 0, err
	}
	switch string(word) {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	if !bytes.ContainsAny(word, ".eE") {
		n, err := strconv.ParseInt(string(word), 10, 64)
		if err != nil {
			return 0, s.corrupt("%.40q is not an integer", word)
		}
		return n, nil
	}
	// other programs that write JSON may write 1.0 or 1e3
	x, err := strconv.ParseFloat(string(word), 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, s.corrupt("%.40q is not an integer", word)
	}
	return int64(x), nil
}

// errorSize bounds the memory of an error of strconv.
const errorSize = 256

func (s *jsonSource) float() (float32, error) {
	word, err := s.word()
	if err != nil {
		return 0, err
	}
	x, err := strconv.ParseFloat(string(word), 32)
	if err != nil && math.IsInf(x, 0) {
		return float32(x), s.Take(errorSize) // a number beyond single precision
	}
	if err != nil {
		return 0, s.corrupt("%.40q is not a number", word)
	}
	return float32(x), nil
}

// deepest bounds how deep values lie within each other.
const deepest = 64

func (s *jsonSource) skip() error { return s.skipAt(0) }

func (s *jsonSource) skipAt(depth int) error {
	if depth > deepest {
		return s.corrupt("more than %d values within each other", deepest)
	}
	b, err := s.spaces()
	if err != nil {
		return err
	}
	inner := func() error { return s.skipAt(depth + 1) }
	switch b {
	case '{':
		return s.list('{', '}', func() error {
			if _, err := s.quoted(false); err != nil {
				return err
			}
			if err := s.expect(':'); err != nil {
				return err
			}
			return inner()
		})
	case '[':
		return s.array(inner)
	case '"':
		_, err := s.quoted(false)
		return err
	}
	_, err = s.word()
	return err
}
