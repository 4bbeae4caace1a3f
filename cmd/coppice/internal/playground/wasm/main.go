//go:build js && wasm

// Command wasm is the playground's handler as a program for browsers. A Web Worker runs it and
// calls the function that it leaves behind:
//
//	coppice(scene, body) -> [ok, JSON]      // both are texts
package main

import (
	"context"
	"syscall/js"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/playground"
)

func main() {
	h := playground.New()
	js.Global().Set("coppice", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) != 2 || args[0].Type() != js.TypeString || args[1].Type() != js.TypeString {
			return []any{false, `{"error":"coppice takes two texts"}`}
		}
		answer, err := h.Answer(context.Background(), args[0].String(), []byte(args[1].String()))
		if err != nil {
			return []any{false, string(playground.Failure(err))}
		}
		return []any{true, string(answer)}
	}))
	select {} // the function above is called for as long as the worker lives
}
