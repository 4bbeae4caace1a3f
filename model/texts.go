package model

import (
	"math"
	"sync"

	"github.com/coppice-ml/coppice/data"
)

// BindTexts binds a model of some columns of texts to a table that may have the texts themselves.
// bind binds it to a table that has the columns; s is the table's schema, and own the model's. The
// Bind of models that do not leave it to RowEvaluator.Bind calls it, so that a text is expanded
// once for all of their members.
func BindTexts(
	own, s *data.Schema, bind func(*data.Schema) (Predictor, error),
) (Predictor, error) {
	texts := false
	for i := range own.Fields {
		if own.Fields[i].Text != nil {
			texts = true
			break
		}
	}
	if !texts {
		return bind(s)
	}
	if err := checkTexts(own, s); err != nil {
		return nil, err
	}
	x := newTextExpansion(own, s)
	if x == nil {
		p, err := bind(s)
		if err != nil {
			return nil, err
		}
		return &textTables{p, own}, nil
	}
	p, err := bind(x.columns())
	if err != nil {
		return nil, err
	}
	return &textPredictor{textTables: textTables{p, own}, texts: x, columns: s.Names()}, nil
}

// checkTexts returns a *KindError of a text that is a column of another kind in a table.
func checkTexts(own, s *data.Schema) error {
	checked := ""
	for i := range own.Fields {
		f := &own.Fields[i]
		if f.Text == nil || f.Text.Source == checked {
			continue
		}
		checked = f.Text.Source // its fields are all there or all absent
		if s.Index(f.Name) >= 0 {
			continue
		}
		if at := s.Index(checked); at >= 0 && !s.Fields[at].Kind.HasLevels() {
			return &KindError{Column: checked, Want: data.Text, Got: s.Fields[at].Kind}
		}
	}
	return nil
}

// textTables is a predictor of tables that may have texts where a model has columns of them.
type textTables struct {
	Predictor
	own *data.Schema
}

// Predict expands the texts of the rows first.
func (p *textTables) Predict(dst []float64, f *data.Frame, rows []int32) error {
	if err := f.CheckRows(rows); err != nil {
		return err
	}
	if err := checkTexts(p.own, &f.Schema); err != nil {
		return err
	}
	return p.Predictor.Predict(dst, data.ExpandTexts(f, p.own, rows), rows)
}

// textPredictor is bound to a table that has texts.
type textPredictor struct {
	textTables
	texts   *textExpansion
	columns []string  // of the table
	rows    sync.Pool // of *textRow
}

// textRow is an expanded row.
type textRow struct {
	values []float64
	index  []int32 // of a sparse row
}

func (p *textPredictor) row() *textRow {
	if r, _ := p.rows.Get().(*textRow); r != nil {
		return r
	}
	return &textRow{values: make([]float64, len(p.texts.columns().Fields))}
}

func (p *textPredictor) PredictRow(dst, row []float64) error {
	if len(row) < len(p.columns) {
		return &SizeError{Want: len(p.columns), Got: len(row)}
	}
	r := p.row()
	defer p.rows.Put(r)
	if bad := p.texts.row(r.values, row[:len(p.columns)]); bad >= 0 {
		return p.noCode(bad)
	}
	return p.Predictor.PredictRow(dst, r.values)
}

func (p *textPredictor) PredictSparse(dst []float64, index []int32, value []float64) error {
	if len(value) != len(index) {
		return &SizeError{Want: len(index), Got: len(value)}
	}
	r := p.row()
	defer p.rows.Put(r)
	code := make([]float64, p.texts.count()) // by text: NaN where the row does not name it
	for i := range code {
		code[i] = math.NaN()
	}
	r.index = r.index[:0]
	var others []float64
	for i, c := range index {
		if uint(c) >= uint(len(p.columns)) {
			return &IndexError{c, len(p.columns)}
		}
		if text := p.textAt(int(c)); text >= 0 {
			code[text] = value[i]
			continue
		}
		r.index, others = append(r.index, int32(p.texts.placeOf(int(c)))), append(others, value[i])
	}
	for text := range p.texts.count() {
		column, from, to := p.texts.places(text)
		if !p.texts.expand(text, r.values, code[text]) {
			return p.noCode(column)
		}
		for at := from; at < to; at++ {
			r.index, others = append(r.index, int32(at)), append(others, r.values[at])
		}
	}
	return p.Predictor.PredictSparse(dst, r.index, others)
}

// textAt returns the text that a column of the table is, -1 if it is none.
func (p *textPredictor) textAt(column int) int {
	for text := range p.texts.count() {
		if at, _, _ := p.texts.places(text); at == column {
			return text
		}
	}
	return -1
}

// noCode is the error of a number that is no code of a text column.
func (p *textPredictor) noCode(column int) error {
	return &ValueError{Column: p.columns[column], Row: -1, What: "the number is no code of the " +
		"bound dictionary: use NaN for a missing text"}
}
