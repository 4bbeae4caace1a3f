package coppice_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestTypesCanBeNamed: programs can write the types that functions of public packages take and
// return. For a type of a folder called internal a public package has an alias, or a type to
// convert it to.
func TestTypesCanBeNamed(t *testing.T) {
	used, named := map[string]string{}, map[string]bool{} // by package and type
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (!isPublic(filepath.ToSlash(name)) || isSuite(name) || name == "tools" ||
			d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		within := map[string]string{} // packages of folders called internal, by their names in the file
		for _, spec := range file.Imports {
			if of, _ := strconv.Unquote(spec.Path.Value); strings.Contains(of, "/internal/") {
				within[path.Base(of)] = of
			}
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() && (decl.Recv == nil || ast.IsExported(receiver(decl.Recv.List[0].Type))) {
					ast.Inspect(decl.Type, func(n ast.Node) bool {
						if of := qualified(n, within); of != "" {
							used[of] = name + ": " + decl.Name.Name
						}
						return true
					})
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if own, is := spec.(*ast.TypeSpec); is && own.Name.IsExported() {
						named[qualified(own.Type, within)] = true
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for of, where := range used {
		if !named[of] {
			t.Errorf("%s has the type %s, which no program can name", where, of)
		}
	}
}

// qualified returns the package and the name that a node selects; "" if it is of no such package.
func qualified(n ast.Node, packages map[string]string) string {
	if s, is := n.(*ast.SelectorExpr); is {
		if of, is := s.X.(*ast.Ident); is && packages[of.Name] != "" {
			return packages[of.Name] + "." + s.Sel.Name
		}
	}
	return ""
}
