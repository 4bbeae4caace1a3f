package native

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// edited is one damage: an edit of a file's header and of its own arrays, and the text that its
// error contains.
type edited[A any] struct {
	name string
	edit func(*header, A)
	want string
}

// refuseEdits writes whole with each of the edits and reads the files. The one without an edit must
// be that of Encode, so that each of the others has no fault but its own.
func refuseEdits[A any](t *testing.T, whole model.Model, write func(testing.TB, func(*header, A)) []byte, edits []edited[A]) {
	t.Helper()
	if !bytes.Equal(write(t, func(*header, A) {}), encode(t, whole)) {
		t.Error("a draft without edits is not what Encode writes")
	}
	for _, e := range edits {
		mustBeCorrupt(t, e.name, write(t, e.edit), e.want)
	}
}

// headerOf returns the header with which Encode stores a model.
func headerOf(t testing.TB, m model.Model) *header {
	t.Helper()
	h, _ := describe(m, false, false)
	return h
}

// mustBeCorrupt reads a damaged file.
func mustBeCorrupt(t *testing.T, name string, b []byte, want string) {
	t.Helper()
	_, err := decodeBytes(b)
	var corrupt *codec.CorruptError
	if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want a corrupt file and %q", name, err, want)
		return
	}
	if corrupt.Offset < 0 || corrupt.Offset > int64(len(b)) {
		t.Errorf("%s: byte %d of %d", name, corrupt.Offset, len(b))
	}
}

// writeEdited returns the file of an edited header and of a section of arrays: its checksums are
// right.
func writeEdited(t testing.TB, h *header, s *data.Schema, own section) []byte {
	t.Helper()
	first := h.section()
	sections := []section{first}
	if texts := newTexts(s); len(texts.size) > 0 {
		sections = append(sections, arraySection("texts", texts.arrays()))
	}
	var b bytes.Buffer
	if err := writeFile(&b, append(sections, own)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
