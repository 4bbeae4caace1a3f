package replace

import (
	"path/filepath"

	"github.com/coppice-ml/coppice/internal/outside"
)

// Folder makes a folder for files that are to be written, with those above it. Where the work
// fails, discard removes those that were made, unless they hold something by then.
func Folder(path string) (discard func(), err error) {
	var made []string // the deepest first
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		if _, err := outside.LinkInfo(at); err == nil || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	discard = func() {
		for _, at := range made {
			if outside.RemoveFile(at) != nil {
				return
			}
		}
	}
	if err := outside.MakeFolder(path); err != nil {
		discard()
		return nil, err
	}
	return discard, nil
}
