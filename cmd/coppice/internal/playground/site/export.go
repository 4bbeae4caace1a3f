package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/replace"
)

// program is the path of the package that becomes WebAssembly.
const program = "github.com/coppice-ml/coppice/cmd/coppice/internal/playground/wasm"

// Exported is what Export wrote.
type Exported struct {
	Files int
	Bytes int // of all files
	Wasm  int // of the compressed program
}

// Export writes the page as static files to a folder, which is created if absent. A release holds
// the handler as WebAssembly. Other builds compile it, which needs a Go toolchain and the source of
// the module around the working directory. Where these are missing it writes nothing.
func Export(ctx context.Context, folder string) (*Exported, error) {
	all, err := files("worker")
	if err != nil {
		return nil, err
	}
	program, script, err := embedded()
	if program == nil && err == nil {
		program, script, err = compile(ctx)
	}
	if err != nil {
		return nil, err
	}
	all["wasm_exec.js"] = script
	if all["playground.wasm.gz"], err = packed(program); err != nil {
		return nil, err
	}
	discard, err := replace.Folder(filepath.Join(folder, "scenes"))
	if err != nil {
		return nil, fmt.Errorf("cannot write the playground: %w", err)
	}
	found := &Exported{Files: len(all), Wasm: len(all["playground.wasm.gz"])}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		found.Bytes += len(all[name])
		file := filepath.Join(folder, filepath.FromSlash(name))
		err := replace.File(file, func(w io.Writer) error {
			_, err := w.Write(all[name])
			return err
		})
		if err != nil {
			discard()
			return nil, fmt.Errorf("cannot write the playground: %w", err)
		}
	}
	return found, nil
}

// compile returns the handler as WebAssembly, and the script of the toolchain that runs it. Errors
// say what is missing of the toolchain and of the project's source.
func compile(ctx context.Context) (wasm, script []byte, err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, nil, errors.New("--export compiles the playground, and there is no Go " +
			"toolchain: use a release, which holds it compiled, install Go, or use --serve")
	}
	if _, err := tool(ctx, "list", program); err != nil {
		return nil, nil, errors.New("--export compiles the source of Coppice: use a release, which " +
			"holds it compiled, run it inside a checkout of the project, or use --serve")
	}
	root, err := tool(ctx, "env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	script, err = os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, nil, fmt.Errorf("the Go toolchain is not complete: %w", err)
	}
	work, err := os.MkdirTemp("", "coppice-playground-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	built := filepath.Join(work, "playground.wasm")
	if _, err := tool(ctx, "build", "-trimpath", "-ldflags=-s -w", "-o", built, program); err != nil {
		return nil, nil, err
	}
	wasm, err = os.ReadFile(built)
	return wasm, script, err
}

// packed compresses a file as browsers unpack it.
func packed(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// tool runs the Go toolchain for browsers and returns what it prints; an error has the last line of
// its messages.
func tool(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil && ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		lines := strings.Split(strings.TrimSpace(messages.String()), "\n")
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, lines[len(lines)-1])
	}
	return string(out), nil
}
