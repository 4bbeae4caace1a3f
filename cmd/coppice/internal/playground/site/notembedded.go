//go:build !playground

package site

// embedded returns nothing: only a release holds the compiled playground.
func embedded() (wasm, script []byte, err error) { return nil, nil, nil }
