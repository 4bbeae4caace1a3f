package tabletest

import (
	"bytes"
	"errors"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// truncated reads every beginning of the file.
func (r *Reader) truncated(t *testing.T) {
	for n := range r.File {
		err := r.Damaged(t, r.File[:n])
		if err == nil && (n == 0 || r.Sealed) {
			t.Errorf("%d of %d bytes are read without an error", n, len(r.File))
		}
	}
}

// changed reads the file with one bit of a byte changed, for every byte.
func (r *Reader) changed(t *testing.T) {
	for i := range r.File {
		for _, by := range []byte{0x01, 0x80} {
			b := bytes.Clone(r.File)
			b[i] ^= by
			r.Damaged(t, b)
		}
	}
}

// others reads files of other formats.
func (r *Reader) others(t *testing.T) {
	for _, head := range []string{
		"\x7fELF\x02\x01\x00\x00\x00\x00\x00\x00\x00\x00", "PK\x03\x04\x14\x00\x00\x00",
		"\x00\x00\x00\x00\x00\x00",
		"\x1f\x8b\x08\x00", "\x28\xb5\x2f\xfd\x00", "\xfd7zXZ\x00",
		"\xff\xff\xff\xff\x10\x00\x00\x00", "PAR1PAR1", "ARROW1\x00\x00ARROW1",
	} {
		if err := r.Damaged(t, []byte(head)); err == nil {
			t.Errorf("%q is read without an error", head)
		}
	}
}

// Damaged reads bytes that need not be a table. It fails the test if CheckError refuses the error,
// or if the reader allocates far more memory than the bytes can explain.
func (r *Reader) Damaged(t testing.TB, b []byte) error {
	t.Helper()
	const most = 1 << 30 // bytes: the readers' own limits are below that for small files
	before := allocations()
	_, err := r.readBytes(t.Context(), data.ReadOptions{MaxValues: 1 << 20, Memory: 256 << 20}, r.Name, b)
	if allocated := allocations() - before; allocated > most {
		t.Errorf("%d bytes were allocated to read %d", allocated, len(b))
	}
	CheckError(t, err)
	return err
}

// allocations returns the bytes that the process has allocated so far, but for some small ones of
// late. runtime.ReadMemStats has them, too, and stops all goroutines at each call.
func allocations() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// CheckError checks that an error is nil, or a *data.ReadError of one line that is not empty.
func CheckError(t testing.TB, err error) {
	t.Helper()
	var typed *data.ReadError
	switch {
	case err == nil:
	case !errors.As(err, &typed):
		t.Errorf("%v is not a *data.ReadError", err)
	case strings.ContainsAny(err.Error(), "\n\r") || strings.TrimSpace(typed.Msg) == "":
		t.Errorf("the error %q is not one line", err)
	case strings.Contains(err.Error(), "goroutine") ||
		strings.Contains(err.Error(), "runtime error"):
		t.Errorf("the error %q is not one for users", err)
	case typed.Err == nil:
		t.Errorf("the error %q has no reason", err)
	}
}
