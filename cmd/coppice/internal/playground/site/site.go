// Package site owns the page of the playground: its files, the server that answers it in the
// process, and the export as static files whose worker runs the same handler as WebAssembly.
//
//	Serve   page  -- POST api/SCENE -->  playground.Handler in this process
//	Export  page  -- worker.js ------->  playground.Handler in playground.wasm.gz
package site

import (
	"bytes"
	"embed"
	"io/fs"
)

//go:embed assets
var assets embed.FS

// files returns the files of the page by their names, with slashes. engine is what answers:
// "server" or "worker".
func files(engine string) (map[string][]byte, error) {
	found := map[string][]byte{}
	sub, err := fs.Sub(assets, "assets")
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found[name], err = fs.ReadFile(sub, name)
		return err
	})
	found["index.html"] = bytes.Replace(found["index.html"], []byte(`data-engine="server"`),
		[]byte(`data-engine="`+engine+`"`), 1)
	return found, err
}
