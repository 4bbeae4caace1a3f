package source

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/coppice-ml/coppice/internal/scratch"
)

// Stored is an input that was read to its end, once, so that it can be read again. As
// data.ReadOptions.Stdin it makes standard input a source that is opened any number of times:
//
//	| piece | piece | piece | ... | last piece |
//
// All pieces but the last have storedPiece bytes. They are in memory or, where they are more than
// that may hold, in a scratch file.
type Stored struct {
	*io.SectionReader
	pieces [][]byte // nil: they are in the file
	file   *scratch.File
	places []scratch.Piece // in the file

	mu   sync.Mutex
	now  int    // the piece of the file that was read last; -1: none
	last []byte // its bytes
}

const storedPiece = 1 << 20

// Store reads an input to its end. More bytes than memory may hold go to a scratch file in a
// folder, "" being the system's folder for temporary files.
func Store(
	ctx context.Context, name string, in io.Reader, memory int64, folder string,
) (*Stored, error) {
	s := &Stored{now: -1}
	size := int64(0)
	in = &cancellable{ctx: ctx, r: in}
	for {
		piece := make([]byte, storedPiece)
		n, end := io.ReadFull(in, piece)
		size += int64(n)
		s.pieces = append(s.pieces, piece[:n])
		var err error
		switch {
		case ctx.Err() != nil:
			err = ctx.Err()
		case end != nil && end != io.EOF && end != io.ErrUnexpectedEOF:
			err = fileError(name, end)
		case size > memory:
			err = s.write(folder)
		}
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if end != nil {
			s.SectionReader = io.NewSectionReader((*storedAt)(s), 0, size)
			return s, nil
		}
	}
}

// write moves the pieces in memory to the file.
func (s *Stored) write(folder string) (err error) {
	if s.file == nil {
		if s.file, err = scratch.Create(folder); err != nil {
			return err
		}
	}
	for _, b := range s.pieces {
		p, err := s.file.Write(b)
		if err != nil {
			return err
		}
		s.places = append(s.places, p)
	}
	s.pieces = nil
	return nil
}

// Head returns up to HeadSize bytes that the input begins with.
func (s *Stored) Head() ([]byte, error) {
	b := make([]byte, min(HeadSize, s.Size()))
	if _, err := s.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// InFile reports whether the bytes are in a scratch file.
func (s *Stored) InFile() bool { return s.file != nil }

// Close removes the scratch file, if there is one.
func (s *Stored) Close() error { return s.file.Close() }

// storedAt reads a Stored at any place, also from several goroutines.
type storedAt Stored

// ReadAt reads from within the bytes: the reader of the section passes no other places.
func (s *storedAt) ReadAt(b []byte, at int64) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n < len(b) {
		next := at + int64(n)
		piece, err := s.piece(int(next / storedPiece))
		if err != nil {
			return n, err
		}
		n += copy(b[n:], piece[next%storedPiece:])
	}
	return n, nil
}

// piece returns the bytes of a piece.
func (s *storedAt) piece(i int) ([]byte, error) {
	if s.file == nil {
		return s.pieces[i], nil
	}
	if i == s.now {
		return s.last, nil
	}
	s.now = -1
	p := s.places[i]
	if cap(s.last) < p.Len() {
		s.last = make([]byte, storedPiece)
	}
	s.last = s.last[:p.Len()]
	if err := s.file.Read(p, s.last); err != nil {
		return nil, err
	}
	s.now = i
	return s.last, nil
}
