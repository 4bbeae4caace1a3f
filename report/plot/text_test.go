package plot

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFigureText: two lines and points, as a terminal shows them.
func TestFigureText(t *testing.T) {
	fig := &Figure{Title: "Lines", Subtitle: "what is to be seen", Notes: []string{"a note"},
		Charts: []Chart{{
			X: Scale{Label: "place", Zero: true}, Y: Scale{Label: "value", Zero: true},
			Curves: []Curve{
				{Name: "rows", X: []float64{5}, Y: []float64{9}, Style: Points},
				{Name: "rising", X: []float64{0, 10}, Y: []float64{0, 10}},
				{Name: "flat", X: []float64{0, 10}, Y: []float64{5, 5}, Style: Dashes, Colour: 1},
			}}}}
	var b bytes.Buffer
	if err := fig.Text(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if lines[0] != "Lines" || lines[1] != "what is to be seen" || lines[3] != "value" {
		t.Errorf("begins with %q", lines[:4])
	}
	chart := lines[4 : 4+textLines]
	rising, flat, dots := 0, 0, 0
	for i, line := range chart {
		if utf8.RuneCountInString(line) > textColumns+len(tickMargin) {
			t.Errorf("line %d has %d characters: %q", i, utf8.RuneCountInString(line), line)
		}
		if at := strings.IndexRune(line, 'b'); at >= 0 {
			rising++
		}
		dots += strings.Count(line, "·")
		if n := strings.Count(line, "c"); n > 0 {
			if flat++; n < textColumns*8/10 {
				t.Errorf("the flat line has %d characters: %q", n, line)
			}
		}
	}
	if rising < textLines-2 || flat != 1 || dots != 1 {
		t.Errorf("%d lines of the rising curve, %d of the flat one, %d dots:\n%s", rising, flat,
			dots, b.String())
	}
	if !strings.Contains(b.String(), "· rows   b rising   c flat\n") ||
		!strings.HasSuffix(b.String(), "\na note\n") {
		t.Errorf("legend and notes:\n%s", b.String())
	}
	fig.Charts[0].Curves[0].Y = nil
	if err := fig.Text(&b); err == nil {
		t.Error("a curve without values is no error")
	}
	if err := (&Figure{}).Text(&b); err == nil {
		t.Error("a figure without charts is no error")
	}
}

// TestFigureBars: bars stand on 0, in characters and as SVG, and leave a fifth of their distance.
func TestFigureBars(t *testing.T) {
	fig := &Figure{Title: "Bars", Charts: []Chart{{
		X: Scale{Label: "place"}, Y: Scale{Label: "value", Zero: true}, Curves: []Curve{
			{Name: "counts", X: []float64{0, 2, 4}, Y: []float64{1, 4, 2}, Style: Bars}}}}}
	var text, picture bytes.Buffer
	if err := errors.Join(fig.Text(&text), fig.Write(&picture)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), "a"); n < textLines*7/4 || n > textLines*2+8 {
		t.Errorf("bars of heights 1, 4 and 2 of 4 have %d characters:\n%s", n, text.String())
	}
	if n := strings.Count(picture.String(), "<rect"); n < 3 {
		t.Errorf("%d rectangles for 3 bars", n)
	}
	if wide := barWidth(&fig.Charts[0]); math.Abs(wide-1.6) > 1e-12 {
		t.Errorf("bars at a distance of 2 are %g wide", wide)
	}
}

// TestFigureTextMarks: a line that comes later does not hide a mark.
func TestFigureTextMarks(t *testing.T) {
	fig := &Figure{Title: "A mark", Charts: []Chart{{
		X: Scale{Label: "place", Zero: true}, Y: Scale{Label: "value", Zero: true}, Curves: []Curve{
			{Name: "one", X: []float64{5}, Y: []float64{5}, Style: Marks},
			{Name: "line", X: []float64{0, 10}, Y: []float64{5, 5}, Style: LineMarks, Colour: 1},
		}}}}
	var b bytes.Buffer
	if err := fig.Text(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "bbabb") {
		t.Errorf("the mark is not seen in the line:\n%s", b.String())
	}
}
