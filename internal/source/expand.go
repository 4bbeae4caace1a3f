package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
)

// Expand replaces patterns (sales/*.csv, sales/**/2026-*.parquet) and folders by their files, in
// ascending order of their paths. Of a folder these are all files in it and below whose name has
// one of the suffixes, before .gz or .zst, or all files if none has. Hidden files (see hidden) are
// left out. A file whose name is that of a pattern is that file. URLs whose scheme has no store
// stay what they are.
//
// Errors: a pattern that no file matches, and a folder without files.
func Expand(
	ctx context.Context, stores map[string]data.Store, paths, suffixes []string,
) ([]string, error) {
	var files []string
	for _, name := range paths {
		found := []string{name}
		var err error
		if !IsURL(name) {
			found, err = expand(ctx, name, suffixes)
		} else if store := stores[schemeOf(name)]; store != nil {
			found, err = expandURL(ctx, store, name, suffixes)
		}
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// expandAll is Expand, in which tables in memory stand for themselves.
func expandAll(
	ctx context.Context, o *data.ReadOptions, paths, suffixes []string,
) ([]string, error) {
	if o.Bytes == nil {
		return Expand(ctx, o.Stores, paths, suffixes)
	}
	var files []string
	for _, name := range paths {
		found := []string{name}
		if _, held := o.Bytes[name]; !held {
			var err error
			if found, err = Expand(ctx, o.Stores, found, suffixes); err != nil {
				return nil, err
			}
		}
		files = append(files, found...)
	}
	return files, nil
}

func expand(ctx context.Context, name string, suffixes []string) ([]string, error) {
	if name == "-" {
		return []string{name}, nil
	}
	info, err := outside.FileInfo(name)
	w := &walk{ctx: ctx, suffixes: suffixes}
	switch {
	case err == nil && !info.IsDir():
		return []string{name}, nil
	case err == nil:
		return w.folder(name)
	case hasWildcard(name) && Unclear(err):
		return nil, fileError(name, err) // it may be a file of that name
	case !hasWildcard(name):
		return []string{name}, nil // opening it reports what is wrong
	}
	root, p, bad := newPattern(filepath.ToSlash(name))
	if bad != nil {
		return nil, &data.ReadError{File: name, Err: errors.Join(data.ErrOption, bad),
			Msg: "there is no such file, and it is no pattern either: a [ is not closed"}
	}
	if err := w.pattern(root, nil, p); err != nil {
		return nil, err
	}
	if len(w.files) == 0 {
		return nil, &data.ReadError{File: name, Msg: "no file matches the pattern",
			Err: fs.ErrNotExist}
	}
	slices.Sort(w.files)
	return slices.Compact(w.files), nil
}

// walk collects the files of a pattern or of a folder.
type walk struct {
	ctx      context.Context
	suffixes []string
	files    []string
}

// pattern adds the files that match a pattern, of those below a folder of root. Folders that match
// add the files in them.
func (w *walk) pattern(root string, below []string, p pattern) error {
	folder := root + strings.Join(below, "/")
	if folder == "" {
		folder = "."
	}
	entries, err := w.list(folder)
	if err != nil {
		if len(below) == 0 && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	for _, e := range entries {
		parts := append(below[:len(below):len(below)], e.Name())
		whole, begins := p.match(parts)
		if !whole && !begins {
			continue
		}
		name := root + strings.Join(parts, "/")
		if e.Type()&fs.ModeSymlink != 0 && slices.Contains(p[:min(len(parts), len(p))], "**") {
			if info, err := outside.FileInfo(name); err == nil && info.IsDir() {
				continue // it may be a circle
			}
		}
		info, err := outside.FileInfo(name) // of what a link leads to
		if err != nil {
			return fileError(name, err)
		}
		switch {
		case !info.IsDir() && whole:
			w.files = append(w.files, filepath.FromSlash(name))
		case info.IsDir() && begins:
			err = w.pattern(root, parts, p)
		case info.IsDir():
			_, err = w.folder(filepath.FromSlash(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list returns what is in a folder.
func (w *walk) list(folder string) ([]fs.DirEntry, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	entries, err := outside.ListFolder(folder)
	if err != nil {
		return nil, fileError(folder, err)
	}
	return entries, nil
}

// folder adds the files of a folder and of those below it, but for links to folders, which may be a
// circle. It returns all files so far.
func (w *walk) folder(root string) ([]string, error) {
	var all []string
	var visit func(folder string) error
	visit = func(folder string) error {
		entries, err := w.list(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := filepath.Join(folder, e.Name())
			if hidden(e.Name()) {
				continue
			}
			if e.IsDir() {
				if err := visit(name); err != nil {
					return err
				}
				continue
			}
			if info, err := outside.FileInfo(name); err != nil || info.Mode().IsRegular() {
				all = append(all, name) // opening it reports the error
			}
		}
		return nil
	}
	if err := visit(root); err != nil {
		return nil, err
	}
	files := tablesOf(all, w.suffixes)
	if len(files) == 0 {
		return nil, &data.ReadError{File: root, Msg: "the folder holds no tables",
			Err: data.ErrEmpty}
	}
	w.files = append(w.files, files...)
	return w.files, nil
}

// tablesOf returns the files that are tables by their names, in ascending order, or all if none is.
func tablesOf(files, suffixes []string) []string {
	slices.Sort(files)
	var tables []string
	for _, name := range files {
		if HasSuffix(name, suffixes) {
			tables = append(tables, name)
		}
	}
	if len(tables) == 0 {
		return files
	}
	return tables
}

// HasSuffix reports whether the name of a file, without .gz or .zst, ends in one of some suffixes.
func HasSuffix(name string, suffixes []string) bool {
	name = strings.ToLower(Shown(name))
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"), ".zip")
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// checkPartitions returns an error unless the folders of all files name the same keys.
func checkPartitions(sources []Source) error {
	keys := func(s *Source) (keys []string) {
		for _, p := range s.Partitions {
			keys = append(keys, p.Key)
		}
		return keys
	}
	for i := range sources {
		first, s := &sources[0], &sources[i]
		a, b := keys(first), keys(s)
		for _, key := range a {
			if !slices.Contains(b, key) {
				return differs(s, first, key)
			}
		}
		for _, key := range b {
			if !slices.Contains(a, key) {
				return differs(first, s, key)
			}
		}
	}
	return nil
}

func differs(without, with *Source, key string) error {
	return &data.ReadError{File: without.Name, Err: data.ErrHeader, Msg: fmt.Sprintf(
		"no folder %s=... above it makes a column %q, as one does for %s", key, key, with.Name)}
}
