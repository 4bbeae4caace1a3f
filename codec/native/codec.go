package native

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Encode writes m, which must be of one of the kinds that the format stores; its parameters and
// summary must be valid JSON, which is stored without spaces, and the link of an ensemble one of
// link.Table. A model that is not valid is an error.
func Encode(w io.Writer, m model.Model) (err error) {
	defer foreign.Ended(&err)
	err = writeFile(w, sectionsOf(m, nil))
	runtime.KeepAlive(m) // its arrays may lie in a mapped file
	return err
}

// sectionsOf returns the sections of the file of a model that is a member of one with the given
// description; nil: of none. They hold no copy of the model's arrays.
func sectionsOf(m model.Model, around *model.Spec) []section {
	return append(predicting(m, around, false), aboutSections(m.Spec())...)
}

// predicting returns those of the sections that predictions depend on, and what belongs to them.
// Bare ones hold nothing else: see identity.go.
func predicting(m model.Model, around *model.Spec, bare bool) []section {
	h, arrays := describe(m, bare, around != nil)
	schema := &m.Spec().Schema
	if around != nil && h.leaveOut(m.Spec(), around) {
		schema = &data.Schema{}
	}
	sections := []section{h.section()}
	if t := newTexts(schema); len(t.size) > 0 {
		sections = append(sections, arraySection("texts", t.arrays()))
	}
	sections = append(sections, arrays)
	if e, ok := model.Inner(m).(*model.Ensemble); ok {
		if bare {
			e = bareEnsemble(e)
		}
		sections = append(sections, extraSections(e)...)
	}
	return sections
}

// extraSections returns the sections of an ensemble that not all have.
func extraSections(e *model.Ensemble) []section {
	var sections []section
	if in := &e.Inputs; len(in.Tables)+len(in.Numbers)+len(in.Combinations) > 0 {
		sections = append(sections, arraySection("inputs", newDerived(&e.Inputs).arrays()))
	}
	if c := newCovers(e.Trees); !c.none() {
		sections = append(sections, c.section())
	}
	if o := newOrigin(e); !o.none() {
		sections = append(sections, o.section())
	}
	if len(e.Refused) > 0 {
		sections = append(sections, newRefused(e).section())
	}
	if len(e.State) > 0 {
		sections = append(sections, bytesSection("state", 0, 0, e.State))
	}
	return sections
}

// bytesSection returns a section whose payload is in memory.
func bytesSection(title string, flags uint32, since Version, b []byte) section {
	return section{name: title, flags: flags, size: int64(len(b)), since: since,
		emit: func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		}}
}

// describe finds the kind of a model and returns its header and the section of its arrays, bare if
// that is requested. Only the files of models that are no members have lists of codes.
func describe(m model.Model, bare, member bool) (*header, section) {
	m = model.Inner(m)
	for _, k := range kinds() {
		if !k.is(m) {
			continue
		}
		if err := m.(model.Checked).Validate(); err != nil {
			foreign.Check(fmt.Errorf("%s model: cannot be stored: %w", name, err))
		}
		spec := m.Spec()
		if bare {
			spec = bareSpec(spec)
			if e, ok := m.(*model.Ensemble); ok {
				m = bareEnsemble(e)
			}
		}
		h := newHeader(k.name, spec)
		h.bare, h.words = bare, bare || member
		return h, arraySection(k.section, k.encode(m, h))
	}
	unsupported("cannot store a model of type %T", m)
	return nil, section{}
}

// Decode reads a model of size bytes. Errors are those of codec.Format.
func Decode(r io.ReaderAt, size int64, l codec.Limits) (model.Model, error) {
	memory := l.MemoryFor(size)
	f := &file{r: r, size: size, budget: &budget{left: memory, limit: memory}}
	return f.decode()
}

// DecodeInPlace is Decode of a file that lies in memory and stays there unchanged as long as the
// model, or anything that came from it, is in use: the arrays of the model are parts of b, wherever
// the machine's order of bytes and their alignment allow. The model and its members hold the owner
// of b as model.Spec.Memory; nil if b is of Go's own memory.
func DecodeInPlace(b []byte, owner any, l codec.Limits) (model.Model, error) {
	if !littleEndian || !fits(b) {
		return Decode(bytes.NewReader(b), int64(len(b)), l)
	}
	memory := l.MemoryFor(int64(len(b)))
	f := &file{r: bytes.NewReader(b), memory: b, owner: owner, size: int64(len(b)),
		budget: &budget{left: memory, limit: memory}}
	return f.decode()
}

// decode reads the model of the file.
func (f *file) decode() (_ model.Model, err error) {
	defer foreign.Ended(&err)
	m, err := f.model(f.sections())
	// Every checksum is right: a fault in a newer file is something that this program cannot read.
	var strange *codec.CorruptError
	if f.version > Latest && errors.As(err, &strange) {
		unsupported("the file has format version %s, newer than %s of this program, "+
			"and cannot be read: %v", f.version, Latest, err)
	}
	return m, err
}

// known reports whether this program reads sections of a name.
func known(title string) bool {
	switch title {
	case "header", "texts", "inputs", "covers", "origin", "refused", "state", "profile", "report",
		"stamp", "golden":
		return true
	}
	for _, k := range kinds() {
		if k.section == title {
			return true
		}
	}
	return false
}

// extras reads the sections of an ensemble that not all have.
func (f *file) extras(e *model.Ensemble, found map[string]*payload) {
	if p := found["state"]; p != nil {
		e.State = p.data
	}
	if p := found["inputs"]; p != nil {
		e.Inputs = parseDerived(p, f.budget)
	}
	if p := found["covers"]; p != nil {
		parseCovers(p, e.Trees, f.budget)
	}
	if p := found["refused"]; p != nil {
		parseRefused(p, e, f.budget)
	}
	if p := found["origin"]; p != nil {
		parseOrigin(p, e, f.budget)
	}
}

// model puts the model together from the payloads of the known sections.
func (f *file) model(found map[string]*payload) (_ model.Model, err error) {
	defer foreign.Ended(&err)
	if found["header"] == nil {
		corrupt("header", f.size, "the file has no such section")
	}
	h := &header{}
	meta, levels := h.parse(found["header"], f.around, f.budget)
	meta.Memory = f.owner
	for _, k := range kinds() {
		if k.name != h.Model {
			continue
		}
		p := found[k.section]
		if p == nil {
			corrupt(k.section, f.size, "the file has no such section")
		}
		parseTexts(found["texts"], &meta.Schema, levels, f.budget)
		parseAbout(found, meta, f.budget)
		m := k.decode(f, h, meta, p)
		if e, ok := m.(*model.Ensemble); ok {
			f.extras(e, found)
		}
		if f.around != nil {
			return m, nil // which validates its members
		}
		validate := m.Validate
		if e, ok := m.(*model.Ensemble); ok {
			validate = e.ValidateMapped
		}
		p.check(validate())
		if g := meta.Golden; g != nil && len(g.Predictions) != g.Rows*m.Outputs() {
			found["golden"].corrupt(0, "%d predictions of %d rows with %d outputs",
				len(g.Predictions), g.Rows, m.Outputs())
		}
		return m, nil
	}
	unsupported("the file holds a model of type %q: use a newer program", h.Model)
	return nil, nil
}
