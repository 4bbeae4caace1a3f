package outside

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// FileInfo is os.Stat: it describes what a path leads to.
func FileInfo(name string) (fs.FileInfo, error) {
	return returned(Stat, name, func() (fs.FileInfo, error) { return os.Stat(name) })
}

// LinkInfo is os.Lstat: it describes what has a name, which may be a link.
func LinkInfo(name string) (fs.FileInfo, error) {
	return returned(Stat, name, func() (fs.FileInfo, error) { return os.Lstat(name) })
}

// RealPath is filepath.EvalSymlinks.
func RealPath(name string) (string, error) {
	return returned(Stat, name, func() (string, error) { return filepath.EvalSymlinks(name) })
}

// ListFolder is os.ReadDir.
func ListFolder(name string) ([]fs.DirEntry, error) {
	return returned(List, name, func() ([]fs.DirEntry, error) { return os.ReadDir(name) })
}

// MakeFolder is os.MkdirAll with the permissions that the umask leaves.
func MakeFolder(name string) error {
	return done(Folder, name, func() error { return os.MkdirAll(name, 0o777) })
}

// MakeTemporaryFolder is os.MkdirTemp in the system's folder for temporary files.
func MakeTemporaryFolder(pattern string) (string, error) {
	return returned(Folder, pattern, func() (string, error) { return os.MkdirTemp("", pattern) })
}

// RemoveFolder is os.RemoveAll.
func RemoveFolder(name string) error {
	return done(Remove, name, func() error { return os.RemoveAll(name) })
}

// RenameFile is os.Rename.
func RenameFile(from, to string) error {
	return done(Rename, to, func() error { return os.Rename(from, to) })
}

// LinkFile is os.Link.
func LinkFile(from, to string) error {
	return done(Link, to, func() error { return os.Link(from, to) })
}

// RemoveFile is os.Remove.
func RemoveFile(name string) error {
	return done(Remove, name, func() error { return os.Remove(name) })
}

// ReadFile returns all bytes of a file.
func ReadFile(name string) ([]byte, error) {
	f, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// FS is os.DirFS: the files of a folder and below.
type FS string

// Open implements fs.FS. The file is an io.ReaderAt.
func (folder FS) Open(name string) (fs.File, error) {
	path, err := folder.path("open", name)
	if err != nil {
		return nil, err
	}
	f, err := OpenFile(path)
	if err != nil {
		return nil, named(name, err)
	}
	return f, nil
}

// Stat implements fs.StatFS: it opens nothing, which could wait for the other end of a pipe.
func (folder FS) Stat(name string) (fs.FileInfo, error) {
	path, err := folder.path("stat", name)
	if err != nil {
		return nil, err
	}
	info, err := FileInfo(path)
	return info, named(name, err)
}

// ReadDir implements fs.ReadDirFS.
func (folder FS) ReadDir(name string) ([]fs.DirEntry, error) {
	path, err := folder.path("readdir", name)
	if err != nil {
		return nil, err
	}
	entries, err := ListFolder(path)
	return entries, named(name, err)
}

// named makes an error name a file within the folder.
func named(name string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		p.Path = name
	}
	return err
}

func (folder FS) path(op, name string) (string, error) {
	local, err := filepath.Localize(name)
	if err != nil {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return filepath.Join(string(folder), local), nil
}
