package table

import (
	"context"
	"iter"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// features returns the table in the file, behind the last row.
func (s *spill) features() (data.Features, error) {
	b := s.b
	if err := b.last(); err != nil {
		return nil, err
	}
	written := map[*Column][]string{}
	for c := range s.counts {
		if c.Dict.Open() {
			written[c] = c.Dict.levels
		}
	}
	found, rows, err := (&scan{b: b, counts: s.counts}).found()
	if err != nil {
		return nil, err
	}
	f := &spilled{data.Outline(found.Schema, rows, found.Origin), s, &b.files.lines,
		make([]spilledField, len(found.Schema.Fields))}
	for i := range f.fields {
		c := b.byName[found.Schema.Fields[i].Name]
		if c == nil {
			continue
		}
		f.fields[i] = spilledField{column: c, meaning: c.resolved.meaning}
		if levels, open := written[c]; open && c.resolved.meaning == nil {
			f.fields[i].renumber = renumber(levels, c.Dict.levels)
		}
	}
	return f, nil
}

// renumber returns the places of texts among the same ones in order.
func renumber(levels, sorted []string) []uint32 {
	places := make([]uint32, len(levels))
	for code, level := range levels {
		at, _ := slices.BinarySearch(sorted, level)
		places[code] = uint32(at)
	}
	return places
}

// spilled is the table in the file of a spill.
type spilled struct {
	*data.Frame // its outline
	from        *spill
	lines       *Lines
	fields      []spilledField
}

// spilledField is what the values of a column in the file mean.
type spilledField struct {
	column   *Column   // nil: it is spare
	meaning  []float64 // by code: numbers that texts proved to be; nil: none
	renumber []uint32  // by code: the code in order; nil: the same
}

// Blocks implements data.RowSource.
func (f *spilled) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	return f.BlocksOf(ctx, data.Region{To: f.Rows()})
}

// BlocksOf implements data.RegionSource. It reads the columns of the region alone.
func (f *spilled) BlocksOf(ctx context.Context, p data.Region) iter.Seq2[data.RowBlock, error] {
	columns := p.Columns
	if columns == nil {
		columns = make([]int, len(f.fields))
		for i := range columns {
			columns[i] = i
		}
	}
	return func(yield func(data.RowBlock, error) bool) {
		for i := range f.from.blocks {
			block := &f.from.blocks[i]
			if block.first+block.rows <= p.From || block.first >= p.To {
				continue
			}
			made, err := f.block(block, columns)
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(data.RowBlock{Frame: made, First: block.first}, err) || err != nil {
				return
			}
		}
	}
}

// spare returns the values of a column of ReadOptions.Spare.
func (f *spilled) spare(column, rows int) data.Column {
	all := spare(f.from.b.options, f.from.b.columns, rows)
	at := slices.IndexFunc(all,
		func(c *Column) bool { return c.Field.Name == f.Schema.Fields[column].Name })
	_, made := values(all[at], rows)
	return made
}

// block reads some columns of a block.
func (f *spilled) block(block *spilledBlock, columns []int) (*data.Frame, error) {
	schema := f.Schema.Like(nil)
	made := make([]data.Column, len(columns))
	for i, at := range columns {
		schema.Fields = append(schema.Fields, f.Schema.Fields[at])
		field := &f.fields[at]
		if field.column == nil {
			made[i] = f.spare(at, block.rows)
			continue
		}
		from := block.columns[field.column]
		if from.codes && field.meaning == nil {
			codes, err := f.from.readCodes(from.at, field.renumber)
			if err != nil {
				return nil, err
			}
			made[i] = data.Codes(codes).WithUnseen(from.unseen)
			continue
		}
		values, err := f.from.readNumbers(from.at, field.meaning)
		if err != nil {
			return nil, err
		}
		made[i] = data.Numbers(values)
	}
	t, err := data.NewFrame(schema, made)
	if err != nil {
		return nil, err
	}
	origin, _ := f.lines.Between(block.first, block.first+block.rows)
	origin.Columns = f.Origin.Columns
	t.Origin = &origin
	return t, nil
}
