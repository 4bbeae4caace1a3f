package native

import (
	"errors"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/model"
)

// Encode writes m, which must be a *model.Ensemble; its link must be one of link.Table, and its parameters and
// summary valid JSON, which is stored without spaces. An ensemble that is not valid is an error.
func Encode(w io.Writer, m model.Model) error {
	e, ok := m.(*model.Ensemble)
	if !ok || e == nil {
		return unsupported("cannot store a model of type %T", m)
	}
	if err := e.Validate(); err != nil {
		return fmt.Errorf("%s model: cannot be stored: %w", name, err)
	}
	h, err := newHeader(e)
	if err != nil {
		return err
	}
	first, err := h.section()
	if err != nil {
		return fmt.Errorf("%s model: cannot be stored: %w", name, err)
	}
	f := newForest(e)
	sections := []section{first}
	if t := newTexts(&e.Meta.Schema); len(t.size) > 0 {
		sections = append(sections, arraySection("texts", t.arrays()))
	}
	sections = append(sections, arraySection("trees", append(f.perTree(), f.perNode()...)))
	return writeFile(w, sections)
}

// Decode reads a model of size bytes. Errors are those of codec.Format.
func Decode(r io.ReaderAt, size int64, l codec.Limits) (model.Model, error) {
	memory := l.MemoryFor(size)
	f := &file{r: r, size: size, budget: &budget{left: memory, limit: memory}}
	found, err := f.sections()
	if err != nil {
		return nil, err
	}
	e, err := f.ensemble(found)
	// Every checksum is right: what looks wrong in a newer file is what this program does not know.
	var strange *codec.CorruptError
	if f.version > Latest && errors.As(err, &strange) {
		return nil, unsupported("the file has format version %s, newer than %s of this program, and cannot be read: %v", f.version, Latest, err)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// known are the sections that this program reads; the first and the last are in every file.
var known = []string{"header", "texts", "trees"}

// ensemble puts the model together from the payloads of the known sections.
func (f *file) ensemble(found map[string]*payload) (*model.Ensemble, error) {
	for _, s := range []string{"header", "trees"} {
		if found[s] == nil {
			return nil, corrupt(s, f.size, "the file has no such section")
		}
	}
	h := &header{}
	e, levels, err := h.parse(found["header"], f.budget)
	if err != nil {
		return nil, err
	}
	if err := parseTexts(found["texts"], &e.Meta.Schema, levels, f.budget); err != nil {
		return nil, err
	}
	trees := found["trees"]
	if err := parseTrees(trees, e, h.Trees, f.budget); err != nil {
		return nil, err
	}
	if err := e.Validate(); err != nil {
		return nil, trees.corrupt(0, "%w", err)
	}
	return e, nil
}
