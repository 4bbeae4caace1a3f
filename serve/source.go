package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
)

// Source loads models from files and folders into a set, and again whenever they change. Refresh is
// for one goroutine at a time; others wait.
//
// The name of a model is that of its file without the ending. In a folder each file is a model, and
// each folder is one whose folders are its versions, with a file each:
//
//	models/churn.coppice        the model churn, version 1
//	models/spam/3/spam.onnx     the model spam, version 3
//	models/spam/4/spam.onnx     its version 4, which answers requests that name none
//
// Names that begin with a dot are passed over, so the folders that Kubernetes swaps are seen by the
// links to them.
type Source struct {
	// Paths are the files and folders.
	Paths []string
	// Open opens a model's file; nil is coppice.Open, which no change of the file can harm.
	Open func(path string) (model.Model, error)
	// AcceptContract lets a model replace another though it needs a column that the other does not
	// have, or one of another kind, or predicts something else.
	AcceptContract bool
	// Checks are those of ModelOptions.
	Checks *model.Checks

	mu       sync.Mutex
	seen     map[string]stamp  // by path of the file, of the last attempt
	failed   map[string]string // by path: why the last attempt failed
	unloaded map[string]bool   // by name: Refresh passes it over
}

// stamp says whether a file is another one than before.
type stamp struct {
	real string // behind links
	size int64
	time time.Time
}

// Event is what Refresh did or failed to do.
type Event struct {
	Path  string
	Model *Model // that requests get now; nil if there is none
	Err   error  // why the file does not serve: the model before, if there is one, goes on
}

// file is a model's file that was found.
type file struct {
	name, version, path string
	stamp               stamp
}

// Refresh loads the files that are new or have changed since, and puts them into the set. A file is
// opened, predicts its golden rows, and is compared with the model that it replaces. If one of
// these fails the event has the error, and the set stays as it is: the file is tried again once it
// has changed. A version whose file is gone is removed if another one stays. The error is that of a
// path that cannot be listed, or of ctx.
func (s *Source) Refresh(ctx context.Context, to *Models) ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	files, err := s.find()
	if err != nil {
		return nil, err
	}
	var events []Event
	now := map[string]stamp{}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return events, err
		}
		now[f.path] = f.stamp
		if s.seen[f.path] == f.stamp || s.unloaded[f.name] {
			continue
		}
		err := s.update(f, to)
		events = append(events, Event{Path: f.path, Model: to.Get(f.name, ""), Err: err})
	}
	s.seen = now
	return append(events, s.removeGone(files, to)...), nil
}

// update loads a file into a set, or keeps why it does not serve.
func (s *Source) update(f file, to *Models) error {
	m, err := s.load(f, to)
	if err != nil {
		if s.failed == nil {
			s.failed = map[string]string{}
		}
		s.failed[f.path] = err.Error()
		return err
	}
	delete(s.failed, f.path)
	to.Put(m)
	return nil
}

// load opens a file and compares it with the model that it replaces.
func (s *Source) load(f file, to *Models) (*Model, error) {
	open := s.Open
	if open == nil {
		open = coppice.Open
	}
	inner, err := open(f.path)
	if err != nil {
		return nil, err
	}
	m, err := NewModel(f.name, inner, ModelOptions{Version: f.version, Checks: s.Checks})
	if err == nil && !s.AcceptContract {
		if before := to.Get(f.name, ""); before != nil {
			err = m.fulfils(before)
		}
	}
	if err != nil {
		closeModel(inner)
		return nil, err
	}
	return m, nil
}

// removeGone removes the versions whose files are gone, as long as another one of the name has its
// file.
func (s *Source) removeGone(files []file, to *Models) []Event {
	has := map[string]bool{}
	for _, f := range files {
		has[f.name], has[f.name+"/"+f.version] = true, true
	}
	var events []Event
	for _, m := range to.All() {
		if has[m.name] && !has[m.name+"/"+m.version] {
			to.Remove(m.name, m.version)
			events = append(events, Event{Path: m.name + "/" + m.version, Model: to.Get(m.name, "")})
		}
	}
	return events
}

// find lists the files of all models. Two of one name and version are an error.
func (s *Source) find() ([]file, error) {
	var all []file
	for _, path := range s.Paths {
		info, err := outside.FileInfo(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w: want a model, or a folder of models", path, fs.ErrNotExist)
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			f, err := found(nameOf(path), "1", path)
			if err != nil {
				return nil, err
			}
			all = append(all, f)
			continue
		}
		in, err := findIn(path)
		if err != nil {
			return nil, err
		}
		if len(in) == 0 {
			return nil, fmt.Errorf("%s has no model: want a file, or NAME/VERSION/FILE", path)
		}
		all = append(all, in...)
	}
	taken := map[string]string{}
	for _, f := range all {
		key := f.name + "/" + f.version
		if other, twice := taken[key]; twice {
			return nil, fmt.Errorf("%s and %s are both version %s of the model %q: rename one",
				other, f.path, f.version, f.name)
		}
		taken[key] = f.path
	}
	return all, nil
}

// findIn lists the models of a folder.
func findIn(folder string) ([]file, error) {
	var all []file
	err := visible(folder, func(path string, isFolder bool) error {
		if !isFolder {
			f, err := found(nameOf(path), "1", path)
			all = append(all, f)
			return err
		}
		return visible(path, func(version string, isFolder bool) error {
			if !isFolder {
				return nil // beside versions are descriptions for other servers
			}
			f, err := onlyFile(version)
			if err != nil {
				return err
			}
			one, err := found(filepath.Base(path), filepath.Base(version), f)
			all = append(all, one)
			return err
		})
	})
	return all, err
}

// onlyFile returns the file of a version.
func onlyFile(folder string) (string, error) {
	var files []string
	err := visible(folder, func(path string, isFolder bool) error {
		if !isFolder {
			files = append(files, path)
		}
		return nil
	})
	if err == nil && len(files) != 1 {
		err = fmt.Errorf("%s has %d files: a version is one", folder, len(files))
	}
	if err != nil {
		return "", err
	}
	return files[0], nil
}

// visible visits what a folder has, behind links, but for names that begin with a dot, and models
// that a gate has rejected. What has gone meanwhile is passed over.
func visible(folder string, visit func(path string, isFolder bool) error) error {
	entries, err := outside.ListFolder(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".rejected") {
			continue
		}
		path := filepath.Join(folder, name)
		info, err := outside.FileInfo(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = visit(path, info.IsDir())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// found describes a file.
func found(name, version, path string) (file, error) {
	info, err := outside.FileInfo(path)
	if err != nil {
		return file{}, err
	}
	real, err := outside.RealPath(path)
	if err != nil {
		return file{}, err
	}
	return file{name, version, path, stamp{real, info.Size(), info.ModTime()}}, nil
}

// nameOf returns the name of a model in a file.
func nameOf(path string) string {
	base := filepath.Base(path)
	for _, packed := range []string{".gz", ".zst"} {
		base = strings.TrimSuffix(base, packed)
	}
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" {
		return name
	}
	return base
}
