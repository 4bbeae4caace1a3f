package gosource

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// declaration is one of kernel.Files.
type declaration struct {
	source string // with its comment
	needs  []string
}

// declarations are the declarations of kernel.Files in their order, by file, and the place of each
// name.
type declarations struct {
	all []declaration
	of  map[string]int
}

// copied returns the declarations of functions of package kernel, with all that these need, in Go
// that needs the package math. Exported functions have names in lower case there.
func copied(functions []string) (string, error) {
	if len(functions) == 0 {
		return "", nil
	}
	d := declarations{of: map[string]int{}}
	names, err := fs.Glob(kernel.Files, "*.go")
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if err := d.read(name); err != nil {
			return "", fmt.Errorf("functions to copy: %w", err)
		}
	}
	wanted := make([]bool, len(d.all))
	open := slices.Clone(functions)
	for len(open) > 0 {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if i, ok := d.of[name]; ok && !wanted[i] {
			wanted[i] = true
			open = append(open, d.all[i].needs...)
		}
	}
	var b strings.Builder
	for i, w := range wanted {
		if w {
			b.WriteString(d.all[i].source + "\n\n")
		}
	}
	return d.lowered(b.String()), nil
}

// read adds the declarations of a file.
func (d *declarations) read(name string) error {
	source, err := kernel.Files.ReadFile(name)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, decl := range file.Decls {
		from := decl.Pos()
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d.of[decl.Name.Name] = len(d.all)
			if decl.Doc != nil {
				from = decl.Doc.Pos()
			}
		case *ast.GenDecl:
			if decl.Tok == token.IMPORT {
				continue
			}
			for _, spec := range decl.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					d.of[name.Name] = len(d.all)
				}
			}
			if decl.Doc != nil {
				from = decl.Doc.Pos()
			}
		}
		made := declaration{source: string(source[files.Position(from).Offset:files.Position(decl.End()).Offset])}
		ast.Inspect(decl, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				made.needs = append(made.needs, name.Name)
			}
			return true
		})
		d.all = append(d.all, made)
	}
	return nil
}

// lowered returns code with the exported names in lower case: NormalCDF becomes normalCDF.
func (d *declarations) lowered(code string) string {
	return words.ReplaceAllStringFunc(code, func(word string) string {
		if _, ok := d.of[word]; !ok || !token.IsExported(word) {
			return word
		}
		return string(unicode.ToLower(rune(word[0]))) + word[1:]
	})
}

// words are identifiers, but those of another package, such as math.Exp.
var words = regexp.MustCompile(`[\w.]+`)
