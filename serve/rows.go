package serve

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/param"
)

// fault is a value of a request that cannot be predicted.
type fault struct {
	Row    int    `json:"row"`              // from 1
	Column string `json:"column,omitempty"` // "" = the row as a whole
	Detail string `json:"detail"`
}

func (f *fault) Error() string {
	if f.Column == "" {
		return fmt.Sprintf("row %d: %s", f.Row, f.Detail)
	}
	return fmt.Sprintf("row %d, column %q: %s", f.Row, f.Column, f.Detail)
}

// faultList are those of a request, in the order of its rows.
type faultList struct {
	first []*fault
	more  int // behind these
}

func (f faultList) Error() string { return f.first[0].Error() }

// add appends faults. Few are kept, since each may take more than the value that is wrong.
func (f *faultList) add(faults ...*fault) {
	n := min(len(faults), mostFaults-len(f.first))
	f.first = append(f.first, faults[:n]...)
	f.more += len(faults) - n
}

// mostFaults is how many faults an answer, or one of its rows, lists. Of all rows an answer lists
// mostListed.
const mostFaults, mostListed = 20, 1000

// syntaxError reports a body that is not what its type says.
type syntaxError struct{ text string }

func (e *syntaxError) Error() string { return e.text }

func syntaxf(format string, args ...any) error {
	return &syntaxError{fmt.Sprintf(format, args...)}
}

// reading is how the rows of a request are read.
type reading struct {
	model  *Model
	absent string       // what a column means that a row does not name: refuse, missing or zero
	strict bool         // a field that is no column is a fault
	id     string       // a field that is given back with the prediction; "" = none
	seen   *Observation // nil: nobody wants it
}

// named is a row that was read, with what stands beside the model's columns.
type named struct {
	id     []byte // of JSON; nil: the row has none
	faults faultList
}

// object reads the fields of a JSON object into r.
func (in *reading) object(s *jsonScanner, r *rowScratch, row int) (named, error) {
	var out named
	clear(r.named)
	from := s.At
	err := s.object(func(key []byte) error { return in.field(s, r, &out, key, row) })
	if err != nil {
		return out, err
	}
	known := len(out.faults.first)
	in.rest(r, &out, row)
	if absent := out.faults.first[known:]; len(absent) > 0 && !in.strict && row <= mostFaults { // it takes long
		in.suggest(s.Text[from:s.At], absent)
	}
	return out, nil
}

// suggest adds to faults of absent columns the fields of their row that may be meant by them.
func (in *reading) suggest(object []byte, absent []*fault) {
	var s jsonScanner
	s.reset(object)
	var strays []string
	_ = s.object(func(key []byte) error { // which was read before
		if len(strays) < mostFaults && len(key) <= mostName && in.model.rows.Index(key) < 0 {
			strays = append(strays, string(key))
		}
		return s.skip()
	})
	for _, f := range absent {
		if near := param.Nearest(f.Column, strays); near != "" {
			f.Detail += fmt.Sprintf(", and the field %q is no column", near)
		}
	}
}

// mostName is how much of a name that is no column an error shows, in bytes.
const mostName = 200

// field reads the value of a field of an object.
func (in *reading) field(s *jsonScanner, r *rowScratch, out *named, key []byte, row int) (err error) {
	column := in.model.rows.Index(key)
	given := in.id != "" && string(key) == in.id
	if column < 0 && !given && in.strict && len(out.faults.first) == mostFaults {
		out.faults.more++ // the nearest name takes long
	} else if column < 0 && !given && in.strict {
		name := strings.ToValidUTF8(string(key[:min(len(key), mostName)]), "")
		out.fault(row, name, in.unknown(name))
	}
	if column >= 0 {
		if r.named[column] {
			out.fault(row, string(key), "the field occurs twice")
		}
		r.named[column] = true
	}
	from := s.At
	if column >= 0 {
		err = in.value(s, r, out, column, row)
	} else {
		err = s.skip()
	}
	if given {
		out.id = bytes.TrimSpace(s.Text[from:s.At])
	}
	return err
}

// value reads the value of a column.
func (in *reading) value(s *jsonScanner, r *rowScratch, out *named, column, row int) error {
	rows := in.model.rows
	var wrong error
	switch s.Next() {
	case '"':
		text, err := s.quoted("a text")
		switch {
		case err == nil:
			wrong = rows.Text(r.row, column, text)
		case errors.Is(err, errText):
			wrong = err
		default:
			return err
		}
	case '{', '[':
		if err := s.skip(); err != nil {
			return err
		}
		wrong = errors.New("want one value, not an object or an array")
	default:
		from := s.At
		word := s.Word()
		switch {
		case string(word) == "null":
			rows.Missing(r.row, column)
		case string(word) == "true", string(word) == "false":
			wrong = rows.Truth(r.row, column, word[0] == 't')
		case spelling.JSONNumber(word):
			wrong = rows.Numeral(r.row, column, word)
		default:
			s.At = from
			if strings.EqualFold(string(word), "nan") {
				return s.broken("null for a missing value")
			}
			return s.broken("a value")
		}
	}
	if wrong != nil {
		out.fault(row, rows.Field(column).Name, wrong.Error())
	}
	return nil
}

// rest gives the columns that a row does not name their values.
func (in *reading) rest(r *rowScratch, out *named, row int) {
	rows := in.model.rows
	for column, has := range r.named {
		if has {
			continue
		}
		switch f := rows.Field(column); {
		case in.absent == "zero" && f.Kind == data.Numeric:
			_ = rows.Number(r.row, column, 0) // which a column of numbers takes
		case in.absent == "zero" || in.absent == "missing":
			rows.Missing(r.row, column)
		default:
			out.fault(row, f.Name, "the row does not name the column: null is a missing value")
		}
	}
}

// unknown says that a field is no column, with the nearest.
func (in *reading) unknown(key string) string {
	names := make([]string, in.model.rows.Columns())
	for i := range names {
		names[i] = in.model.rows.Field(i).Name
	}
	if near := param.Nearest(key, names); near != "" {
		return fmt.Sprintf("the model has no such column: the nearest is %q", near)
	}
	return "the model has no such column"
}

func (n *named) fault(row int, column, detail string) {
	n.faults.add(&fault{Row: row, Column: column, Detail: detail})
}

// giveID keeps the text in the field that is given back.
func (n *named) giveID(row int, field, text string) {
	if n.id = quotedJSON(text); !utf8.ValidString(text) {
		n.fault(row, field, "want a text in UTF-8")
	}
}
