package coppice

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/model"
)

// Files that are being written are called savingPrefix and a random number. A program that was killed leaves its file
// behind; the next Save into the same folder removes it once nobody has written to it for staleAfter.
const (
	savingPrefix = ".coppice-saving-"
	staleAfter   = time.Hour
)

// Save writes a model to a file, for Open. Whatever happens, be it a full disk or the end of the process, the file is
// afterwards either what it was before or the whole new model:
//
//  1. the model is written to a new file in the same folder, and synced;
//  2. that file is renamed to path;
//  3. the folder is synced.
//
// An existing file keeps its permissions, a new one gets 0644 less the umask. A symbolic link stays one, and the file
// it leads to is replaced. A file that is not regular (a device, a pipe) is written to directly. Errors name the file;
// a type of model that cannot be stored is a *codec.UnsupportedError.
func Save(path string, m model.Model) error {
	if err := save(path, m); err != nil {
		return fmt.Errorf("cannot save model %s: %w", path, cause(err))
	}
	return nil
}

func save(path string, m model.Model) error {
	if path == "" || os.IsPathSeparator(path[len(path)-1]) {
		return errors.New("it names no file")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return errors.New("it is a link to a file that does not exist")
		}
		return replace(path, 0, m)
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return writeTo(path, m)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	// Renaming needs no permission to write the old file: its owner's wish to keep it is asked for here.
	old, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := old.Close(); err != nil {
		return err
	}
	return replace(path, info.Mode().Perm(), m)
}

// writeTo writes into a file that exists and cannot be replaced.
func writeTo(path string, m model.Model) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = Write(f, m)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// replace puts the file of m in the place of path; mode 0 means that there is no such file yet.
func replace(path string, mode fs.FileMode, m model.Model) (err error) {
	folder := filepath.Dir(path)
	f, err := create(folder)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = Write(f, m)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return err
	}
	removeStale(folder)
	if e := syncFolder(folder); e != nil {
		return fmt.Errorf("the file is written, but may not outlast a power failure: %w", cause(e))
	}
	return nil
}

// create makes a new file to be renamed later.
func create(folder string) (*os.File, error) {
	for {
		name := filepath.Join(folder, fmt.Sprintf("%s%016x", savingPrefix, rand.Uint64()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// syncFolder makes a renaming last beyond a failure of power. Where folders cannot be opened or synced, the file is in
// its place all the same.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(folder)
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

// removeStale removes what killed programs left. It is a courtesy: its own failures do not matter.
func removeStale(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), savingPrefix) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}
