package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Limits of reading from stores. An attempt fails if no byte comes for as long as patience. What
// fails is tried again after a wait, which doubles each time.
const (
	attempts  = 4
	patience  = 20 * time.Second
	firstWait = 250 * time.Millisecond
	enough    = 1 << 20 // bytes after which the attempts are counted anew
)

// schemeOf returns the scheme of a path that is a URL, "" if it is none.
func schemeOf(path string) string {
	scheme, _, ok := strings.Cut(path, "://")
	if !ok || len(scheme) < 2 || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return scheme
}

// IsURL reports whether a path is read from a store.
func IsURL(path string) bool { return schemeOf(path) != "" }

// Shown returns how a path is named in messages and reports: of a URL without what gives access, a
// password or the query of a signed one.
func Shown(path string) string {
	if !IsURL(path) {
		return path
	}
	u, err := url.Parse(path)
	if err != nil || u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return path
	}
	bare, _, _ := strings.Cut(path, "?")
	if u.User != nil {
		scheme, rest, _ := strings.Cut(bare, "://")
		host, file, _ := strings.Cut(rest, "/")
		bare = scheme + "://" + host[strings.LastIndexByte(host, '@')+1:] + "/" + file
	}
	return bare
}

// ofURL returns the store of a path; nil if it is no URL.
func ofURL(stores map[string]data.Store, path string) (data.Store, error) {
	scheme := schemeOf(path)
	if scheme == "" {
		return nil, nil
	}
	if s := stores[scheme]; s != nil {
		return s, nil
	}
	return nil, &data.ReadError{File: Shown(path), Err: data.ErrOption,
		Msg: fmt.Sprintf("files of %s:// cannot be read", scheme)}
}

// newRemote finds a file of a store. One that cannot be read at any place, or of unknown size, is
// read into memory.
func newRemote(
	ctx context.Context, store data.Store, path string, o *data.ReadOptions,
) (Source, error) {
	var f data.StoredFile
	err := retry(ctx, func(ctx context.Context) (err error) {
		f, err = store.Stat(ctx, path)
		return err
	})
	if err != nil {
		return Source{}, storeError(ctx, path, err)
	}
	s := Source{Name: Shown(path), Size: f.Size, store: store, stored: f}
	if f.Size >= 0 && !f.Whole {
		return s, nil
	}
	in := s.stream(ctx)
	defer in.Close()
	return buffer(ctx, s.Name, in, o.Memory)
}

// remoteFile is a file of a store that was found, or why it was not.
type remoteFile struct {
	source *Source
	err    error
}

// requests is how many files of a store are looked for at the same time.
const requests = 16

// remotes finds those of some paths that are files of stores, several at the same time. Behind one
// that is not there, none is looked for any more; others have no entry.
func remotes(ctx context.Context, o *data.ReadOptions, paths []string) []*remoteFile {
	found := make([]*remoteFile, len(paths))
	var failed atomic.Int64
	failed.Store(int64(len(paths)))
	parallel.Each(requests, len(paths), func(_, i int) {
		store, err := ofURL(o.Stores, paths[i])
		if store == nil || err != nil || int64(i) > failed.Load() {
			return
		}
		s, err := newRemote(ctx, store, paths[i], o)
		found[i] = &remoteFile{&s, err}
		for first := failed.Load(); err != nil && int64(i) < first; first = failed.Load() {
			if failed.CompareAndSwap(first, int64(i)) {
				break
			}
		}
	})
	return found
}

// retry calls do until it succeeds, fails for good, or has failed often enough.
func retry(ctx context.Context, do func(ctx context.Context) error) error {
	for n := 1; ; n++ {
		attempt, cancel := outside.WithTimeout(ctx, patience, errPatience)
		err := do(attempt)
		if err != nil && context.Cause(attempt) == errPatience {
			err = errPatience
		}
		cancel()
		if err == nil || n == attempts || !temporary(err) || !pause(ctx, n) {
			return err
		}
	}
}

var errPatience = &data.StoreError{Temporary: true,
	Msg: fmt.Sprintf("the store has not answered for %s", patience)}

func temporary(err error) bool {
	var e *data.StoreError
	return errors.As(err, &e) && e.Temporary
}

// pause waits after the n-th failure. It is false if the context ends.
func pause(ctx context.Context, n int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-outside.After(firstWait << (n - 1)):
		return true
	}
}

// storeError gives an error of a store its file.
func storeError(ctx context.Context, path string, err error) error {
	var known *data.ReadError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return err
	}
	msg := strings.Join(strings.Fields(err.Error()), " ")
	if temporary(err) {
		msg += fmt.Sprintf(" (tried %d times)", attempts)
	}
	return &data.ReadError{File: Shown(path), Msg: msg, Err: err}
}

// stream reads a file of a store from its start.
func (s *Source) stream(ctx context.Context) *stream {
	return &stream{ctx: ctx, source: s, end: s.stored.Size}
}

// stream reads the bytes of a file of a store up to an end, which is negative if it is unknown. It
// goes on at the place where a connection broke.
type stream struct {
	ctx     context.Context
	source  *Source
	at, end int64
	in      io.ReadCloser
	cancel  context.CancelCauseFunc
	waiting *outside.Timer
	failed  int   // attempts, since
	since   int64 // this place
}

// Read reads on.
func (s *stream) Read(b []byte) (int, error) {
	if s.end >= 0 {
		b = b[:min(int64(len(b)), s.end-s.at)]
		if s.at == s.end {
			return 0, io.EOF
		}
	}
	for {
		n, err := s.read(b)
		s.at += int64(n)
		if s.at-s.since >= enough {
			s.failed, s.since = 0, s.at
		}
		switch {
		case n > 0 || err == nil:
			return n, nil
		case err == io.EOF && s.end < 0:
			return 0, io.EOF
		case s.ctx.Err() != nil:
			return 0, s.ctx.Err()
		case err == io.EOF:
			err = io.ErrUnexpectedEOF
		}
		s.Close()
		s.failed++
		lasting := !temporary(err)
		if s.end < 0 && s.at > 0 { // it cannot be continued
			lasting = true
		}
		if s.failed == attempts || lasting || !pause(s.ctx, s.failed) {
			return 0, storeError(s.ctx, s.source.stored.URL, err)
		}
	}
}

// read makes one attempt. What breaks a connection is a temporary *data.StoreError.
func (s *stream) read(b []byte) (int, error) {
	if s.in == nil {
		ctx, cancel := context.WithCancelCause(s.ctx)
		s.cancel = cancel
		s.waiting = outside.AfterFunc(patience, func() { cancel(errPatience) })
		size := int64(-1)
		if s.end >= 0 {
			size = s.end - s.at
		}
		in, err := s.source.store.Open(ctx, s.source.stored, s.at, size)
		if err != nil {
			if context.Cause(ctx) == errPatience {
				err = errPatience
			}
			return 0, err
		}
		s.in = &waited{in, ctx}
	}
	s.waiting.Reset(patience)
	n, err := s.in.Read(b)
	if err == nil || err == io.EOF && s.end < 0 {
		return n, err
	}
	if s.at+int64(n) == s.end {
		return n, nil
	}
	if err != errPatience {
		err = &data.StoreError{Temporary: true, Err: err, Msg: fmt.Sprintf(
			"the connection was closed after %d of %d bytes", s.at+int64(n), s.source.Size)}
	}
	return n, err
}

// waited reports the cause of an end that the reader's own timer has brought about.
type waited struct {
	io.ReadCloser
	ctx context.Context
}

func (w *waited) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	if err != nil && context.Cause(w.ctx) == errPatience {
		err = errPatience
	}
	return n, err
}

// Close ends the connection.
func (s *stream) Close() error {
	if s.cancel != nil {
		s.waiting.Stop()
		s.cancel(nil)
	}
	if s.in != nil {
		s.in.Close()
	}
	s.in, s.cancel = nil, nil
	return nil
}

// remoteAt reads a file of a store at any place, by a request each time.
type remoteAt struct {
	ctx    context.Context
	source *Source
}

func (r remoteAt) ReadAt(b []byte, at int64) (int, error) {
	s := &stream{ctx: r.ctx, source: r.source, at: at, since: at,
		end: min(at+int64(len(b)), r.source.Size)}
	defer s.Close()
	n, err := io.ReadFull(s, b)
	if err == io.ErrUnexpectedEOF && at+int64(n) == r.source.Size {
		err = io.EOF
	}
	return n, err
}

// window is a part of a file in memory; what lies outside is read from the file.
type window struct {
	io.ReaderAt
	b  []byte
	at int64

	err error // of reading it; then there are no bytes
}

func (w *window) ReadAt(b []byte, at int64) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if at >= w.at && at+int64(len(b)) <= w.at+int64(len(w.b)) {
		return copy(b, w.b[at-w.at:]), nil
	}
	return w.ReaderAt.ReadAt(b, at)
}

// Within returns a file of which some bytes will be read soon, in pieces. Those of a file in a
// store are fetched at once, into memory that the returned file holds.
func (f *File) Within(at, size int64) (*File, error) {
	if !f.Remote || at < 0 || size <= 0 || at > f.Size()-size {
		return f, nil
	}
	b := make([]byte, size)
	if n, err := f.ReadAt(b, at); n < len(b) {
		return nil, err
	}
	near := *f
	near.near(b, at, nil)
	return &near, nil
}

// near makes the file have some bytes in memory, of those from a place on, or an error.
func (f *File) near(b []byte, at int64, err error) {
	f.SectionReader = io.NewSectionReader(&window{f.SectionReader, b, at, err}, 0, f.Size())
}

// remoteHead returns the first bytes of a file of a store.
func remoteHead(
	ctx context.Context, stores map[string]data.Store, path string,
) ([]byte, error) {
	store, err := ofURL(stores, path)
	if err != nil {
		return nil, err
	}
	s, err := newRemote(ctx, store, path, &data.ReadOptions{})
	if err != nil {
		return nil, err
	}
	var in io.ReadCloser
	if s.held == nil {
		in = &stream{ctx: ctx, source: &s, end: min(s.Size, HeadSize)}
	} else {
		in = io.NopCloser(io.NewSectionReader(s.held, 0, s.Size))
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, HeadSize))
}

// expandURL returns the files of a pattern or folder of a store.
func expandURL(
	ctx context.Context, store data.Store, path string, suffixes []string,
) ([]string, error) {
	list := func(prefix string) (files []data.StoredFile, err error) {
		err = retry(ctx, func(ctx context.Context) (err error) {
			files, err = store.List(ctx, prefix)
			return err
		})
		return files, err
	}
	if !hasWildcard(path) {
		return folderURL(ctx, store, list, path, suffixes)
	}
	root, p, bad := newPattern(path)
	if bad != nil {
		return nil, &data.ReadError{File: Shown(path), Err: errors.Join(data.ErrOption, bad),
			Msg: "the pattern has a [ that is not closed"}
	}
	plain := p[0][:strings.IndexAny(p[0], "*?[")]
	files, err := list(root + plain)
	if errors.Is(err, errors.ErrUnsupported) {
		return []string{path}, nil // ? begins a query
	}
	if err != nil {
		return nil, storeError(ctx, path, err)
	}
	var found []string
	for _, f := range files {
		below := strings.Split(strings.TrimPrefix(f.URL, root), "/")
		if whole, _ := p.match(below); whole && below[len(below)-1] != "" {
			found = append(found, f.URL)
		}
	}
	if len(found) == 0 {
		return nil, &data.ReadError{File: Shown(path), Msg: "no file matches the pattern",
			Err: fs.ErrNotExist}
	}
	return found, nil
}

// folderURL returns a file, or the files whose URLs begin with that of a folder.
func folderURL(
	ctx context.Context, store data.Store, list func(string) ([]data.StoredFile, error),
	path string, suffixes []string,
) ([]string, error) {
	if !strings.HasSuffix(path, "/") {
		err := retry(ctx, func(ctx context.Context) error {
			_, err := store.Stat(ctx, path)
			return err
		})
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return []string{path}, storeErrorOr(ctx, path, err)
		}
	}
	folder := strings.TrimSuffix(path, "/") + "/"
	files, err := list(folder)
	if errors.Is(err, errors.ErrUnsupported) {
		return []string{path}, nil // opening it reports what is wrong
	}
	if err != nil {
		return nil, storeError(ctx, path, err)
	}
	var all []string
	for _, f := range files {
		below := strings.Split(strings.TrimPrefix(f.URL, folder), "/")
		visible := below[len(below)-1] != ""
		for _, part := range below {
			visible = visible && !hidden(part)
		}
		if visible {
			all = append(all, f.URL)
		}
	}
	if len(all) == 0 {
		return nil, &data.ReadError{File: Shown(path), Err: fs.ErrNotExist,
			Msg: "there is no such file, nor a folder with tables"}
	}
	return tablesOf(all, suffixes), nil
}

func storeErrorOr(ctx context.Context, path string, err error) error {
	if err == nil {
		return nil
	}
	return storeError(ctx, path, err)
}
