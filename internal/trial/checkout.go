package trial

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Root returns the folder of the checkout of the project that the working directory is in.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if text, err := os.ReadFile(filepath.Join(folder, "go.mod")); err == nil &&
			strings.HasPrefix(string(text), "module "+Module+"\n") {
			return folder, nil
		}
		up := filepath.Dir(folder)
		if up == folder {
			return "", errors.New("the working directory is in no checkout of the project, whose " +
				"testdata is read")
		}
		folder = up
	}
}

// Module is the path of the project's module, which its repository has, too.
const Module = "github.com/coppice-ml/coppice"
