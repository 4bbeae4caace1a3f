package data

import (
	"fmt"

	"github.com/coppice-ml/coppice/memory"
)

// Features are the columns that a model is trained on. They are in memory, as those of a Frame, or
// read in blocks.
type Features interface {
	RowSource
	// Outline returns their schema, the number of rows and their origin as a frame, of which
	// nobody may ask for a value.
	Outline() *Frame
	// InMemory returns all values, or an error that wraps memory.ErrLimit of features that are
	// read in blocks.
	InMemory() (*Frame, error)
}

// errInBlocks is the error of values that somebody requires in memory, where they are not.
var errInBlocks = fmt.Errorf("the table is read in blocks, and its values are required in memory: "+
	"%w", memory.ErrLimit)

// Outline returns a frame of a schema and a number of rows without the values of its columns. It
// stands for a table whose values are elsewhere, as those of a RowSource; Locate names its rows.
// Nothing may ask for a value, and InMemory is an error.
func Outline(schema Schema, rows int, origin *Origin) *Frame {
	return &Frame{Schema: schema, Columns: make([]Column, len(schema.Fields)), Origin: origin,
		rows: rows, outline: true}
}

// Outline returns the frame itself.
func (f *Frame) Outline() *Frame { return f }

// InMemory returns the frame itself. Of an outline it is an error that wraps memory.ErrLimit.
func (f *Frame) InMemory() (*Frame, error) {
	if f.outline {
		return nil, errInBlocks
	}
	return f, nil
}
