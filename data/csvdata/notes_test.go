package csvdata

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data/table"
)

// TestNotes: columns that one row makes categorical share a note where they are many; later texts get their own.
func TestNotes(t *testing.T) {
	text := "a,b,c,d,e,f\nx,x,x,x,1,2\ny,y,y,y,1,late\n"
	var notes []string
	o := Options{Options: table.Options{Log: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }}}
	if _, err := ReadBytes(context.Background(), o, "t.csv", []byte(text)); err != nil {
		t.Fatal(err)
	}
	want := []string{`4 columns are categorical, the first by "x", at t.csv:2: "a", "b", "c", "d"`, `column "f" is categorical: "late" at t.csv:3`}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}
