package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// checkout returns the folder of the checkout of the project that the working directory is in.
func checkout() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if text, err := os.ReadFile(filepath.Join(folder, "go.mod")); err == nil &&
			strings.HasPrefix(string(text), "module github.com/coppice-ml/coppice\n") {
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
