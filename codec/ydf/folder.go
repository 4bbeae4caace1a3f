package ydf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// The names of files, behind the prefix.
const (
	headerName  = "header.pb"
	columnsName = "data_spec.pb"
	boostedName = "gradient_boosted_trees_header.pb"
	forestName  = "random_forest_header.pb"
	nodesName   = "nodes-"
)

// folder is a folder with a model.
type folder struct {
	files  fs.FS
	prefix string
	budget *foreign.Budget
}

var errNoModel = errors.New("no data_spec.pb with its header.pb, or several of different prefixes")

// prefixOf returns the prefix of the one model among names.
func prefixOf(names [][]byte) (string, error) {
	prefix, found := "", 0
	for _, name := range names {
		if before, ok := bytes.CutSuffix(name, []byte(columnsName)); ok {
			prefix, found = string(before), found+1
		}
	}
	if found == 1 {
		for _, name := range names {
			if string(name) == prefix+headerName {
				return prefix, nil
			}
		}
	}
	return "", errNoModel
}

// openFolder finds the files of the model, whose total size bounds the memory.
func openFolder(files fs.FS, l codec.Limits) *folder {
	entries := foreign.Must(fs.ReadDir(files, "."))
	names := make([][]byte, len(entries))
	for i, e := range entries {
		names[i] = []byte(e.Name())
	}
	prefix, err := prefixOf(names)
	if err != nil {
		foreign.Check(corrupt("folder", 0, err))
	}
	d := &folder{files: files, prefix: prefix}
	size := int64(0)
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), d.prefix)
		if !ok || !strings.HasSuffix(name, ".pb") && !strings.HasPrefix(name, nodesName) {
			continue
		}
		info := foreign.Must(e.Info())
		size += max(0, min(info.Size(), 1<<60-size))
	}
	d.budget = foreign.NewBudget(formatName, size, l)
	d.budget.Need(bytesPerFolder)
	return d
}

// bytesPerFolder bounds what decoding takes whatever the files have.
const bytesPerFolder = 64 << 10

// open opens a file; one that is not there is damage of the folder. A pipe, whose other end opening
// would wait for, is refused.
func (d *folder) open(name string) (fs.File, error) {
	info, err := fs.Stat(d.files, d.prefix+name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", d.prefix+name)
	}
	var f fs.File
	if err == nil {
		f, err = d.files.Open(d.prefix + name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, corrupt(d.prefix+name, 0,
			fmt.Errorf("there is no such file: %w", fs.ErrNotExist))
	}
	return f, err
}

// message reads a file that is one message.
func (d *folder) message(name string) *protobuf.Message {
	f := foreign.Must(d.open(name))
	defer f.Close()
	info := foreign.Must(f.Stat())
	d.budget.Need(info.Size())
	b := make([]byte, info.Size())
	_, err := io.ReadFull(f, b)
	foreign.Check(damaged(err, d.prefix+name, 0))
	return protobuf.NewMessage(b, 0, d.budget.Take)
}

// damaged makes the end of a file that comes too soon an error of its format. Other errors of
// reading are returned as they are.
func damaged(err error, section string, offset int64) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || isCompression(err) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return corrupt(section, offset, err)
	}
	return err
}
