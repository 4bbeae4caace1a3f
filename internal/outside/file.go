package outside

import (
	"context"
	"io/fs"
	"os"
)

// File is an open file.
type File struct{ file *os.File }

// OpenFile is os.Open: it opens a file for reading, or a folder.
func OpenFile(name string) (*File, error) { return open(Open, name, os.O_RDONLY, 0) }

// OpenForWriting is os.OpenFile, with flags by which the file is made or written to.
func OpenForWriting(name string, flag int, mode fs.FileMode) (*File, error) {
	return open(Create, name, flag, mode)
}

func open(k Kind, name string, flag int, mode fs.FileMode) (*File, error) {
	fault := ask(k, name)
	if fault.Err != nil && !fault.Done {
		return nil, failed(k, name, fault.Err)
	}
	f, err := os.OpenFile(name, flag, mode)
	return opened(k, f, err, fault)
}

// CreateTemporary is os.CreateTemp.
func CreateTemporary(folder, pattern string) (*File, error) {
	fault := ask(Create, folder)
	if fault.Err != nil && !fault.Done {
		return nil, failed(Create, folder, fault.Err)
	}
	f, err := os.CreateTemp(folder, pattern)
	return opened(Create, f, err, fault)
}

// opened returns a file that was opened, unless that is to fail.
func opened(k Kind, f *os.File, err error, fault Fault) (*File, error) {
	if err != nil {
		return nil, err
	}
	if fault.Err != nil {
		f.Close()
		return nil, failed(k, f.Name(), fault.Err)
	}
	return &File{f}, nil
}

// failed returns an error of the type that the standard library returns.
func failed(k Kind, name string, err error) error {
	switch k {
	case Receive:
		return err
	case Rename, Link:
		return &os.LinkError{Op: k.String(), New: name, Err: err}
	}
	return &fs.PathError{Op: k.String(), Path: name, Err: err}
}

// Name returns the name that the file was opened by.
func (f *File) Name() string { return f.file.Name() }

// Read is io.Reader's.
func (f *File) Read(b []byte) (int, error) { return Move(always, Read, f.Name(), b, f.file.Read) }

// Write is io.Writer's.
func (f *File) Write(b []byte) (int, error) { return Move(always, Write, f.Name(), b, f.file.Write) }

// ReadAt is io.ReaderAt's.
func (f *File) ReadAt(b []byte, at int64) (n int, err error) {
	for { // less than all bytes need an error
		m, err := Move(always, Read, f.Name(), b[n:], func(b []byte) (int, error) {
			return f.file.ReadAt(b, at+int64(n))
		})
		if n += m; n == len(b) || err != nil {
			return n, err
		}
	}
}

// WriteAt is io.WriterAt's.
func (f *File) WriteAt(b []byte, at int64) (int, error) {
	return Move(always, Write, f.Name(), b, func(b []byte) (int, error) { return f.file.WriteAt(b, at) })
}

// always is the context of calls that nothing ends.
var always = context.Background()

// Move makes a call that reads into b or writes b. While calls are judged it moves as many bytes as
// the fault admits, and returns its error. One that stalls waits for the end of the context.
func Move(
	ctx context.Context, k Kind, name string, b []byte, do func([]byte) (int, error),
) (int, error) {
	if !Judged() {
		return do(b)
	}
	fault := Ask(Call{Kind: k, Name: name, Size: len(b)})
	switch {
	case fault.Stall:
		<-ctx.Done()
		return 0, ctx.Err()
	case fault.Err == nil && (fault.Bytes == 0 || k == Write):
		return do(b)
	case fault.Err == nil:
		return do(b[:min(fault.Bytes, len(b))])
	case fault.Done:
		fault.Bytes = len(b)
	}
	n := 0
	if fault.Bytes > 0 {
		var err error
		if n, err = do(b[:min(fault.Bytes, len(b))]); err != nil {
			return n, err
		}
	}
	return n, failed(k, name, fault.Err)
}

// done makes a call that moves no bytes, unless it is to fail.
func done(k Kind, name string, do func() error) error {
	fault := ask(k, name)
	if fault.Skip || fault.Err != nil && !fault.Done && k != Close {
		if fault.Err == nil {
			return nil
		}
		return failed(k, name, fault.Err)
	}
	if err := do(); err != nil || fault.Err == nil {
		return err
	}
	return failed(k, name, fault.Err)
}

// Sync makes what was written last beyond a failure of power.
func (f *File) Sync() error { return done(Sync, f.Name(), f.file.Sync) }

// Truncate changes the size of the file.
func (f *File) Truncate(size int64) error {
	return done(Write, f.Name(), func() error { return f.file.Truncate(size) })
}

// Close closes the file, whatever error it returns.
func (f *File) Close() error { return done(Close, f.Name(), f.file.Close) }

// Chmod changes the permissions of the file.
func (f *File) Chmod(mode fs.FileMode) error {
	return done(Chmod, f.Name(), func() error { return f.file.Chmod(mode) })
}

// Stat describes the file.
func (f *File) Stat() (fs.FileInfo, error) {
	return returned(Stat, f.Name(), f.file.Stat)
}

// returned makes a call that returns something, unless it is to fail.
func returned[T any](k Kind, name string, do func() (T, error)) (T, error) {
	var found T
	err := done(k, name, func() (err error) {
		found, err = do()
		return err
	})
	if err != nil {
		found = *new(T)
	}
	return found, err
}
