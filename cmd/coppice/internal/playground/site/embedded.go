//go:build playground

package site

import (
	"bytes"
	_ "embed"
	"io"

	"github.com/andybalholm/brotli"
)

// What compile returned before the build of a release, the program compressed: see tools/release.
var (
	//go:embed compiled/playground.wasm.br
	wasmPacked []byte
	//go:embed compiled/wasm_exec.js
	wasmScript []byte
)

// embedded returns the compiled playground of a release.
func embedded() (wasm, script []byte, err error) {
	wasm, err = io.ReadAll(brotli.NewReader(bytes.NewReader(wasmPacked)))
	return wasm, wasmScript, err
}
