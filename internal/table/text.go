package table

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// readTexts makes a column one of texts.
func (p *Plan) readTexts(c *Column, format data.TextFormat) {
	c.Field.Kind, c.Field.Format = data.Text, format.Code()
	c.Storage, c.Dict = Codes, p.dictionary(c)
	c.Dict.brief = true
}

// checkTexts returns an error if a column that was requested to be texts holds nothing but numbers.
// A table for a model may be a few rows of them.
func checkTexts(c *Column, o *data.ReadOptions, rows int, origin *data.Origin) *data.ReadError {
	if _, requested := o.Texts[c.Field.Name]; !requested || c.Field.Kind != data.Text {
		return nil
	}
	first := -1
	for _, level := range c.Dict.levels {
		if _, ok := ParseNumber(trim([]byte(level))); !ok {
			return nil
		}
	}
	for row, code := range c.Code[:rows] {
		if code < data.UnseenCode {
			first = row
			break
		}
	}
	if first < 0 {
		return nil
	}
	file, line := origin.Place(first)
	return &data.ReadError{File: file, Line: line, Column: c.Field.Name, Err: data.ErrOption,
		Msg: fmt.Sprintf("all texts are numbers, such as %s: leave the column out of the texts",
			Quote([]byte(c.Dict.levels[c.Code[first]])))}
}
