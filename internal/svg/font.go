package svg

import "unicode"

// The widest advance of each character from U+0020 to U+007E in DejaVu Sans, Arial and Liberation
// Sans, in thousandths of an em. testdata/widths.py printed them.
var (
	regularWidths = [95]uint16{
		318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337, // space to /
		637, 637, 637, 637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 557, // 0 to ?
		1016, 685, 687, 723, 771, 667, 611, 778, 752, 295, 500, 667, 558, 863, 749, 788, // @ to O
		667, 788, 723, 667, 611, 732, 685, 989, 686, 667, 686, 391, 337, 391, 838, 557, // P to _
		500, 613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612, // ` to o
		635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838, // p to ~
	}
	boldWidths = [95]uint16{
		349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 523, 838, 380, 416, 380, 366,
		696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 611,
		1000, 774, 763, 734, 831, 684, 684, 821, 837, 373, 557, 775, 638, 996, 837, 851,
		733, 851, 771, 721, 683, 813, 774, 1104, 771, 725, 726, 458, 366, 458, 838, 557,
		500, 675, 716, 593, 716, 679, 436, 716, 712, 343, 343, 666, 343, 1042, 712, 688,
		716, 716, 494, 596, 479, 712, 652, 924, 646, 652, 583, 712, 366, 712, 838,
	}
)

// FontStack is the font-family of all texts: it starts with two of the fonts whose
// widths are known; sans-serif is DejaVu Sans on many systems.
const FontStack = "Helvetica, Arial, 'Liberation Sans', 'Segoe UI', Roboto, sans-serif"

// Style is how a text is set.
type Style struct {
	Size int // pixels per em
	Bold bool
	Ink  Colour
}

// Width returns the space that a text needs in the widest of the fonts known, in whole pixels.
func (s Style) Width(text string) int {
	sum := 0
	for _, r := range text {
		sum += s.advance(r)
	}
	return (sum*s.Size + 999) / 1000
}

// advance returns the most width of a character, or what few others of its script exceed, in
// thousandths of an em.
func (s Style) advance(r rune) int {
	widths, latin, other := &regularWidths, 788, 861
	if s.Bold {
		widths, latin, other = &boldWidths, 851, 993
	}
	switch {
	case r >= ' ' && r <= '~':
		return int(widths[r-' '])
	case unicode.Is(unicode.Mn, r):
		return 0
	case r == '·':
		return int(widths['.'-' '])
	case r < 0x250: // Latin with accents
		return latin
	case r < 0x1100: // Greek, Cyrillic and other alphabets
		return other
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
