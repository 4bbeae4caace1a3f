package coppice

import (
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/model"
)

// Save writes a model to a file, for Open. Whatever happens, be it a full disk or the end of the
// process, the file is afterwards either what it was before or the whole new model.
//
// An existing file keeps its permissions, a new one gets 0644 less the umask. A symbolic link stays
// one, and the file it leads to is replaced. A file that is not regular (a device, a pipe) is
// written to directly. Errors name the file; a type of model that cannot be stored is a
// *codec.UnsupportedError.
func Save(path string, m model.Model) error {
	if err := replace.File(path, func(w io.Writer) error { return Write(w, m) }); err != nil {
		return fmt.Errorf("cannot save model %s: %w", path, err)
	}
	return nil
}
