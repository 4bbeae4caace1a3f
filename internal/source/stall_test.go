package source

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
)

// stalling is a store of one file, of which it sends the beginning and then nothing.
type stalling struct{ opened int }

func (s *stalling) List(context.Context, string) ([]data.StoredFile, error) {
	return nil, errors.ErrUnsupported
}

func (s *stalling) Stat(_ context.Context, url string) (data.StoredFile, error) {
	return data.StoredFile{URL: url, Size: 100}, nil
}

func (s *stalling) Open(ctx context.Context, _ data.StoredFile, at, _ int64) (io.ReadCloser, error) {
	s.opened++
	in, out := io.Pipe()
	context.AfterFunc(ctx, func() { out.CloseWithError(ctx.Err()) })
	if at == 0 {
		go out.Write([]byte("x,y\n"))
	}
	return in, nil
}

// A store that stalls is asked again, and is one line in the end.
func TestStalls(t *testing.T) {
	defer outside.Judge(func(c outside.Call) (f outside.Fault) {
		switch c.Wait {
		case patience:
			f.Shift = 20*time.Millisecond - c.Wait
		default:
			f.Shift = -c.Wait
		}
		return f
	})()
	store := &stalling{}
	src, err := newRemote(t.Context(), store, "s3://b/t.csv", &data.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	in := src.stream(t.Context())
	defer in.Close()
	b, err := io.ReadAll(in)
	if string(b) != "x,y\n" || err == nil || !strings.Contains(err.Error(), "has not answered for 20s (tried 4 times)") || store.opened != 4 {
		t.Errorf("%q, %v, opened %d times", b, err, store.opened)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stopped := src.stream(ctx)
	defer stopped.Close()
	if _, err := io.ReadAll(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
