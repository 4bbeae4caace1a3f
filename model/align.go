package model

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Align returns the columns of a frame that a schema names, in its order. A column that is absent
// is a *MissingColumnError, one of another kind a *KindError. Dictionaries have to be equal: tables
// that are read by the model's schema have its dictionaries.
func Align(schema *data.Schema, f *data.Frame) (*data.Frame, error) {
	at := make([]int, len(schema.Fields))
	for i := range schema.Fields {
		want := &schema.Fields[i]
		if at[i] = f.Schema.Index(want.Name); at[i] < 0 {
			return nil, &MissingColumnError{Column: want.Name}
		}
		got := &f.Schema.Fields[at[i]]
		switch {
		case got.Kind != want.Kind:
			return nil, &KindError{Column: want.Name, Want: want.Kind, Got: got.Kind}
		case !slices.Equal(got.Levels, want.Levels):
			return nil, fmt.Errorf("column %q has another dictionary than the model: read the "+
				"table by the model's schema", want.Name)
		}
	}
	return f.Select(at), nil
}
