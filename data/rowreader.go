package data

import (
	"bytes"
	"fmt"
	"math"
	"reflect"

	"github.com/coppice-ml/coppice/param"
)

// RowReader reads structs as rows of numbers for a model, in the form that the PredictRow of
// package model takes. It has the fields that the model's schema names, by the tags that
// FromStructs uses; other fields of the struct are ignored. It is safe for concurrent use.
type RowReader struct {
	schema Schema
	fields []readField  // of the first fields of schema
	texts  []memberText // of the fields behind them
}

// memberText is a struct field that holds texts.
type memberText struct {
	member
	readText
}

// readField is a struct field that a model uses.
type readField struct {
	member
	levels *LevelIndex // the model's categories, of a categorical field
}

// NewRowReader matches the fields of a struct type, by name, to the schema of a model. Errors name
// the struct: a column without a field, with the nearest name; a field of another kind than its
// column; and those of FromStructs. A numeric field may stand for a column of bare codes (see
// Field.BareCodes): Schema has it as numeric. A boolean may stand for such a column and for a
// numeric one: it is 1 or 0.
func NewRowReader(t reflect.Type, s *Schema) (*RowReader, error) {
	if t == nil || t.Kind() != reflect.Struct || isTime(t) {
		return nil, fmt.Errorf("want a struct, got %v", t)
	}
	members, err := membersOf(t, nil, nil)
	if err != nil {
		return nil, err
	}
	r := &RowReader{}
	for _, m := range members {
		field, own := Field{Name: m.name, Kind: m.cell.kind}, readField{member: m}
		if m.cell.text != nil && field.Kind != Text {
			field.Kind = Categorical
		}
		i := s.Index(m.name)
		if i >= 0 && m.cell.truth != nil && (s.Fields[i].Kind == Numeric || s.Fields[i].BareCodes()) {
			field.Kind, own.cell = Numeric, cell{number: m.cell.truth}
		}
		if i >= 0 && s.Fields[i].Kind == Categorical && field.Kind == Categorical {
			field.Levels, field.Format = s.Fields[i].Levels, s.Fields[i].Format
			own.levels = IndexLevels(&field)
		}
		r.schema.Fields = append(r.schema.Fields, field)
		r.fields = append(r.fields, own)
	}
	if err := r.schema.Validate(); err != nil {
		return nil, fmt.Errorf("struct %s: %w", t, err)
	}
	if err := r.check(t, s); err != nil {
		return nil, err
	}
	r.leaveOut(s)
	r.takeTexts(s)
	return r, nil
}

// check reports what of a model's schema the struct does not have.
func (r *RowReader) check(t reflect.Type, s *Schema) error {
	if name, absent := s.Absent(&r.schema); absent {
		if near := param.Nearest(name, r.schema.Names()); near != "" {
			return fmt.Errorf("struct %s has no field for the model's column %q: the nearest is "+
				"%q; name it by the tag `coppice:%q`", t, name, near, name)
		}
		return fmt.Errorf("struct %s has no field for the model's column %q: name one by the tag "+
			"`coppice:%q`", t, name, name)
	}
	for i := range s.Fields {
		want := &s.Fields[i]
		at, kind := r.schema.Index(want.Name), want.Kind
		if at < 0 {
			at, kind = r.schema.Index(want.Source()), Date
		}
		got := r.schema.Fields[at].Kind
		if want.Text != nil && want.Name != r.schema.Fields[at].Name {
			if !got.HasLevels() {
				return fmt.Errorf("struct %s: the field for the column %q is %s, the model was "+
					"trained on texts", t, r.schema.Fields[at].Name, got)
			}
			continue
		}
		if got != kind && !(got == Numeric && want.BareCodes()) {
			advice := ""
			if kind == Categorical {
				advice = "; the tag option categorical makes categories of numbers"
			}
			return fmt.Errorf("struct %s: the field for the column %q is %s, the model was "+
				"trained on a %s one%s", t, r.schema.Fields[at].Name, got, kind, advice)
		}
	}
	return nil
}

// leaveOut drops the fields that the model does not use.
func (r *RowReader) leaveOut(s *Schema) {
	used := map[string]bool{}
	for i := range s.Fields {
		name := s.Fields[i].Name
		if r.schema.Index(name) < 0 {
			name = s.Fields[i].Source()
		}
		used[name] = true
	}
	n := 0
	for i := range r.fields {
		if used[r.schema.Fields[i].Name] {
			r.schema.Fields[n], r.fields[n] = r.schema.Fields[i], r.fields[i]
			n++
		}
	}
	r.schema.Fields, r.fields = r.schema.Fields[:n], r.fields[:n]
}

// takeTexts takes the fields of texts out of the others, and puts what a model's schema makes of
// them behind these.
func (r *RowReader) takeTexts(s *Schema) {
	fields, own := r.schema.Fields, r.fields
	r.schema.Fields, r.fields = nil, nil
	var texts []Field
	for i := range fields {
		if made := s.madeOf(fields[i].Name); len(made) > 0 && made[0].Text != nil {
			texts = append(texts, made...)
			r.texts = append(r.texts, memberText{own[i].member, newReadText(made)})
			continue
		}
		r.schema.Fields, r.fields = append(r.schema.Fields, fields[i]), append(r.fields, own[i])
	}
	r.schema.Fields = append(r.schema.Fields, texts...)
}

// Schema returns the columns that Read fills in, to which a model is bound. Callers must not change
// it.
func (r *RowReader) Schema() *Schema { return &r.schema }

// Read writes a number for each field of Schema. A missing value is NaN and a date is in
// microseconds. A category is its code in the model's dictionary, or -1 if it is not there, unless
// the field is numeric. A text becomes the counts of its n-grams. row is a struct of the type that
// the reader was made for. text is scratch memory: it is returned, and may be nil.
func (r *RowReader) Read(dst []float64, row reflect.Value, text []byte) []byte {
	for i := range r.fields {
		f := &r.fields[i]
		v, ok := f.of(row)
		switch {
		case !ok:
			dst[i] = math.NaN()
		case f.cell.number != nil:
			dst[i] = f.cell.number(v)
		default:
			text = f.cell.text(text[:0], v)
			dst[i] = f.code(bytes.TrimSpace(text))
		}
	}
	behind := dst[len(r.fields):]
	for i := range r.texts {
		t := &r.texts[i]
		text = t.read(behind[:t.to], row, text)
		behind = behind[t.to:]
	}
	return text
}

// read writes the numbers that a text becomes. text is scratch memory, which is returned.
func (t *memberText) read(dst []float64, row reflect.Value, text []byte) []byte {
	v, ok := t.of(row)
	if ok && t.cell.kind == Text {
		ok = !t.cell.absent(v)
	}
	if ok {
		text = t.cell.text(text[:0], v)
		ok = t.cell.kind == Text || len(bytes.TrimSpace(text)) > 0
	}
	if ok {
		t.tally(dst, string(text))
	} else {
		t.missing(dst)
	}
	return text
}

// code returns the code of a category.
func (f *readField) code(text []byte) float64 {
	if len(text) == 0 {
		return math.NaN()
	}
	if code := f.levels.FindBytes(text); code != UnseenCode {
		return float64(code)
	}
	return -1
}
