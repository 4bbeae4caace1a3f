package humanize

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Obeyed reports whether a terminal, an editor or a reader of lines may interpret a character
// instead of showing it: control characters (also of 8 bits), marks that change the direction of
// text, and separators of lines and paragraphs. Characters that join or separate letters of a
// script, such as U+200D, are not among them.
func Obeyed(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' ||
		r == '\u2029'
}

// Line returns a text for use within a line: ends of lines and tabs are blanks, other characters
// that are Obeyed are escapes such as \u001b, and bytes that are not UTF-8 are U+FFFD.
func Line(text string) string {
	return escape(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, text))
}

func escape(text string) string {
	if clean([]byte(text)) == len(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		b.Write(appendRune(nil, r))
	}
	return b.String()
}

// passed reports whether a text may hold a character as it is.
func passed(r rune) bool { return r == '\n' || r == '\t' || !Obeyed(r) }

// clean returns how many bytes at the beginning of a text are shown as they are.
func clean(text []byte) int {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 || !passed(r) {
			return i
		}
		i += n
	}
	return len(text)
}

// appendRune appends a character or its escape, which JSON reads as the character, too.
func appendRune(b []byte, r rune) []byte {
	if passed(r) {
		return utf8.AppendRune(b, r)
	}
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// Writer writes text to another writer. Characters that are Obeyed, except line feeds and tabs,
// become escapes such as \u001b. Bytes that are not UTF-8 become U+FFFD. JSON keeps its meaning,
// since these escapes are JSON's own and are in its strings.
type Writer struct {
	out      io.Writer
	terminal bool
	run      []byte // of a character, at the end of what was written
	scratch  []byte
}

// NewWriter returns a Writer. terminal reports whether people read what is written to out as it is
// written.
func NewWriter(out io.Writer, terminal bool) *Writer {
	return &Writer{out: out, terminal: terminal}
}

// Exact returns the writer for data that must come back as it was, such as CSV: the one behind w,
// unless that is a terminal. It flushes w, and may be used instead of w from then on.
func (w *Writer) Exact() (io.Writer, error) {
	if w.terminal {
		return w, nil
	}
	return w.out, w.Flush()
}

// Write writes all of p but the beginning of a character at its end, which waits for the next call
// or for Flush.
func (w *Writer) Write(p []byte) (int, error) {
	text := p
	if len(w.run) > 0 {
		text = append(w.run, p...)
		w.run = nil
	}
	for len(text) > 0 {
		n := clean(text)
		if n > 0 {
			if _, err := w.out.Write(text[:n]); err != nil {
				return 0, err
			}
			text = text[n:]
			continue
		}
		if !utf8.FullRune(text) {
			w.run = append([]byte(nil), text...)
			break
		}
		w.scratch = w.scratch[:0]
		for len(text) > 0 && clean(text[:1]) == 0 && utf8.FullRune(text) {
			r, n := utf8.DecodeRune(text)
			w.scratch = appendRune(w.scratch, r)
			text = text[n:]
		}
		if _, err := w.out.Write(w.scratch); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Flush writes U+FFFD for the beginning of a character that was not completed.
func (w *Writer) Flush() error {
	if len(w.run) == 0 {
		return nil
	}
	w.run = nil
	_, err := w.out.Write([]byte(string(utf8.RuneError)))
	return err
}

// ShellWord writes a text as one word of a POSIX shell, in quotes where it needs them.
func ShellWord(text string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_./:=@%+,-", r)
	}
	if text == "" || strings.ContainsFunc(text, special) {
		return ShellQuote(text)
	}
	return text
}

// ShellQuote writes a text as one word of a POSIX shell, for advice that can be copied.
func ShellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
