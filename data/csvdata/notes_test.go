package csvdata

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// TestNotes: columns that one row makes categorical have one note where they are many; later texts
// get their own.
func TestNotes(t *testing.T) {
	text := "a,b,c,d,e,f,g,h,i\nx,x,x,x,1,2,x,x,x\ny,y,y,y,1,late,y,y,y\n"
	var notes []string
	o := Options{ReadOptions: data.ReadOptions{Log: func(format string,
		args ...any) {
		notes = append(notes, fmt.Sprintf(format, args...))
	}}}
	if _, err := readBytes(context.Background(), o, "t.csv", []byte(text)); err != nil {
		t.Fatal(err)
	}
	want := []string{`7 columns are categorical, the first by "x", at t.csv:2: "a", "b", "c", "d", "g", and 2 more`,
		`column "f" is categorical: "late" at t.csv:3`}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

// TestNearlyNumeric: each column that is nearly all numbers is named, with what would make it
// numeric.
func TestNearlyNumeric(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,c\nx,y,n0\n")
	for i := range 199 {
		fmt.Fprintf(&text, "%d,%d,n%d\n", i, i, i)
	}
	var notes []string
	o := Options{ReadOptions: data.ReadOptions{Log: func(format string,
		args ...any) {
		notes = append(notes, fmt.Sprintf(format, args...))
	}}}
	if _, err := readBytes(context.Background(), o, "t.csv", []byte(text.String())); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`column "a" is categorical though 199 of 200 values are numbers: "x" at t.csv:2 is none (data.ReadOptions.Missing x makes the column numeric)`,
		`column "b" is categorical though 199 of 200 values are numbers: "y" at t.csv:2 is none (data.ReadOptions.Missing y makes the column numeric)`,
		`column "c" is categorical: "n0" at t.csv:2`,
	}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}
