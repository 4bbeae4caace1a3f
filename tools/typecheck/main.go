// Typecheck checks the types of all packages and tests of a module for other systems than this one:
//
//	go run -C tools ./typecheck windows/amd64 darwin/arm64 linux/386
//
// It compiles nothing, so it takes seconds where building for a system takes minutes. What it
// cannot find are faults of assembly and of the linker.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: typecheck OS/ARCHITECTURE ...")
		os.Exit(2)
	}
	failed := false
	for _, target := range os.Args[1:] {
		n, err := check("..", target)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", target, err)
			failed = true
			continue
		}
		fmt.Printf("%s: %d packages\n", target, n)
	}
	if failed {
		os.Exit(1)
	}
}

// check returns the number of packages of the module in a folder, tests counted separately, and all
// their errors on a target such as "windows/amd64".
func check(folder, target string) (int, error) {
	system, architecture, ok := strings.Cut(target, "/")
	if !ok {
		return 0, fmt.Errorf("want OS/ARCHITECTURE, as windows/amd64")
	}
	found, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedModule,
		Dir:   folder,
		Tests: true,
		Env:   append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+architecture),
	}, "./...")
	if err != nil {
		return 0, err
	}
	var faults []error
	packages.Visit(found, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			faults = append(faults, e)
		}
	})
	return len(found), errors.Join(faults...)
}
