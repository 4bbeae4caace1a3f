package jsonl

import (
	"bytes"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
)

// objects are those of a text that begins with a bracket: the elements of an array, which may be
// spread over lines in any way.
type objects struct {
	lines *source.Lines
	array bool   // the text is one
	ended bool   // the array is closed
	first bool   // no element was read
	rest  []byte // of the current line of an array
	whole []byte // an element of several lines
	line  int    // on which the last object begins
}

// mostObject is the largest size of an element of an array in bytes.
const mostObject = 1 << 28

// begin looks at the first line that is not blank, and reports whether there is one.
func (o *objects) begin() (some bool, err error) {
	o.first = true
	for {
		line, err := o.lines.Next()
		if err != nil || line == nil {
			return false, err
		}
		if line = bytes.TrimLeft(line, blanks); len(line) > 0 {
			if o.array = line[0] == '['; o.array {
				o.rest = line[1:]
			}
			return true, nil
		}
	}
}

// skip moves to the next byte that is no blank, and returns it.
func (o *objects) skip() (byte, error) {
	for {
		if o.rest = bytes.TrimLeft(o.rest, blanks); len(o.rest) > 0 {
			return o.rest[0], nil
		}
		line, err := o.lines.Next()
		switch {
		case err != nil:
			return 0, err
		case line == nil && o.ended:
			return 0, nil
		case line == nil:
			return 0, o.lines.Fault(data.ErrFormat, "the array of objects is not closed: the file "+
				"is truncated")
		}
		o.rest = line
	}
}

// next returns the next object, and nil behind the last one. It is valid until the next call.
func (o *objects) next() ([]byte, error) {
	c, err := o.skip()
	if err != nil || o.ended {
		return nil, o.behind(c, err)
	}
	comma := c == ',' && !o.first
	if comma {
		o.rest = o.rest[1:]
		if c, err = o.skip(); err != nil {
			return nil, err
		}
	} else if !o.first && c != ']' {
		return nil, o.lines.Fault(data.ErrFormat, "want a comma or a bracket behind the object, not %q",
			string(rune(c)))
	}
	o.first = false
	switch {
	case c == ']' && !comma:
		o.ended, o.rest = true, o.rest[1:]
		c, err = o.skip()
		return nil, o.behind(c, err)
	case c == '{':
		o.line = o.lines.Number()
		return o.object()
	}
	return nil, o.lines.Fault(data.ErrFormat, "want an object in the array, not %q", string(rune(c)))
}

// behind returns an error unless nothing follows the array.
func (o *objects) behind(c byte, err error) error {
	if err == nil && c != 0 {
		return o.lines.Fault(data.ErrFormat, "%q follows the array of objects", string(rune(c)))
	}
	return err
}

// object returns the object at which the rest of the line begins.
func (o *objects) object() ([]byte, error) {
	o.whole = o.whole[:0]
	depth, quoted := 0, false
	for {
		for i := 0; i < len(o.rest); i++ {
			switch c := o.rest[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth--; depth > 0 {
					continue
				}
				found := o.rest[:i+1]
				o.rest = o.rest[i+1:]
				if len(o.whole) == 0 {
					return found, nil
				}
				return append(o.whole, found...), nil
			}
		}
		if len(o.whole)+len(o.rest) > mostObject {
			return nil, o.lines.Fault(data.ErrLimit, "an object of more than %d bytes", mostObject)
		}
		o.whole = append(append(o.whole, o.rest...), ' ')
		line, err := o.lines.Next()
		switch {
		case err != nil:
			return nil, err
		case line == nil || quoted:
			return nil, o.lines.Fault(data.ErrFormat, "the object that begins on line %d is not closed",
				o.line)
		}
		o.rest = line
	}
}
