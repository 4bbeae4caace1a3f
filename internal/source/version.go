package source

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"syscall"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
)

// version is what a file was like when it was opened first, so that no rows of two versions are
// ever mixed where a file is read several times. Those of stores have their own.
type version struct {
	mu    sync.Mutex
	first fs.FileInfo // nil: it was not opened yet
	again bool        // it was opened twice
}

var errChanged = errors.New("source: the file changed")

// check returns an error if an open file is another one than was opened first, or was written to
// since, or is not of a size, -1 = any.
func (v *version) check(name string, f *outside.File, size int64) error {
	info, err := f.Stat()
	if err != nil {
		return fileError(name, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.first == nil {
		v.first = info
	} else {
		v.again = true
	}
	if size >= 0 && info.Size() != size || !os.SameFile(v.first, info) ||
		v.first.Size() != info.Size() || !v.first.ModTime().Equal(info.ModTime()) {
		return &data.ReadError{File: name, Msg: "the file changed while it was read",
			Err: errChanged}
	}
	return nil
}

// checkEnd is check at the end of a file that was read before. A file that is read once may grow
// meanwhile.
func (v *version) checkEnd(name string, f *outside.File) error {
	v.mu.Lock()
	again := v.again
	v.mu.Unlock()
	if !again {
		return nil
	}
	return v.check(name, f, -1)
}

// Info describes the file or folder of a path. It is nil if there is none, which opening reports.
func Info(path string) (fs.FileInfo, error) {
	info, err := outside.FileInfo(path)
	switch {
	case err == nil:
		return info, nil
	case Unclear(err):
		return nil, fileError(path, err)
	}
	return nil, nil
}

// Unclear reports whether an error of a file leaves open what is there: the system could not find
// out. Such a file must not be taken for one that is absent.
func Unclear(err error) bool {
	var p *fs.PathError
	return errors.As(err, &p) && !errors.Is(err, fs.ErrNotExist) &&
		!errors.Is(err, syscall.ENAMETOOLONG) && !errors.Is(err, syscall.ENOTDIR) &&
		runtime.GOOS != "windows" // there names of patterns have an error of their own
}
