// Package datatest reads the tables that tests train on.
package datatest

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/testing/reference"
)

// Read reads a table that reference.Table finds, with the reader's options unless others are given,
// and gives columns their roles.
func Read(t testing.TB, file string, r data.Roles) *data.Dataset {
	t.Helper()
	return ReadWith(t, file, r, csvdata.Options{})
}

// ReadWith is Read with options of the reader.
func ReadWith(t testing.TB, file string, r data.Roles, o csvdata.Options) *data.Dataset {
	t.Helper()
	f, err := csvdata.Open(o, reference.Table(t, file)).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ds, err := r.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}
