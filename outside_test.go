package coppice_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// harmless are names of the standard library that touch no file, no connection and no clock, of
// packages whose other names are for internal/outside alone. Those of os also read the environment
// and the standard streams, which the console gets once.
var harmless = map[string]string{
	"os": `Args Environ Exit FileInfo FileMode Getenv Getpagesize Getpid Interrupt IsPathSeparator
		ErrDeadlineExceeded LinkError LookupEnv O_APPEND O_CREATE O_EXCL O_RDWR O_WRONLY
		PathSeparator SameFile Signal Stderr Stdin Stdout TempDir`,
	"path/filepath": `Abs Base Clean Dir Ext FromSlash IsAbs IsLocal Join ListSeparator Match Rel
		Separator Split SplitList ToSlash VolumeName`,
	"time": `ANSIC Date DateOnly Duration Friday Hour January Layout Local Microsecond Millisecond Minute Month
		Monday Nanosecond Parse ParseDuration ParseInLocation RFC3339 RFC3339Nano Saturday Second
		Sunday Thursday Time Tuesday UTC Unix UnixMicro UnixMilli UnixNano Wednesday Weekday`,
	"net": "Addr Dialer IP IPNet IPv4 JoinHostPort ParseIP SplitHostPort TCPAddr",
	"net/http": `Client CrossOriginProtection DefaultTransport Handler HandlerFunc Header MaxBytesError
		MethodGet
		NewRequestWithContext NewResponseController NewServeMux NoBody ParseTime Request Response
		ResponseWriter RoundTripper ServeMux StatusBadRequest StatusConflict StatusForbidden StatusGone
		StatusInternalServerError StatusMethodNotAllowed StatusMisdirectedRequest StatusNotAcceptable StatusNotFound
		StatusOK StatusPartialContent StatusPreconditionFailed StatusRequestEntityTooLarge
		StatusRequestTimeout StatusRequestedRangeNotSatisfiable StatusServiceUnavailable StatusText
		StatusTooManyRequests StatusUnauthorized StatusUnprocessableEntity
		StatusUnsupportedMediaType Transport`,
	"context":   "AfterFunc Background Canceled CancelCauseFunc CancelFunc Cause Context DeadlineExceeded WithCancel WithCancelCause WithoutCancel WithValue",
	"io/ioutil": "",
	"os/exec":   "",
}

// atFirstHand are files and folders that make such calls themselves, with the reason.
var atFirstHand = map[string]string{
	"internal/outside/":                    "owns them",
	"internal/testing/":                    "is for tests",
	"internal/replace/process_":            "asks the system for numbers of processes; what is unknown is waited for",
	"memory/":                              "asks the system for its memory, below internal; what is unknown is no limit",
	"ranks/mpi/":                           "keeps connections between ranks, with limits of time that its own tests shorten",
	"codec/codectest/":                     "is a suite",
	"data/tabletest/":                      "is a suite",
	"examples/":                            "are programs of users",
	"cmd/coppice-mpi/":                     "waits for other ranks before there is work to lose",
	"cmd/coppice/internal/bench/":          "measures the time of predictions",
	"cmd/coppice/internal/cli/progress.go": "redraws a line of the terminal",
	"cmd/coppice/internal/playground/":     "is a server of its own, and compiles itself",
	"cmd/coppice/internal/serve/listen":    "is a server of its own, which ends where it cannot listen",
}

// Files, servers and the clock are called by internal/outside alone, so that a test can make any
// such call fail.
func TestCallsGoThroughOutside(t *testing.T) {
	used := map[string]bool{}
	walkSources(t, func(name string, file *ast.File) {
		names := map[string]string{} // of the packages, in the file
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if _, watched := harmless[path]; watched {
				names[filepath.Base(path)] = path
				if spec.Name != nil {
					names[spec.Name.Name] = path
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, is := n.(*ast.SelectorExpr)
			if !is {
				return true
			}
			of, is := s.X.(*ast.Ident)
			if !is || of.Obj != nil || names[of.Name] == "" ||
				slices.Contains(strings.Fields(harmless[names[of.Name]]), s.Sel.Name) {
				return true
			}
			for place := range atFirstHand {
				if strings.HasPrefix(name, place) {
					used[place] = true
					return true
				}
			}
			t.Errorf("%s calls %s.%s: call internal/outside", name, of.Name, s.Sel.Name)
			return true
		})
	})
	for place, reason := range atFirstHand {
		if !used[place] {
			t.Errorf("nothing in %s calls at first hand (%s): remove it from the list", place, reason)
		}
	}
}

// walkSources visits the files of the module that are no tests, without tools.
func walkSources(t *testing.T, visit func(name string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "tools" || d.Name() == "testdata" && name != "testdata" ||
			name != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err == nil {
			visit(filepath.ToSlash(name), file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
