package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
)

// members reads the members of a gzip file, one after the other. Zeros behind the last one are
// padding, as for gzip -d; other bytes are an error, because they may be the rest of what was to be
// a table.
type members struct {
	text   *Text
	stored *bufio.Reader // at the end of what z has read
	z      inflater
}

// inflater is a gzip.Reader, of the standard library or of another module.
type inflater interface {
	io.Reader
	Multistream(ok bool)
	Reset(r io.Reader) error
}

// newMembers begins with the first member, which is open.
func (t *Text) newMembers(stored *bufio.Reader, z inflater) *members {
	z.Multistream(false)
	return &members{t, stored, z}
}

// Read reads from the current member, and continues with the next at its end.
func (m *members) Read(b []byte) (int, error) {
	for {
		n, err := m.z.Read(b)
		if n > 0 || err != io.EOF {
			if err == io.EOF {
				err = nil // the next call finds what follows
			}
			return n, err
		}
		if err := m.next(); err != nil {
			return 0, err
		}
	}
}

// next opens the member that follows. It is io.EOF at the end of the file.
func (m *members) next() error {
	head, err := m.stored.Peek(len(gzipMagic))
	if err != nil && err != io.EOF {
		return err
	}
	switch {
	case len(head) > 0 && bytes.HasPrefix([]byte(gzipMagic), head):
		if err := m.z.Reset(m.stored); err != nil {
			return err
		}
		m.z.Multistream(false)
		return nil
	case len(head) == 0:
		return io.EOF
	}
	at := m.text.stored.n - int64(m.stored.Buffered())
	for {
		c, err := m.stored.ReadByte()
		if err != nil {
			return err
		}
		if c != 0 {
			return &data.ReadError{File: m.text.name,
				Msg: fmt.Sprintf("the gzip data is complete, but what follows it from byte %d on "+
					"is not gzip data: if no rows are missing, keep the bytes before it (head -c "+
					"%d), else compress the table again", at+1, at), Err: data.ErrText}
		}
	}
}
