package formats

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
)

// ErrUnknown reports a file or folder that no format of Table recognises.
var ErrUnknown = errors.New("it is no model file of a format that Coppice reads")

// Open reads a model of any format, from a file or from a folder, and returns the format too.
// Errors name the path. Among their causes are fs.ErrNotExist, ErrUnknown and the errors of package
// codec.
func Open(path string, l codec.Limits) (model.Model, *codec.Format, error) {
	return OpenAs(path, nil, l)
}

// OpenAs is Open with a format in place of the one of Table that has its name, such as a dump of
// XGBoost whose objective is known. Nil stands for none.
func OpenAs(path string, as *codec.Format, l codec.Limits) (model.Model, *codec.Format, error) {
	s, err := locate(path)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open model %s: %w", path, err)
	}
	defer s.Close()
	s.replace(as)
	var m model.Model
	if s.folder != nil {
		m, err = s.format.DecodeFS(s.folder, l)
	} else {
		m, err = s.format.Decode(s.model, s.size, l)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open model %s: %w", path, err)
	}
	return m, s.format, nil
}

// Of returns the format of a model file or folder, which it recognises as Open does.
func Of(path string) (*codec.Format, error) {
	s, err := locate(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open model %s: %w", path, err)
	}
	defer s.Close()
	return s.format, nil
}

// OpenReference reads a file or folder for comparison with what OpenAs makes of it; nil if the
// format has no reference.
func OpenReference(path string, as *codec.Format, l codec.Limits) (codec.Reference, error) {
	s, err := locate(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open model %s: %w", path, err)
	}
	defer s.Close()
	s.replace(as)
	var ref codec.Reference
	switch {
	case s.folder != nil && s.format.ReferenceFS != nil:
		ref, err = s.format.ReferenceFS(s.folder, l)
	case s.folder == nil && s.format.Reference != nil:
		ref, err = s.format.Reference(s.model, s.size, l)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open model %s: %w", path, err)
	}
	return ref, nil
}

// source is a model that was found: a file or a folder.
type source struct {
	format *codec.Format
	file   *outside.File
	model  io.ReaderAt // the file, or a part of it ...
	size   int64       // ... of so many bytes
	folder fs.FS       // nil: it is a file
}

// replace sets the format to one of the same name.
func (s *source) replace(as *codec.Format) {
	if as != nil && as.Name == s.format.Name {
		s.format = as
	}
}

// Close closes the file.
func (s *source) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// locate finds the format of a path and opens the file.
func locate(path string) (*source, error) {
	info, err := outside.FileInfo(path) // before opening, which would wait for the other end of a pipe
	if err != nil {
		return nil, withoutPath(err)
	}
	if info.IsDir() {
		return locateFolder(path)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := outside.OpenFile(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	s := &source{file: f, model: f}
	if info, err = f.Stat(); err == nil {
		s.size = info.Size()
		head := make([]byte, min(s.size, sniffLen))
		if _, err = f.ReadAt(head, 0); err == nil || err == io.EOF {
			if s.format = Find(head); s.format != nil {
				return s, nil
			}
			if s.model = s.counted(head); s.model != nil {
				return s, nil
			}
			err = unknown(path, head)
		}
	}
	f.Close()
	return nil, withoutPath(err)
}

// suggested names the formats of which files are read that end as a path does: model.lgb.json as
// those of one format, model.json as those of several.
func suggested(path string) []string {
	ending := ""
	for _, f := range Table() {
		for _, s := range f.Suffix {
			if strings.HasSuffix(path, s) && len(s) > len(ending) {
				ending = s
			}
		}
	}
	var names []string
	for _, f := range Table() {
		if ending != "" && f.Decode != nil && slices.ContainsFunc(f.Suffix, func(s string) bool {
			return strings.HasSuffix(s, ending)
		}) {
			names = append(names, f.Name)
		}
	}
	return names
}

// locateFolder finds the format of a folder by the names in it.
func locateFolder(path string) (*source, error) {
	folder := outside.FS(path)
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, withoutPath(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if booster := sparkBooster(path, names); booster != "" {
		return locate(booster)
	}
	format := first(func(f *codec.Format) bool {
		return f.DecodeFS != nil && f.Sniff([]byte(strings.Join(names, "\n")+"\n"))
	})
	if format == nil {
		return nil, unknownFolder(names)
	}
	return &source{format: format, folder: folder}, nil
}

// withoutPath returns what lies below an error that repeats the name of the file.
func withoutPath(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}
