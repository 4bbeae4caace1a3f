package csvdata

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// readAgain gives their codes to the rows that late categorical columns took for numbers.
func (t *table) readAgain(ctx context.Context, sources []source) error {
	again := &table{options: t.options, tokens: t.tokens, first: t.first, header: t.header, room: t.room}
	again.columns = make([]column, len(t.columns))
	for j := range t.columns {
		if c := &t.columns[j]; c.again > 0 {
			again.columns[j] = column{name: c.name, want: wantCodes, code: c.code, dict: c.dict}
			again.until = max(again.until, c.again)
		}
	}
	for i := 0; i < len(sources) && again.rows < again.until; i++ {
		if err := again.readSource(ctx, &sources[i]); err != nil {
			return err
		}
	}
	if again.rows < again.until {
		return &Error{File: sources[0].name, Msg: "the file changed while it was read", Err: io.ErrUnexpectedEOF}
	}
	return nil
}

// finish makes the frames: a model's columns in the order of its schema, then the others in the file's.
func (t *table) finish() (*Table, error) {
	var order, kept []*column
	for j := range t.columns {
		c := &t.columns[j]
		if c.want != wantNothing {
			order = append(order, c)
		}
		if c.keptDict != nil {
			kept = append(kept, c)
		}
	}
	slices.SortStableFunc(order, func(a, b *column) int { return cmp.Compare(uint(a.model), uint(b.model)) }) // -1 is last
	for _, c := range order {
		if c.text != "" && t.options.Log != nil {
			t.options.Log("column %q is categorical: %s at %s:%d", c.name, c.text, c.file, c.line)
		}
	}
	result := Table{Columns: t.header}
	var err error
	if result.Frame, err = t.frame(order, (*column).finish); err == nil && len(kept) > 0 {
		result.Verbatim, err = t.frame(kept, (*column).finishVerbatim)
	}
	if err != nil {
		return nil, &Error{File: t.first, Msg: err.Error(), Err: err}
	}
	return &result, nil
}

func (t *table) frame(columns []*column, finish func(*column, int) (data.Field, data.Column)) (*data.Frame, error) {
	schema := data.Schema{Fields: make([]data.Field, len(columns))}
	values := make([]data.Column, len(columns))
	for i, c := range columns {
		schema.Fields[i], values[i] = finish(c, t.rows)
	}
	f, err := data.NewFrame(schema, values)
	if err != nil {
		return nil, err
	}
	origin := t.origin.Origin
	f.Origin = &origin
	return f, nil
}
