package coppice_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// largeRoom is from how many lines on a folder below those at the top has a ceiling of its own.
const largeRoom = 2500

// sizes is how large the module is, without tools.
type sizes struct {
	code, tests, comments int            // lines; comments are of code
	rooms                 map[string]int // lines of code of a folder and of those below it
	files                 map[string]int // of each package
	exported              int            // names that public packages declare
	methods, fields       map[string]int // of each type; an embedded type is a field
}

// A suite is code that only tests import.
func isSuite(folder string) bool {
	return strings.HasPrefix(folder, "internal/testing/") || strings.HasSuffix(folder, "test")
}

func isPublic(folder string) bool {
	names := strings.Split(folder, "/")
	return !slices.Contains(names, "internal") && names[0] != "cmd" && names[0] != "examples"
}

// measure reads all files of the module, but for the tools and what stands below testdata.
func measure(t *testing.T) *sizes {
	t.Helper()
	s := &sizes{rooms: map[string]int{}, files: map[string]int{}, methods: map[string]int{},
		fields: map[string]int{}}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if b := d.Name(); d.IsDir() && name != "." &&
			(name == "tools" || b == "testdata" || b == "node_modules" || strings.HasPrefix(b, ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		return s.add(filepath.ToSlash(name))
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *sizes) add(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines, folder := bytes.Count(text, []byte("\n")), path.Dir(name)
	if strings.HasSuffix(name, "_test.go") || isSuite(folder) {
		s.tests += lines
		return nil
	}
	s.code += lines
	s.files[folder]++
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
			s.comments++
		}
	}
	for room := folder; ; room = path.Dir(room) {
		s.rooms[room] += lines
		if !strings.Contains(room, "/") {
			break
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if isPublic(folder) {
		s.exported += exportedNames(file)
	}
	s.addTypes(folder, file)
	return nil
}

// addTypes counts the methods and fields of a file's types.
func (s *sizes) addTypes(folder string, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				s.methods[folder+"."+receiver(d.Recv.List[0].Type)]++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				of, ok := spec.(*ast.TypeSpec)
				if !ok || isParameters(of.Name.Name) {
					continue
				}
				if of, ok := of.Type.(*ast.StructType); ok {
					s.fields[folder+"."+spec.(*ast.TypeSpec).Name.Name] = of.Fields.NumFields()
				}
			}
		}
	}
}

// isParameters reports whether a type of this name is a list of what a user may choose, one field
// each. Roles is one: users name in it the columns that are no features.
func isParameters(name string) bool {
	return name == "Learner" || name == "Roles" || strings.HasSuffix(name, "Options") ||
		strings.HasSuffix(name, "Config")
}

// exportedNames counts the declarations of a file that other packages may name, and their methods.
func exportedNames(file *ast.File) int {
	n := 0
	count := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				n++
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				count(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					count(spec.Name)
				case *ast.ValueSpec:
					count(spec.Names...)
				}
			}
		}
	}
	return n
}

// receiver returns the name of the type that a method is of.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

// figure is a row of docs/size.md. A limit is the most that is allowed or, of a share, the least.
type figure struct {
	name       string
	now, limit float64
	share      bool // in percent
}

// text writes a number as the page has it.
func (f *figure) text(x float64) string {
	if f.share {
		return fmt.Sprintf("%.1f %%", x)
	}
	digits := strconv.Itoa(int(x))
	if n := len(digits); n > 3 {
		digits = digits[:n-3] + "," + digits[n-3:]
	}
	return digits
}

// offered is the limit that a figure without one gets: a round number within 2 % of it.
func (f *figure) offered() float64 {
	if f.share {
		return float64(int(f.now*9.8)) / 10
	}
	most, step := int(f.now)*51/50, 1
	for step*10 <= int(f.now)/200 {
		step *= 10
	}
	return float64(most / step * step)
}

func (f *figure) exceeded() bool {
	if f.share {
		return f.now < f.limit
	}
	return f.now > f.limit
}

// A passage holds little beside one room within it, which is listed in its place.
func (s *sizes) passage(folder string) bool {
	for room, lines := range s.rooms {
		if path.Dir(room) == folder && lines > s.rooms[folder]*9/10 {
			return true
		}
	}
	return false
}

// tables returns what the page lists: the rooms, and the module as a whole.
func (s *sizes) tables() (rooms, whole []*figure) {
	for _, room := range slices.Sorted(maps.Keys(s.rooms)) {
		if !strings.Contains(room, "/") || s.rooms[room] >= largeRoom && !s.passage(room) {
			name := "`" + room + "`"
			if room == "." {
				name = "`coppice` (root)"
			}
			rooms = append(rooms, &figure{name: name, now: float64(s.rooms[room])})
		}
	}
	few, public := 0, 0
	for folder, files := range s.files {
		if files <= 2 {
			few++
		}
		if isPublic(folder) {
			public++
		}
	}
	share := func(part int) float64 { return float64(part) * 100 / float64(s.code) }
	return rooms, []*figure{
		{name: "Go lines without tests and suites", now: float64(s.code)},
		{name: "packages", now: float64(len(s.files))},
		{name: "packages of 1 or 2 files", now: float64(few)},
		{name: "public packages", now: float64(public)},
		{name: "exported names of public packages, methods included", now: float64(s.exported)},
		{name: "methods of one type", now: most(s.methods)},
		{name: "fields of one struct, those of parameters aside", now: most(s.fields)},
		{name: "lines of tests and suites, of those of code", now: share(s.tests), share: true},
		{name: "lines of comments, of those of code", now: share(s.comments), share: true},
	}
}

func most(of map[string]int) float64 { return float64(slices.Max(slices.Collect(maps.Values(of)))) }

var sizeRow = regexp.MustCompile(`(?m)^\| (\S.*?) \| +([0-9,.]+)( %)? \| +([0-9,.]+)( %)? \|$`)

const sizePage = `# Size of the code

A test makes this page and compares it with the code. It counts lines of Go, blank ones included. It
leaves out tools, and suites: packages that only tests import.

<!-- not run: these make this page -->
` + "```sh" + `
go test . -run TestSize                    # compares
COPPICE_UPDATE=1 go test . -run TestSize   # writes the page again
` + "```" + `

Figures of now may lag behind the code by 2 %%. A ceiling is the most that a room may hold, and a
floor is the least. An update lowers a ceiling where a room has shrunk, and never raises one. Code
beyond a ceiling needs a [decision](adr/README.md) that says what it is for and what it replaces.
The change that holds the decision edits the ceiling here.

## The module

Ceilings hold for counts, and floors for the two shares.

%s
## Rooms

A room is a folder with those below it. All folders at the top are listed, and others from 2,500
lines on.

%s`

func sizeTable(title string, figures []*figure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | now | limit |\n|---|--:|--:|\n", title)
	for _, f := range figures {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.name, f.text(f.now), f.text(f.limit))
	}
	return b.String()
}

// TestSize fails where code has grown beyond the ceilings of docs/size.md. With COPPICE_UPDATE it
// writes the page again: figures of now, ceilings of what has shrunk, rooms that are new.
func TestSize(t *testing.T) {
	const file = "docs/size.md"
	update := os.Getenv("COPPICE_UPDATE") != ""
	page, err := os.ReadFile(file)
	if err != nil && !update {
		t.Fatal(err)
	}
	rooms, whole := measure(t).tables()
	all := append(slices.Clone(whole), rooms...)
	listed := map[string][2]float64{}
	for _, m := range sizeRow.FindAllStringSubmatch(string(page), -1) {
		var row [2]float64
		for i, text := range []string{m[2], m[4]} {
			if row[i], err = strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64); err != nil {
				t.Fatal(err)
			}
		}
		listed[m[1]] = row
	}
	const stale = "COPPICE_UPDATE=1 go test . -run TestSize"
	for _, f := range all {
		row, ok := listed[f.name]
		f.limit = f.offered()
		if ok && (f.share || !update || row[1] < f.limit) {
			f.limit = row[1]
		}
		delete(listed, f.name)
		switch {
		case f.exceeded():
			t.Errorf("%s: %s, and the limit is %s: more needs a decision in docs/adr that edits the limit in %s",
				f.name, f.text(f.now), f.text(f.limit), file)
		case update:
		case !ok:
			t.Errorf("%s does not list %s: %s", file, f.name, stale)
		case max(row[0]-f.now, f.now-row[0]) > max(0.02*f.now, 0.2):
			t.Errorf("%s lists %s with %s, and it is %s: %s", file, f.name, f.text(row[0]), f.text(f.now), stale)
		}
	}
	if update {
		text := fmt.Sprintf(sizePage, sizeTable("figure", whole), sizeTable("room", rooms))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name := range listed {
		t.Errorf("%s lists %s, which is no room of %d lines: %s", file, name, largeRoom, stale)
	}
}

func TestOfferedLimits(t *testing.T) {
	for now, want := range map[float64]float64{174: 177, 1000: 1020, 2499: 2540, 58996: 60100, 207981: 212000} {
		if got := (&figure{now: now}).offered(); got != want {
			t.Errorf("%v gets the ceiling %v, want %v", now, got, want)
		}
	}
	f := &figure{now: 53.4, limit: 52, share: true}
	if got := f.offered(); got != 52.3 || f.exceeded() {
		t.Errorf("a share of 53.4 %% gets the floor %v, and exceeds 52: %v", got, f.exceeded())
	}
}
