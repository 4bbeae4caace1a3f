package native

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"io"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
)

// draft is a file before it is written, for tests that need files which Encode would not write.
type draft struct {
	head   *header
	texts  *texts
	forest *forest // the arrays per tree; those per node follow the model
	inputs *derived
	covers *covers // likewise
	origin *origin
	refuse *refused
	more   []section
	// edit changes the list of sections last; patch the bytes of the file, whose checksums are then
	// mended.
	edit  func([]section) []section
	patch func([]byte) []byte
}

// write returns the file of m, changed by edit.
func write(t testing.TB, m *model.Ensemble, edit func(*draft)) []byte {
	t.Helper()
	h := headerOf(t, m)
	d := &draft{head: h, texts: newTexts(&m.Meta.Schema), forest: newForest(m), inputs: newDerived(&m.Inputs),
		covers: newCovers(m.Trees), origin: newOrigin(m), refuse: newRefused(m)}
	edit(d)
	first := d.head.section()
	sections := []section{first}
	if len(d.texts.size) > 0 {
		sections = append(sections, arraySection("texts", d.texts.arrays()))
	}
	sections = append(sections, arraySection("trees", append(d.forest.perTree(), newForest(m).perNode()...)))
	if in := &m.Inputs; len(in.Tables)+len(in.Numbers)+len(in.Combinations) > 0 {
		sections = append(sections, arraySection("inputs", d.inputs.arrays()))
	}
	if !d.covers.none() {
		arrays := append(d.covers.perTree(), newCovers(m.Trees).perNode()...)
		own := arraySection("covers", arrays)
		own.flags = 0
		sections = append(sections, own)
	}
	if !d.origin.none() {
		sections = append(sections, d.origin.section())
	}
	if len(m.Refused) > 0 {
		sections = append(sections, d.refuse.section())
	}
	if len(m.State) > 0 {
		sections = append(sections, bytesSection("state", 0, 0, m.State))
	}
	about := aboutSections(&m.Meta)
	sections = append(sections, about...)
	sections = append(sections, d.more...)
	if d.edit != nil {
		sections = d.edit(sections)
	}
	var b bytes.Buffer
	if err := writeFile(&b, sections); err != nil {
		t.Fatal(err)
	}
	if d.patch != nil {
		return reseal(d.patch(b.Bytes()))
	}
	return b.Bytes()
}

// encode returns the file that Encode writes.
func encode(t testing.TB, m model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decodeBytes(b []byte) (model.Model, error) {
	return Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
}

// blob is a section of raw bytes.
func blob(name string, flags uint32, content []byte) section {
	return section{name: name, flags: flags, size: int64(len(content)), emit: func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}}
}

// reseal makes the file size and all checksums fit the bytes, as far as there are sections, so that
// damage reaches the code behind them. It changes b and returns it.
func reseal(b []byte) []byte {
	if len(b) < headSize {
		return b
	}
	le.PutUint64(b[16:], uint64(len(b)))
	le.PutUint32(b[headSize-crcSize:], crc32.Checksum(b[:headSize-crcSize], castagnoli))
	for at := headSize; len(b)-at >= minSectionSize; {
		n := le.Uint64(b[at+24:])
		if n > uint64(len(b)) || span(int64(n)) > int64(len(b)-at) {
			break
		}
		end := at + int(span(int64(n)))
		le.PutUint32(b[end-crcSize:], crc32.Checksum(b[at:end-crcSize], castagnoli))
		at = end
	}
	return b
}

func TestResealKeepsSoundFiles(t *testing.T) {
	for _, m := range codectest.Models() {
		b := encode(t, m)
		if !bytes.Equal(reseal(bytes.Clone(b)), b) {
			t.Error("reseal changes a sound file")
		}
		if e, ok := m.(*model.Ensemble); ok && !bytes.Equal(write(t, e, func(*draft) {}), b) {
			t.Error("a draft without edits is not what Encode writes")
		}
	}
}

// raw is shorter than json.RawMessage in tables of tests.
func raw(s string) json.RawMessage { return json.RawMessage(s) }
