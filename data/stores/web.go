package stores

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// web reads files of web servers.
type web struct {
	client *http.Client
	seen   versions
}

// List returns errors.ErrUnsupported: a web server has no lists.
func (w *web) List(context.Context, string) ([]data.StoredFile, error) {
	return nil, errors.ErrUnsupported
}

// Stat asks for the first byte of a file, of which the answer names size and version. Signed URLs
// often admit no other method than GET.
func (w *web) Stat(ctx context.Context, url string) (data.StoredFile, error) {
	r, err := w.get(ctx, url, "", "bytes=0-0")
	if err != nil {
		return data.StoredFile{}, err
	}
	defer r.Body.Close()
	f := data.StoredFile{URL: url, Size: r.ContentLength, Whole: true}
	if tag := r.Header.Get("ETag"); !strings.HasPrefix(tag, "W/") {
		f.Version = tag
	}
	if r.StatusCode == http.StatusPartialContent {
		f.Size, err = rangeOf(r.Header.Get("Content-Range"), 0)
		if err != nil { // then it is read from its start
			f.Size = -1
		}
		f.Whole = f.Size < 0
	}
	return f, w.seen.check(url, versionOf(r.Header, f.Size))
}

// Open implements data.Store.
func (w *web) Open(
	ctx context.Context, f data.StoredFile, at, size int64,
) (io.ReadCloser, error) {
	ranges := ""
	switch {
	case at > 0 && f.Whole:
		return nil, &data.StoreError{Err: io.ErrUnexpectedEOF, Msg: fmt.Sprintf(
			"the connection was closed after %d bytes, and the server cannot continue there", at)}
	case size >= 0 && !f.Whole:
		ranges = fmt.Sprintf("bytes=%d-%d", at, at+size-1)
	}
	r, err := w.get(ctx, f.URL, f.Version, ranges)
	if err != nil {
		return nil, err
	}
	whole := r.ContentLength
	if ranges != "" {
		whole, err = rangeOf(r.Header.Get("Content-Range"), at)
		if r.StatusCode != http.StatusPartialContent {
			err = errRange
		}
	} else if r.StatusCode != http.StatusOK {
		err = errRange
	}
	if changed := w.seen.check(f.URL, versionOf(r.Header, whole)); changed != nil {
		err = changed
	}
	if err != nil {
		r.Body.Close()
		return nil, err
	}
	return r.Body, nil
}

// get asks for a file, or for a range of its bytes.
func (w *web) get(ctx context.Context, url, version, ranges string) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, &data.StoreError{Msg: "this is no URL", Err: data.ErrOption}
	}
	if ranges != "" {
		q.Header.Set("Range", ranges)
	}
	if version != "" {
		q.Header.Set("If-Match", version)
	}
	r, err := w.client.Do(q)
	if err != nil {
		return nil, unreachable(err)
	}
	if r.StatusCode == http.StatusRequestedRangeNotSatisfiable && ranges == "bytes=0-0" {
		r.Body.Close() // the file is empty
		r.Body, r.ContentLength = http.NoBody, 0
		return r, nil
	}
	if r.StatusCode != http.StatusOK && r.StatusCode != http.StatusPartialContent {
		r.Body.Close()
		return nil, answer(r.StatusCode, "", "the URL does not give access", errors.New(r.Status))
	}
	return r, nil
}
