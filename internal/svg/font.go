package svg

import "unicode"

// The advance widths of U+0020 to U+007E in thousandths of an em, of the metrics that Helvetica,
// Arial and Liberation Sans have in common.
var (
	regularWidths = [95]uint16{
		// space to /
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
		556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
		1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
		333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
		556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
	}
	boldWidths = [95]uint16{
		278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
		556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
		975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
		333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
		611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
	}
)

// FontStack is the font-family of all texts: it starts with the fonts whose widths are known.
const FontStack = "Helvetica, Arial, 'Liberation Sans', 'Segoe UI', Roboto, sans-serif"

// Style is how a text is set.
type Style struct {
	Size int // pixels per em
	Bold bool
	Ink  Colour
}

// Width returns the space that a text needs, in whole pixels: its width in the fonts known plus a
// twelfth, since the fonts that a reader has may run wider.
func (s Style) Width(text string) int {
	sum := 0
	for _, r := range text {
		sum += s.advance(r)
	}
	return (sum*s.Size*13 + 11999) / 12000
}

// advance estimates the width of a character in thousandths of an em.
func (s Style) advance(r rune) int {
	switch {
	case r >= ' ' && r <= '~' && s.Bold:
		return int(boldWidths[r-' '])
	case r >= ' ' && r <= '~':
		return int(regularWidths[r-' '])
	case unicode.Is(unicode.Mn, r):
		return 0
	case r == '·':
		return 333
	case r < 0x250: // Latin with accents
		return 611
	case r < 0x1100: // Greek, Cyrillic and other alphabets
		return 720
	}
	return 1000 // scripts and signs as wide as high
}

// Fit returns the text, shortened and ended by an ellipsis where it is wider than space pixels; ""
// if not even that fits.
func (s Style) Fit(text string, space int) string {
	if s.Width(text) <= space {
		return text
	}
	runes := []rune(text)
	low, high := 0, len(runes) // the longest start that fits is in [low, high)
	for low+1 < high {
		if mid := (low + high) / 2; s.Width(string(runes[:mid])+"…") <= space {
			low = mid
		} else {
			high = mid
		}
	}
	if low == 0 {
		return ""
	}
	return string(runes[:low]) + "…"
}
