package jsonscan

import (
	"errors"
	"io"
)

// window is the piece of a file that is in memory, and the place in it. After the first error it is
// empty, so that loops over its bytes end without a test of the error.
type window struct {
	r    io.ReaderAt // nil: all that is left is in memory
	size int64       // of the file
	base int64       // offset of the piece in the file
	buf  []byte
	at   int // the next byte in buf
	err  error
	fail func(error) // is called with err; nil: nothing is
}

// bufferSize is the number of bytes that are read at a time.
const bufferSize = 64 << 10

// Err returns the first error, nil if there is none: an *Error, or one of Stop, take or reading.
func (w *window) Err() error { return w.err }

// Offset returns the place of the next byte.
func (w *window) Offset() int64 { return w.base + int64(w.at) }

// Stop keeps an error of the caller as the first one; nil is none.
func (w *window) Stop(err error) {
	if w.err == nil && err != nil {
		w.base, w.at = w.Offset(), 0
		w.err, w.r, w.buf = err, nil, nil
		if w.fail != nil {
			w.fail(err)
		}
	}
}

// fill reads the next piece of the file; false at the end.
func (w *window) fill() bool {
	if w.r == nil {
		return false
	}
	w.base, w.at = w.Offset(), 0
	w.buf = w.buf[:min(int64(cap(w.buf)), max(w.size-w.base, 0))]
	n, err := w.r.ReadAt(w.buf, w.base)
	w.buf = w.buf[:n]
	if n == 0 {
		w.r = nil
		if err != nil && !errors.Is(err, io.EOF) {
			w.Stop(err)
		}
	}
	return n > 0
}

// Next returns the first byte of the next value without reading it: '{', '[', '"', 't', 'f', 'n',
// or that of a number; 0 at the end or after an error.
func (w *window) Next() byte {
	for {
		buf, at := w.buf, w.at // locals stay in registers: a file is half spaces
		for at < len(buf) && isSpace[buf[at]] {
			at++
		}
		w.at = at
		if at < len(buf) {
			return buf[at]
		}
		if !w.fill() {
			return 0
		}
	}
}

// word reads the part of a number or name that is in memory.
func (w *window) word() []byte {
	at := w.at
	for at < len(w.buf) && inWord[w.buf[at]] {
		at++
	}
	word := w.buf[w.at:at]
	w.at = at
	return word
}

// isSpace are the bytes between values.
var isSpace = [256]bool{' ': true, '\n': true, '\t': true, '\r': true}

// inWord are the bytes of numbers and of names such as true.
var inWord = func() (is [256]bool) {
	for _, b := range "0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		is[b] = true
	}
	return is
}()
