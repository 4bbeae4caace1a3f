// Package replace owns the writing of files that are either whole or not there: models,
// predictions, pictures.
package replace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
)

// File writes a file. After an error of write, a full disk or the end of the process, the file is
// unchanged. Otherwise it has all that write wrote:
//
//  1. a new file in the same folder is written, and synced;
//  2. that file is renamed to path;
//  3. the folder is synced.
//
// An existing file keeps its permissions, a new one gets 0644 less the umask. A symbolic link stays
// one, and the file it leads to is replaced. A file that is not regular (a device, a pipe) is
// written to directly. Errors do not name the file.
func File(path string, write func(io.Writer) error) error {
	t, err := find(path)
	if err != nil {
		return err
	}
	if t.direct {
		return writeTo(path, write)
	}
	return cause(t.replace(write))
}

// Check finds out, without harm, whether File could write to path: that the folder is there and
// takes new files, and that what has the name is a file that may be written to. A full disk shows
// only in File.
func Check(path string) error {
	t, err := find(path)
	if err != nil || t.direct {
		return err
	}
	f, err := create(filepath.Dir(t.path))
	if err != nil {
		return cause(err)
	}
	err = f.Close()
	if e := outside.RemoveFile(f.Name()); err == nil {
		err = e
	}
	return cause(err)
}

// target is what path names.
type target struct {
	path   string      // links followed
	mode   fs.FileMode // of the file that is there; 0 = none
	direct bool        // no regular file: it cannot be replaced
}

func find(path string) (target, error) {
	if path == "" || os.IsPathSeparator(path[len(path)-1]) {
		return target{}, errors.New("it names no file")
	}
	info, err := outside.FileInfo(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := outside.LinkInfo(path); err == nil {
			return target{}, errors.New("it is a link to a file that does not exist")
		}
		return target{path: path}, nil
	case err != nil:
		return target{}, cause(err)
	case info.IsDir():
		return target{}, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return target{path: path, direct: true}, nil
	}
	if path, err = outside.RealPath(path); err != nil {
		return target{}, cause(err)
	}
	// Renaming needs no permission to write the old file: so the permission is checked here.
	old, err := outside.OpenForWriting(path, os.O_WRONLY, 0)
	if err != nil {
		return target{}, cause(err)
	}
	return target{path: path, mode: info.Mode().Perm()}, cause(old.Close())
}

// writeTo writes into a file that exists and cannot be replaced.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := outside.OpenForWriting(path, os.O_WRONLY, 0)
	if err != nil {
		return cause(err)
	}
	err = write(f)
	if e := f.Close(); err == nil {
		err = e
	}
	return cause(err)
}

func (t *target) replace(write func(io.Writer) error) (err error) {
	folder := filepath.Dir(t.path)
	f, err := create(folder)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			outside.RemoveFile(f.Name())
		}
	}()
	if t.mode != 0 {
		err = f.Chmod(t.mode)
	}
	if err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Sync()
	}
	now := writtenAt(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = outside.RenameFile(f.Name(), t.path)
	}
	if err != nil {
		return err
	}
	removeStale(folder, now)
	if e := syncFolder(folder); e != nil {
		return fmt.Errorf("the file is written, but may not outlast a power failure: %w", cause(e))
	}
	return nil
}

// writtenAt returns when a file was written to last, the zero time if that is unknown. The clock is
// that of its folder, which may be another machine's.
func writtenAt(f *outside.File) time.Time {
	info, err := f.Stat()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// create makes a new file to be renamed later.
func create(folder string) (*outside.File, error) {
	for {
		f, err := outside.OpenForWriting(filepath.Join(folder, temporaryName()),
			os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// syncFolder makes a renaming last beyond a failure of power. Where folders cannot be opened or
// synced, the file is in its place all the same.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := outside.OpenFile(folder)
	if err != nil {
		return nil
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// cause returns what lies below errors that repeat the name of a file.
func cause(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return l.Err
	}
	return err
}
