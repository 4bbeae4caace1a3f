package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
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
// each folder is one whose folders are its versions, whole numbers, with a file each:
//
//	models/churn.coppice        the model churn, version 1
//	models/spam/3/spam.onnx     the model spam, version 3
//	models/spam/4/spam.onnx     its version 4, which answers requests that name none
//
// A folder that is a model, as those of YDF are, takes the place of a file, and keeps its name.
// Names that begin with a dot are passed over, so the folders that Kubernetes swaps are seen by the
// links to them.
type Source struct {
	// Paths are the files and folders.
	Paths []string
	// Open opens a model's file; nil is coppice.Open, which no change of the file can harm.
	Open func(path string) (model.Model, error)
	// Stray reports whether a file that did not open is none of a model: it is an event once, and
	// no failure. A folder, which ends in a separator, is a model where it reports false. Nil: a
	// file is none that is no model of Coppice, by its content and by its ending, and so is each
	// folder.
	Stray func(path string) bool
	// AcceptContract lets a model replace another though it needs a column that the other does not
	// have, or one of another kind, or predicts something else.
	AcceptContract bool
	// Checks are those of ModelOptions.
	Checks *model.Checks

	mu       sync.Mutex
	seen     map[string]attempt // by path of the file
	unloaded map[string]bool    // by name: Refresh passes it over
}

// attempt is what came of a file.
type attempt struct {
	stamp  stamp
	failed string // why it does not serve
	stray  bool   // it is no model at all, so nothing has failed
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
	Model *Model // that was loaded; else the one that requests get, nil if there is none
	Err   error  // why the file does not serve: the model before, if there is one, goes on
}

// file is a model's file that was found.
type file struct {
	name, version, path string
	stamp               stamp
	err                 error // why it is none
	stray               bool  // it is a folder of no model, such as one of notes
}

// Refresh loads the files that are new or have changed since, and puts them into the set. A file is
// opened, predicts its golden rows, and is compared with the model that it replaces. If one of
// these fails the event has the error, and so has that of a path or a folder that is not as it
// should be; the others are loaded all the same. A file is tried again once it has changed, and
// Models.Failures lists it until it serves. A model that serves already, by its id, is no change,
// and one that Models.Rollback took out is refused. A version whose file is gone is removed if
// another one that serves has its file. Else it goes on, and an event says so once. The error is
// that of ctx.
func (s *Source) Refresh(ctx context.Context, to *Models) ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var events []Event
	failures := 0
	files, now, taken := s.find(), map[string]attempt{}, map[string]string{}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return events, err
		}
		key := f.name + "/" + f.version
		if other := taken[key]; other != "" && f.err == nil {
			f.stamp, f.err = stamp{}, fmt.Errorf("%s is version %s of the model %q, too: rename one",
				other, f.version, f.name)
		}
		last, known := s.seen[f.path]
		switch {
		case s.unloaded[f.name]:
			last.stamp = stamp{}
		case f.err != nil && f.err.Error() == last.failed:
		case f.err != nil || !known || f.stamp != last.stamp:
			m, err := s.update(f, to)
			if last = (attempt{stamp: f.stamp}); err != nil {
				last.failed, m = err.Error(), to.Get(f.name, "")
				last.stray = to.Get(f.name, f.version) == nil && !slices.Contains(s.Paths, f.path) &&
					(f.stray || f.err == nil && s.stray(f.path))
				if !last.stray {
					failures++
				}
			}
			if m != nil || err != nil {
				events = append(events, Event{Path: f.path, Model: m, Err: err})
			}
		}
		if now[f.path] = last; last.failed == "" {
			taken[key] = f.path
		}
	}
	events = append(events, s.removeGone(now, files, to)...)
	s.seen = now
	to.fail(s.failures(files), failures)
	return events, nil
}

// failures lists the files that do not serve.
func (s *Source) failures(files []file) []Listed {
	all := []Listed{}
	for _, f := range files {
		last := s.seen[f.path]
		if why := last.failed; why != "" && !last.stray && !s.unloaded[f.name] {
			why = strings.ReplaceAll(why, f.path, filepath.Base(f.path)) // clients need no folders
			all = append(all, Listed{f.name, f.version, "UNAVAILABLE", why})
		}
	}
	return all
}

// stray reports whether a file is no model at all.
func (s *Source) stray(path string) bool {
	if s.Stray != nil {
		return s.Stray(path)
	}
	if filepath.Ext(path) == ".coppice" {
		return false
	}
	m, err := coppice.Open(path)
	if err == nil {
		closeModel(m)
	}
	return errors.Is(err, coppice.ErrNotModel)
}

// update loads a file into a set and returns its model; nil: it serves already.
func (s *Source) update(f file, to *Models) (*Model, error) {
	if f.err != nil {
		return nil, f.err
	}
	m, err := s.load(f, to)
	if err != nil {
		return nil, err
	}
	if before := to.Get(f.name, f.version); before != nil && before.id == m.id {
		closeModel(m.model)
		return nil, nil
	}
	if to.rejects(m) {
		closeModel(m.model)
		return nil, errors.New("it is the model that was rolled back: put another one in its place")
	}
	to.Put(m)
	return m, nil
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

// removeGone removes the versions whose files are gone, as long as another one of the name serves
// and has its file. The others are noted in now.
func (s *Source) removeGone(now map[string]attempt, files []file, to *Models) []Event {
	has, goesOn := map[string]bool{}, map[string]bool{}
	for _, f := range files {
		has[f.name+"/"+f.version] = true
		goesOn[f.name] = goesOn[f.name] || to.Get(f.name, f.version) != nil
	}
	var events []Event
	for _, m := range to.All() {
		key := m.name + "/" + m.version
		switch {
		case has[key]:
			continue
		case goesOn[m.name]:
			to.Remove(m.name, m.version)
			events = append(events, Event{Path: key, Model: to.Get(m.name, "")})
			continue
		}
		gone := fmt.Errorf("%w any more", fs.ErrNotExist)
		if now[key] = (attempt{failed: gone.Error()}); s.seen[key].failed == "" {
			events = append(events, Event{Path: key, Model: m, Err: gone})
		}
	}
	return events
}

// find lists the files of all models, and what is not as it should be.
func (s *Source) find() []file {
	var all []file
	for _, path := range s.Paths {
		in, err := s.findAt(path)
		if err == nil && len(in) == 0 {
			err = errors.New("it has no model: want a file, or NAME/VERSION/FILE")
		}
		if err != nil {
			in = append(in, file{name: nameOf(path), version: "1", path: path, err: err})
		}
		all = append(all, in...)
	}
	return all
}

// findAt lists the models of a file or a folder.
func (s *Source) findAt(path string) ([]file, error) {
	info, err := outside.FileInfo(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: want a model, or a folder of models", fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []file{found(nameOf(path), "1", path)}, nil
	}
	if s.whole(path) {
		return []file{found(filepath.Base(path), "1", path)}, nil
	}
	var all []file
	files, folders, err := visible(path)
	for _, f := range files {
		all = append(all, found(nameOf(f), "1", f))
	}
	for _, folder := range folders {
		name := filepath.Base(folder)
		if s.whole(folder) {
			all = append(all, found(name, "1", folder))
			continue
		}
		files, versions, err := visible(folder) // beside versions are descriptions for other servers
		if err == nil && len(versions) == 0 {
			err = errors.New("it has no version: want NAME/VERSION/FILE")
		}
		if err != nil {
			stray := !slices.ContainsFunc(files, func(path string) bool { return !s.stray(path) })
			all = append(all, file{name: name, version: "1", path: folder, err: err, stray: stray})
		}
		for _, v := range versions {
			all = append(all, s.onlyFile(name, v))
		}
	}
	return all, err
}

// whole reports whether a folder is a model.
func (s *Source) whole(folder string) bool {
	return s.Stray != nil && !s.Stray(folder+string(filepath.Separator))
}

// onlyFile returns the file of a version, beside which notes may stand.
func (s *Source) onlyFile(name, folder string) file {
	version := filepath.Base(folder)
	files, _, err := visible(folder)
	if len(files) > 1 {
		if models := slices.DeleteFunc(slices.Clone(files), s.stray); len(models) > 0 {
			files = models
		}
	}
	if _, number := strconv.ParseUint(version, 10, 64); err == nil && number != nil {
		err = errors.New("its name is no version: want a whole number")
	}
	if err == nil && s.whole(folder) {
		return found(name, version, folder)
	}
	if err == nil && len(files) != 1 {
		err = fmt.Errorf("it has %d files: a version is one", len(files))
	}
	if err != nil {
		return file{name: name, version: version, path: folder, err: err, stray: len(files) == 0}
	}
	return found(name, version, files[0])
}

// visible lists what a folder has, behind links, but for names that begin with a dot, models that a
// gate has rejected, and the folder of file systems for what they have lost. What has gone
// meanwhile is passed over.
func visible(folder string) (files, folders []string, err error) {
	entries, err := outside.ListFolder(folder)
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".rejected") || name == "lost+found" {
			continue
		}
		path := filepath.Join(folder, name)
		switch info, err := outside.FileInfo(path); {
		case errors.Is(err, fs.ErrNotExist):
		case err == nil && info.IsDir():
			folders = append(folders, path)
		default:
			files = append(files, path)
		}
	}
	return files, folders, err
}

// found describes a file.
func found(name, version, path string) file {
	f := file{name: name, version: version, path: path}
	info, err := outside.FileInfo(path)
	if err == nil {
		f.stamp.size, f.stamp.time = info.Size(), info.ModTime()
		f.stamp.real, err = outside.RealPath(path)
	}
	if err == nil && info.IsDir() {
		var files []string
		files, _, err = visible(path)
		for _, part := range files { // which may change in their place
			p := found("", "", part)
			f.stamp.size += p.stamp.size
			if p.stamp.time.After(f.stamp.time) {
				f.stamp.time = p.stamp.time
			}
		}
	}
	if f.err = err; err != nil {
		f.stamp = stamp{}
	}
	return f
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
