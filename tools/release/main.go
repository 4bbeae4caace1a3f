// Command release makes what a release holds beside the command: its manual pages, the completions
// of shells, and the playground, which the build with -tags playground embeds.
//
//	go run -C tools ./release DIR
//
// It writes DIR/man/coppice-COMMAND.1 and DIR/completions/coppice.SHELL, and the playground to
// cmd/coppice/internal/playground/site/compiled. The pages have the date of SOURCE_DATE_EPOCH,
// without which each day has other pages.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/andybalholm/brotli"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/coppice-ml/coppice/cmd/coppice/command"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "release: want the folder for manual pages and completions")
		os.Exit(2)
	}
	if err := errors.Join(write(os.Args[1]), writePlayground("..")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// write writes manual pages and completions to a folder.
func write(folder string) error {
	root := command.Root()
	root.DisableAutoGenTag = true // the same release has the same pages
	pages, completions := filepath.Join(folder, "man"), filepath.Join(folder, "completions")
	for _, f := range []string{pages, completions} {
		if err := os.MkdirAll(f, 0o777); err != nil {
			return err
		}
	}
	header := &doc.GenManHeader{Title: "COPPICE", Section: "1", Source: "Coppice",
		Manual: "Coppice manual"}
	if err := doc.GenManTree(root, header, pages); err != nil {
		return err
	}
	for shell, generate := range map[string]func(*cobra.Command, string) error{
		"bash":       func(c *cobra.Command, file string) error { return c.GenBashCompletionFileV2(file, true) },
		"fish":       func(c *cobra.Command, file string) error { return c.GenFishCompletionFile(file, true) },
		"powershell": (*cobra.Command).GenPowerShellCompletionFileWithDesc,
		"zsh":        (*cobra.Command).GenZshCompletionFile,
	} {
		if err := generate(root, filepath.Join(completions, "coppice."+shell)); err != nil {
			return err
		}
	}
	return nil
}

// writePlayground compiles the playground for the build of the command in a checkout.
func writePlayground(root string) (err error) {
	exported, err := os.MkdirTemp("", "playground-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(exported)) }()
	export := exec.Command("go", "run", "./cmd/coppice", "lab", "--export", exported)
	export.Dir, export.Stderr = root, os.Stderr
	if err := export.Run(); err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join(exported, "wasm_exec.js"))
	if err != nil {
		return err
	}
	packed, err := os.ReadFile(filepath.Join(exported, "playground.wasm.gz"))
	if err != nil {
		return err
	}
	if packed, err = smaller(packed); err != nil {
		return err
	}
	folder := filepath.Join(root, "cmd", "coppice", "internal", "playground", "site", "compiled")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(folder, "wasm_exec.js"), script, 0o666),
		os.WriteFile(filepath.Join(folder, "playground.wasm.br"), packed, 0o666))
}

// smaller compresses anew what gzip compressed, which saves 1 MB of the program.
func smaller(packed []byte) ([]byte, error) {
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := io.Copy(z, plain); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}
