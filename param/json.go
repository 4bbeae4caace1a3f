package param

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// MarshalJSON writes one object with the parameters of All in their order: integers and numbers as
// numbers, switches as booleans, the rest as strings. The same values give the same bytes. A number
// that JSON cannot hold is an error.
func (s Set) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	all := s.All()
	for i := range all {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := quote(all[i].Name)
		if err != nil {
			return nil, err
		}
		value, err := all[i].value.json()
		if err != nil {
			return nil,
				Faults{{all[i].Name, fmt.Sprintf("%s=%s: %v", all[i].Name, all[i].Value(), err)}}
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON assigns the parameters that an object names, with the checks of Set; the others
// keep their values. A value may also be given as a string that Set would accept. Faults are
// reported all at once and leave everything as it was.
func (s Set) UnmarshalJSON(object []byte) error {
	if !json.Valid(object) {
		return errors.New("parameters are no valid JSON")
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	if t, err := d.Token(); err != nil {
		return err
	} else if t != json.Delim('{') {
		return fmt.Errorf("parameters must be a JSON object, not %v", t)
	}
	a := newAssigner(s)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return err
		}
		name, _ := key.(string) // the decoder lets nothing else be a key
		switch v := value.(type) {
		case string:
			a.add(name, v)
		case json.Number, bool:
			a.add(name, fmt.Sprint(v))
		default:
			a.refuse(name, fmt.Sprintf("%s: want a number, a boolean or a string", name))
		}
	}
	return a.finish()
}

// quote writes a JSON string without the escapes that only HTML needs: class names like <=50K stay
// readable.
func quote(s string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(s)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// Assign gives the parameters the values of others of the same names; both sets are of one type of
// thing.
func (s Set) Assign(from Set) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return s.UnmarshalJSON(text)
}
