package replace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice/internal/outside"
)

// New makes a file that is whole from its first moment: other processes see all of its content, or
// no file. Where there is a file already, the error is fs.ErrExist and the file stays as it is. Of
// several processes that make it together one succeeds. In folders without hard links the content
// may appear after the file.
func New(path string, content []byte) error {
	f, err := create(filepath.Dir(path))
	if err != nil {
		return cause(err)
	}
	defer outside.RemoveFile(f.Name())
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return cause(err)
	}
	if err = outside.LinkFile(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err = outside.OpenForWriting(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return cause(err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, outside.RemoveFile(path))
	}
	return cause(err)
}
