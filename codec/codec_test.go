package codec_test

import (
	"errors"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec"
)

func TestMemoryFor(t *testing.T) {
	for _, c := range []struct{ limit, size, want int64 }{
		{0, 0, 128 << 20},
		{0, 1000, 128<<20 + 16000},
		{0, -1, 128 << 20},
		{0, math.MaxInt64, math.MaxInt64},
		{123, 1000, 123},
	} {
		if got := (codec.Limits{Memory: c.limit}).MemoryFor(c.size); got != c.want {
			t.Errorf("limit %d, size %d: %d, want %d", c.limit, c.size, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	cause := errors.New("checksum differs")
	corrupt := &codec.CorruptError{Format: "coppice", Offset: 40, Section: "trees", Err: cause}
	if !errors.Is(corrupt, cause) {
		t.Error("the cause is lost")
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{corrupt, "damaged coppice model (trees, byte 40): checksum differs"},
		{&codec.UnsupportedError{Format: "coppice", What: "version 9"}, "coppice model: version 9"},
		{&codec.LimitError{Format: "coppice", Limit: 10}, "coppice model: decoding needs more memory than the limit of 10 bytes"},
	} {
		if c.err.Error() != c.want {
			t.Errorf("%q, want %q", c.err, c.want)
		}
	}
}
