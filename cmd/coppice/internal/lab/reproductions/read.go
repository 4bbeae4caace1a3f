package reproductions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/testdata"
)

// Read reads a table such as iris/iris.csv, whose label is the column of that name. It reads the
// file below Data, else the copy in the program. The table must have a number of rows: what is
// published is of those, not of fewer.
func (r *Env) Read(ctx context.Context, file, label string, rows int) (*data.Dataset, error) {
	f, name, err := r.open(ctx, file)
	if err != nil {
		return nil, err
	}
	ds, err := data.Roles{Label: label}.Apply(f)
	if err == nil && ds.Rows() != rows {
		return nil, fmt.Errorf("table %s: %d rows, want %d: take the one in the project's testdata",
			name, ds.Rows(), rows)
	}
	return ds, err
}

// open reads the columns of a table, and returns the name of the file that they are from.
func (r *Env) open(ctx context.Context, file string) (*data.Frame, string, error) {
	if r.Data != "" {
		name := filepath.Join(r.Data, filepath.FromSlash(file))
		if _, err := outside.FileInfo(name); !errors.Is(err, fs.ErrNotExist) {
			f, err := csvdata.Open(csvdata.Options{}, name).Frame(ctx)
			return f, name, err
		}
	}
	b, err := testdata.Tables.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	f, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Bytes: map[string][]byte{file: b}}}, file).Frame(ctx)
	return f, file, err
}
