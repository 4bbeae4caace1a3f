package serve

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/coppice-ml/coppice/model"
)

// Models is the set of models that a handler serves, by name and version. It is safe for concurrent
// use, and requests never wait for changes.
type Models struct {
	mu  sync.Mutex // of changes
	set atomic.Pointer[map[string]*versions]

	failed atomic.Pointer[[]Listed] // files of a source
	errors atomic.Int64             // of its files so far
}

// versions are the models of a name. They are replaced, never changed.
type versions struct {
	all      []*Model // ascending by version: the last one answers requests that name none
	replaced []*Model // what Put took out, the latest last, for Rollback
	// rejected are the ids that Rollback took out, by version, until Put puts another one there.
	rejected map[string]string
}

// mostReplaced is the number of replaced models that are kept for Rollback, of each name.
const mostReplaced = 3

// NewModels returns an empty set.
func NewModels() *Models {
	s := &Models{}
	s.set.Store(&map[string]*versions{})
	return s
}

// Put adds a model, and replaces the one of its name and version. Requests that are being answered
// keep theirs.
func (s *Models) Put(m *Model) {
	s.change(m.name, func(v *versions) *versions {
		w := &versions{}
		if v != nil {
			w.replaced, w.rejected = slices.Clone(v.replaced), maps.Clone(v.rejected)
			delete(w.rejected, m.version)
			for _, old := range v.all {
				if old.version == m.version {
					w.replaced = append(w.replaced, old)
				} else {
					w.all = append(w.all, old)
				}
			}
		}
		for len(w.replaced) > mostReplaced {
			closeModel(w.replaced[0].model)
			w.replaced = w.replaced[1:]
		}
		w.all = append(w.all, m)
		slices.SortStableFunc(w.all, func(a, b *Model) int {
			return compareVersions(a.version, b.version)
		})
		return w
	})
}

// compareVersions orders versions: texts, and behind them numbers by their values.
func compareVersions(a, b string) int {
	x, errA := strconv.ParseUint(a, 10, 64)
	y, errB := strconv.ParseUint(b, 10, 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Compare(x, y)
	case errA == nil:
		return 1
	case errB == nil:
		return -1
	}
	return cmp.Compare(a, b)
}

// Remove takes a version of a model out, "" all of them.
func (s *Models) Remove(name, version string) {
	s.change(name, func(v *versions) *versions {
		if v == nil {
			return nil
		}
		w := &versions{replaced: v.replaced, rejected: v.rejected}
		for _, m := range v.all {
			if version == "" || m.version == version {
				closeModel(m.model)
			} else {
				w.all = append(w.all, m)
			}
		}
		if w.all == nil {
			for _, m := range w.replaced {
				closeModel(m.model)
			}
			return nil
		}
		return w
	})
}

// Rollback takes out the model that requests of a name get which ask for no version, and returns
// the one that they get now: the one that it replaced, else the version before; nil if there is
// none.
func (s *Models) Rollback(name string) (back *Model) {
	s.change(name, func(v *versions) *versions {
		if v == nil {
			return nil
		}
		last := len(v.all) - 1
		bad := v.all[last]
		w := &versions{all: slices.Clone(v.all[:last]), rejected: map[string]string{bad.version: bad.id}}
		for version, id := range v.rejected {
			w.rejected[version] = cmp.Or(w.rejected[version], id)
		}
		for _, m := range v.replaced {
			if m.version == bad.version {
				back = m
			}
		}
		w.replaced = slices.DeleteFunc(slices.Clone(v.replaced), func(m *Model) bool { return m == back })
		switch {
		case back != nil:
			w.all = append(w.all, back)
		case last == 0:
			return v
		default:
			back = v.all[last-1]
		}
		closeModel(bad.model)
		return w
	})
	return back
}

// rejects reports whether a model was rolled back.
func (s *Models) rejects(m *Model) bool {
	v := (*s.set.Load())[m.name]
	return v != nil && v.rejected[m.version] == m.id
}

// accept forgets which models of a name were rolled back.
func (s *Models) accept(name string) {
	s.change(name, func(v *versions) *versions {
		if v == nil {
			return nil
		}
		return &versions{all: v.all, replaced: v.replaced}
	})
}

// fail keeps which files do not serve, and adds how many were tried and failed.
func (s *Models) fail(files []Listed, tried int) {
	s.failed.Store(&files)
	s.errors.Add(int64(tried))
}

// Failures lists the files that Source.Refresh found last and that do not serve, and counts how
// often a file did not since the set was made.
func (s *Models) Failures() (files []Listed, ever int64) {
	if f := s.failed.Load(); f != nil {
		files = *f
	}
	return files, s.errors.Load()
}

// change replaces the versions of a name; nil removes the name.
func (s *Models) change(name string, f func(*versions) *versions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := maps.Clone(*s.set.Load())
	before := all[name]
	v := f(before)
	if all[name] = v; v == nil {
		delete(all, name)
	}
	s.set.Store(&all)
	retire(before, v)
}

// closeModel gives up the file of a model. Requests that still predict with it go on: see
// coppice.Mapped.
func closeModel(m model.Model) {
	if c, is := m.(io.Closer); is {
		_ = c.Close() // which gives up a mapping, and cannot fail
	}
}

// Get returns a model by its name and version, "" the latest one; nil if there is none.
func (s *Models) Get(name, version string) *Model {
	v := (*s.set.Load())[name]
	if v == nil {
		return nil
	}
	if version == "" {
		return v.all[len(v.all)-1]
	}
	for _, m := range v.all {
		if m.version == version {
			return m
		}
	}
	return nil
}

// only returns the models of some names, as they are now.
func (s *Models) only(names []string) *Models {
	some := NewModels()
	own := map[string]*versions{}
	for name, v := range *s.set.Load() {
		if slices.Contains(names, name) {
			own[name] = v
		}
	}
	some.set.Store(&own)
	all, _ := s.Failures()
	failed := slices.DeleteFunc(slices.Clone(all), func(f Listed) bool { return !slices.Contains(names, f.Name) })
	some.failed.Store(&failed)
	return some
}

// Only returns the model of a set that has one name; nil if it has none or several.
func (s *Models) Only() *Model {
	set := *s.set.Load()
	if len(set) != 1 {
		return nil
	}
	for name := range set {
		return s.Get(name, "")
	}
	return nil
}

// All returns the models, by name and then by version.
func (s *Models) All() []*Model {
	set := *s.set.Load()
	var all []*Model
	for _, name := range slices.Sorted(maps.Keys(set)) {
		all = append(all, set[name].all...)
	}
	return all
}
