package main

import (
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestMain puts this binary into the path as coppice, and is the command where it runs by that
// name.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") != "coppice" {
		os.Exit(withCommand(m))
	}
	if os.Getenv(serving) != "" {
		answerRequests()
		return
	}
	main()
}

// withCommand runs tests with the command in the path.
func withCommand(m *testing.M) (status int) {
	folder, err := os.MkdirTemp("", "coppice-command")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "coppice")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	binary, err := os.Executable()
	if err == nil {
		err = install(binary, name)
	}
	if err == nil {
		err = os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	if err != nil {
		log.Print(err)
		return 1
	}
	return m.Run()
}

// install gives a program another name, by a copy where a file cannot have two.
func install(binary, name string) error {
	if os.Link(binary, name) == nil {
		return nil
	}
	from, err := os.Open(binary)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, from); err != nil {
		to.Close()
		return err
	}
	return to.Close()
}
