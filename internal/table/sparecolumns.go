package table

import (
	"math"

	"github.com/coppice-ml/coppice/data"
)

// spare returns the columns of ReadOptions.Spare that a file with some columns does not have. They
// take memory for the rows only where they are categorical.
func spare(o *data.ReadOptions, columns []*Column, rows int) []*Column {
	if o.Schema == nil || len(o.Spare) == 0 {
		return nil
	}
	has := make(map[string]bool, len(columns))
	for _, c := range columns {
		has[c.Field.Name] = true
	}
	var more []*Column
	at := 0
	for _, name := range o.Spare {
		if at = o.Schema.IndexFrom(name, at); at < 0 || has[name] {
			continue
		}
		field := &o.Schema.Fields[at]
		c := &Column{Field: *field, Position: at, Storage: Numbers}
		if field.Kind == data.Categorical {
			c.Storage, c.Dict = Codes, closedDictionary(nil, field)
			c.Code = make([]uint32, rows)
			if field.Missing != data.Refuse {
				fill(c.Code, data.MissingCode)
			}
		} else {
			value := math.NaN()
			if field.Missing == data.Refuse {
				value = 0
			}
			stored := data.Sparse(rows, value, nil, nil)
			c.Stored = &stored
		}
		more = append(more, c)
	}
	return more
}

func fill(codes []uint32, code uint32) {
	for i := range codes {
		codes[i] = code
	}
}
