// Package svg owns what all pictures are made of: the colours, the widths of texts, and the pen
// that writes SVG elements. The same calls give the same bytes on every machine: geometry is
// integers.
package svg

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
)

// Pen writes one picture. A failed write shows at Flush.
type Pen struct{ *bufio.Writer }

// NewPen returns a pen that writes to w.
func NewPen(w io.Writer) *Pen { return &Pen{bufio.NewWriter(w)} }

// Begin starts a white picture of so many pixels. Screen readers use its title and its description.
func (out *Pen) Begin(width, height int, title, description string) {
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "+
		"viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"%s\">\n",
		width, height, width, height, FontStack)
	out.Element("title", title)
	out.Element("desc", description)
	fmt.Fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", width, height, White)
}

// End ends the picture.
func (out *Pen) End() { out.WriteString("</svg>\n") }

// Escape writes text as XML character data; characters that XML does not allow become U+FFFD.
func (out *Pen) Escape(text string) {
	_ = xml.EscapeText(out, []byte(text)) // a failed write shows at the final Flush
}

// Attribute writes an attribute with a space before it.
func (out *Pen) Attribute(name, text string) {
	fmt.Fprintf(out, " %s=\"", name)
	out.Escape(text)
	out.WriteByte('"')
}

// Element writes an element without attributes that holds a text.
func (out *Pen) Element(name, text string) {
	fmt.Fprintf(out, "<%s>", name)
	out.Escape(text)
	fmt.Fprintf(out, "</%s>\n", name)
}

// Text sets a text with its base line at y; x is its "start", "middle" or "end". An empty text
// leaves no trace.
func (out *Pen) Text(s Style, x, y int, anchor, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"%s\"", x, y, s.Size, s.Ink)
	if s.Bold {
		out.WriteString(" font-weight=\"600\"")
	}
	if anchor != "start" {
		fmt.Fprintf(out, " text-anchor=\"%s\"", anchor)
	}
	out.WriteByte('>')
	out.Escape(text)
	out.WriteString("</text>\n")
}

// Rect fills a rectangle; more is further attributes, with a space before each.
func (out *Pen) Rect(x, y, w, h Tenths, fill Colour, more string) {
	fmt.Fprintf(out, "<rect x=\"%v\" y=\"%v\" width=\"%v\" height=\"%v\" fill=\"%s\"%s/>\n", x, y,
		w, h, fill, more)
}

// Tenths is a length in tenths of a pixel.
type Tenths int

// String returns the length in pixels, without a decimal that is zero.
func (t Tenths) String() string {
	s := strconv.Itoa(int(t) / 10)
	if t < 0 && t > -10 {
		s = "-" + s
	}
	if r := int(t) % 10; r != 0 {
		s += "." + strconv.Itoa(max(r, -r))
	}
	return s
}
