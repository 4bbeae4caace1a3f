package data

import (
	"context"
	"io"
)

// Store holds files that URLs name, such as s3://bucket/folder/a.parquet. It is safe for concurrent
// use. Package data/stores has those of the usual services.
//
// Errors that a repetition may overcome, or with a text of their own for users, are of type
// *StoreError. fs.ErrNotExist and fs.ErrPermission may be among their causes.
type Store interface {
	// List returns the files whose URLs begin with a prefix, in ascending order of their URLs. It
	// is errors.ErrUnsupported where the store has no lists.
	List(ctx context.Context, prefix string) ([]StoredFile, error)
	// Stat returns the file of a URL.
	Stat(ctx context.Context, url string) (StoredFile, error)
	// Open reads size bytes of a file from a position on. It fails if the file has changed since it
	// was listed.
	Open(ctx context.Context, f StoredFile, at, size int64) (io.ReadCloser, error)
}

// StoredFile is a file of a Store.
type StoredFile struct {
	URL     string
	Size    int64  // in bytes; -1: unknown
	Version string // changes with the content; "" if the store gives none
	Whole   bool   // it can be read from its start only
}

// StoreError is why a store did not do what it was to do.
type StoreError struct {
	Msg       string // without the file
	Temporary bool   // another attempt may succeed
	Err       error
}

func (e *StoreError) Error() string { return e.Msg }

// Unwrap returns the cause.
func (e *StoreError) Unwrap() error { return e.Err }
