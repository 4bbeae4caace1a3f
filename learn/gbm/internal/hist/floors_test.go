package hist

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// floors is the files of the package from the ground up; see its comment. A file uses what is
// declared on its own floor and below.
var floors = []struct{ name, files string }{
	{"numbers", "doc config pair terms categoryorder ridge rowlists workers"},
	{"derivatives", "exchange sums derivativesize derivatives"},
	{"matrix", "layout joint tables histogram histogrampool"},
	{"leaves", "split movedrows leaf grownleaf branches queue splitmessage treememory columns inputs"},
	{"rows", "listed rows blockwalk rowcounts"},
	{"histograms", "builder smallleaf blockhistograms"},
	{"splits", "search score pointscores columnscan scan wordscan wordpoints categorysets lightgbm " +
		"xgboost xgboostexact vectorscan bestsplit"},
	{"growth", "children leafworkers sharedwork batch walkbatches columnowners " +
		"leafmoves rankbatches levelscore levels growth"},
	{"tree", "growntree leafrows rankrows unseen"},
	{"face", "engine grower grownleaves values linear lister listersets"},
}

// TestFloors refuses a use of a declaration of a higher floor: a method counts as one, a field does
// not.
func TestFloors(t *testing.T) {
	tier.NotShort(t, "checks the types of the package")
	floor := map[string]int{}
	for i, f := range floors {
		for _, name := range strings.Fields(f.files) {
			if _, ok := floor[name+".go"]; ok {
				t.Errorf("%s.go is on two floors", name)
			}
			floor[name+".go"] = i
		}
	}
	of, set, uses := checked(t)
	if files := sources(t); len(files) != len(floor) ||
		slices.ContainsFunc(files, func(name string) bool { _, ok := floor[name]; return !ok }) {
		t.Errorf("the floors have other files than the package:\n%v\n%v", slices.Sorted(maps.Keys(floor)),
			files)
	}
	type use struct {
		file string
		of   types.Object
	}
	found := map[use]bool{}
	for id, o := range uses {
		user := use{set.Position(id.Pos()).Filename, o}
		_, method := o.(*types.Func)
		if o.Pkg() != of || !method && o.Parent() != of.Scope() || found[user] {
			continue
		}
		found[user] = true
		owner := set.Position(o.Pos()).Filename
		if floor[user.file] < floor[owner] {
			t.Errorf("%s (%s) uses %s of %s (%s)", user.file, floors[floor[user.file]].name,
				o.Name(), owner, floors[floor[owner]].name)
		}
	}
}

// TestTypesAreOneStage refuses types of many methods or fields: they are several stages in one.
func TestTypesAreOneStage(t *testing.T) {
	tier.NotShort(t, "checks the types of the package")
	const mostMethods, mostFields = 30, 20
	of, _, _ := checked(t)
	for _, name := range of.Scope().Names() {
		n, ok := of.Scope().Lookup(name).Type().(*types.Named)
		if !ok {
			continue
		}
		if n.NumMethods() > mostMethods {
			t.Errorf("%s has %d methods", name, n.NumMethods())
		}
		if s, ok := n.Underlying().(*types.Struct); ok && s.NumFields() > mostFields {
			t.Errorf("%s has %d fields", name, s.NumFields())
		}
	}
}

// sources returns the names of the package's files, in their order.
func sources(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

// checked checks the types of the package's files, and returns what identifiers stand for.
func checked(t *testing.T) (*types.Package, *token.FileSet, map[*ast.Ident]types.Object) {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range sources(t) {
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}",
		".").Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	check := types.Config{Importer: importer.ForCompiler(set, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	of, err := check.Check("hist", set, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	return of, set, info.Uses
}
