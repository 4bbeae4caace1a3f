package option_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/internal/option"
)

const root = "../.."

var (
	flag  = regexp.MustCompile(`(^|[^\w-])--[a-z]`)
	named = regexp.MustCompile(`\{[a-z][A-Za-z0-9 -]*\}`)
)

// texts has each text of the library by the place where it stands: of its packages, not of the
// command, the tools, the examples and the tests.
var texts = sync.OnceValues(func() (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" ||
				slices.Contains([]string{"cmd", "tools", "examples", "internal/option", "internal/testing"}, filepath.ToSlash(name))) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil {
					all[files.Position(l.Pos()).String()] = text
				}
			}
			return true
		})
		return nil
	})
	return all, err
})

// No text of the library names a flag of the command, and each option of the table is in one.
func TestLibraryNamesNoFlags(t *testing.T) {
	used := map[string]bool{}
	all, err := texts()
	if err != nil {
		t.Fatal(err)
	}
	for place, text := range all {
		rest := text
		for _, key := range named.FindAllString(text, -1) {
			used[key] = true
			rest = strings.ReplaceAll(rest, key, "")
		}
		if flag.MatchString(rest) {
			t.Errorf("%s: %q names a flag: use option.Expand", place, text)
		}
	}
	for _, n := range option.Table() {
		if !used["{"+n.Flag+"}"] {
			t.Errorf("no text has {%s}: take it out of the table", n.Flag)
		}
	}
}

// A flag in braces outside of the table would be printed with them.
func TestExpand(t *testing.T) {
	all, err := texts()
	if err != nil {
		t.Fatal(err)
	}
	for place, text := range all {
		if key := named.FindString(option.Expand(text)); key != "" && strings.Contains(key, "-") {
			t.Errorf("%s: %s is not in the table", place, key)
		}
	}
	err = option.Error("leave it out with {ignore}")
	if got := err.Error(); got != "leave it out with data.ReadOptions.Ignore" {
		t.Errorf("%q", got)
	}
	option.ShowFlags()
	if got := err.Error(); got != "leave it out with --ignore" {
		t.Errorf("%q", got)
	}
	if got := option.Expand("{missing} a,b: {no such}"); got != "--missing a,b: {no such}" {
		t.Errorf("%q", got)
	}
}

// Each name of Go is a field of an exported struct, or an exported function.
func TestNamesOfGoExist(t *testing.T) {
	folders := map[string]string{"coppice": ".", "calibrate": "learn/calibrate", "csvdata": "data/csvdata", "gbm": "learn/gbm",
		"offset": "learn/offset"}
	for _, n := range option.Table() {
		parts := strings.Split(n.Go, ".")
		if len(parts) == 1 {
			continue // words
		}
		folder := parts[0]
		if of, ok := folders[folder]; ok {
			folder = of
		}
		if !declares(t, filepath.Join(root, folder), parts[1:]) {
			t.Errorf("%s: nothing declares it", n.Go)
		}
	}
}

// declares reports whether a package declares a function or type, or a struct with a field.
func declares(t *testing.T, folder string, parts []string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", folder, err)
	}
	found := false
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				found = found || f.Recv == nil && f.Name.Name == parts[0]
			}
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok || s.Name.Name != parts[0] {
					continue
				}
				of, isStruct := s.Type.(*ast.StructType)
				if len(parts) == 1 {
					found = true
				} else if isStruct {
					for _, field := range of.Fields.List {
						found = found || slices.ContainsFunc(field.Names,
							func(i *ast.Ident) bool { return i.Name == parts[1] })
					}
				}
			}
		}
	}
	return found
}
