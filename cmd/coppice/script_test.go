package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// TestScripts runs the files of testdata/script. Each holds commands, their expected output, and
// the files that they read, so it also documents the command line. With COPPICE_UPDATE=1 the
// expected outputs are written anew.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	all := &servers{}
	t.Cleanup(func() { // when the scripts, which run beside each other, have ended
		if err := all.end(); err != nil {
			t.Error(err)
		}
	})
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Condition: func(name string) (bool, error) {
			if name == "night" {
				return tier.Night(), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		UpdateScripts: os.Getenv("COPPICE_UPDATE") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"coppice": runCommand, "status": status, "isjson": isJSON, "levels": levels, "truncate": truncate, "flip": flip,
			"pack":      pack,
			"interrupt": interrupt, "hardlink": hardLink,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("DATA", filepath.Join(root, "testdata"))
			e.Setenv("PARQUET", filepath.Join(root, "data/parquetdata/testdata"))
			e.Setenv("ARROW", filepath.Join(root, "data/arrowdata/testdata"))
			e.Setenv("NEWER", filepath.Join(root, "codec/native/testdata/newer.coppice"))
			s := &script{servers: all, env: e.Vars}
			e.Values[ofScript{}] = s
			e.Defer(s.end)
			return nil
		},
	})
}

// status runs a command and compares its exit status:
//
//	status 1 coppice train nowhere.csv --label y
//
// A command that fails must print one error, which begins with "coppice: ", as the last line of
// standard error. Only notes and warnings may precede it. All files must stay as they were.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	before := files(ts)
	errs, got := runLine(ts, args[1], args[2:])
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	if want == 0 {
		return
	}
	lines := strings.Split(strings.TrimSuffix(errs, "\n"), "\n")
	for i, line := range lines {
		last := i == len(lines)-1
		if strings.HasPrefix(line, "coppice: ") != last || !last &&
			!strings.HasPrefix(line, "note: ") && !strings.HasPrefix(line, "warning: ") ||
			strings.Contains(line, "internal error") {
			ts.Fatalf("line %d of standard error is %q, want one error, at the end", i+1, line)
		}
	}
	if diff := cmp.Diff(before, files(ts)); diff != "" {
		ts.Fatalf("the command failed and yet changed files (-before +after):\n%s", diff)
	}
}

// interrupt starts a command, waits until a file exists, and sends an interrupt. The command must
// end with status 1 and one line of error:
//
//	interrupt m.coppice.checkpoint coppice train t.csv --label y --learner gbm --checkpoint-every 1 -o m.coppice
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt FILE COMMAND...")
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for there := false; !there; {
		select {
		case err := <-ended:
			ts.Fatalf("the command ended before %s was there: %v: %s", args[0], err,
				stderr.String())
		default:
			_, err := os.Stat(ts.MkAbs(args[0]))
			there = err == nil
		}
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	err := <-ended
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		ts.Fatalf("%v, want exit status 1: %s", err, stderr.String())
	}
	fmt.Fprint(ts.Stderr(), stderr.String())
}

// hardLink gives a file a second name:
//
//	hardlink OLD NEW
func hardLink(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hardlink OLD NEW")
	}
	ts.Check(os.Link(ts.MkAbs(args[0]), ts.MkAbs(args[1])))
}

// files returns the contents of all files that a script has.
func files(ts *testscript.TestScript) map[string]string {
	found := map[string]string{}
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		found[path] = string(text)
		return err
	}))
	return found
}

// isJSON checks that a file is one JSON object and nothing else.
func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	var object map[string]any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &object); (err != nil) != neg {
		ts.Fatalf("JSON object: %v", err)
	}
}

// levels writes a table whose first column has as many different categories as requested, and whose
// label follows from the category: levels 1000 FILE.
func levels(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var b bytes.Buffer
	b.WriteString("id,x,y\n")
	for i := range 2 * n {
		fmt.Fprintf(&b, "c%d,%d,%s\n", i%n, i%7, []string{"no", "yes"}[i%n*2/n])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o666))
}

// truncate leaves the first bytes of a file, or with a negative number all but the last: truncate
// -20 FILE.
func truncate(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := ts.ReadFile(args[1])
	if n < 0 {
		n += len(text)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text[:n]), 0o666))
}

// flip changes one bit of a byte of a file, of which a negative offset counts from the end: flip
// OFFSET FILE.
func flip(ts *testscript.TestScript, _ bool, args []string) {
	at, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := []byte(ts.ReadFile(args[1]))
	if at < 0 {
		at += len(text)
	}
	text[at] ^= 4
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o666))
}

// pack compresses a file with gzip: pack FROM TO.
func pack(ts *testscript.TestScript, _ bool, args []string) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(z.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o666))
}
