package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// function is where a function with a body stands in a file, and how it calls a copy of itself.
type function struct {
	start, end int    // of its declaration
	name, body int    // where its name starts, and what follows its opening brace
	length     int    // of the name
	names      []edit // that give names to parameters without one
	call       string // of a copy, whose name %s is
}

// edit replaces bytes of a file.
type edit struct {
	start, end int
	text       string
}

// function describes a function, nil if it cannot call copies.
func (f *finder) function(d *ast.FuncDecl) *function {
	if d.Name.Name == "_" {
		return nil
	}
	made := &function{start: f.offset(d.Pos()), end: f.offset(d.End()), name: f.offset(d.Name.Pos()),
		length: len(d.Name.Name), body: f.offset(d.Body.Lbrace) + 1}
	if receiver := f.named(made, d.Recv, "mutantReceiver"); receiver != nil {
		made.call = receiver[0] + "."
	}
	made.call += "%s"
	if list := d.Type.TypeParams; list != nil {
		var types []string
		for _, field := range list.List {
			for _, n := range field.Names {
				types = append(types, n.Name)
			}
		}
		made.call += "[" + strings.Join(types, ", ") + "]"
	}
	made.call += "(" + strings.Join(f.named(made, d.Type.Params, "mutantArgument"), ", ") + ")"
	if d.Type.Results.NumFields() > 0 {
		made.call = "return " + made.call
	} else {
		made.call += "; return"
	}
	return made
}

// named returns the names of parameters, as arguments of a call, after it has named those without a
// name.
func (f *finder) named(in *function, list *ast.FieldList, stem string) (names []string) {
	if list == nil {
		return nil
	}
	for i, field := range list.List {
		if len(field.Names) == 0 {
			name, at := fmt.Sprint(stem, i), f.offset(field.Type.Pos())
			in.names = append(in.names, edit{at, at, name + " "})
			names = append(names, name)
		}
		for k, n := range field.Names {
			name := n.Name
			if name == "_" {
				name = fmt.Sprintf("%s%dof%d", stem, i, k)
				in.names = append(in.names, edit{f.offset(n.Pos()), f.offset(n.End()), name})
			}
			names = append(names, name)
		}
		if _, many := field.Type.(*ast.Ellipsis); many {
			names[len(names)-1] += "..."
		}
	}
	return names
}

// lines is a range of lines of a file.
type lines struct {
	file     string
	from, to int
}

// copied is a package with mutants in it: each is a copy of its function, which the function calls
// where the environment selects it. So all are compiled at once, and tests can report which of them
// they reach.
//
//	func f(x int) int { if mutantIs(7) { return mutant7_f(x) }
//		return x + 1
//	}
//	func mutant7_f(x int) int {
//		return x - 1
//	}
type copied struct {
	overlay string          // the file that makes the compiler read the copies
	places  map[int][]lines // by mutant: where compile errors are its own
}

// The environment of tests: the number of the mutant, and the file to which tests append the
// numbers of those that they reach, instead of a mutant.
const (
	selected = "COPPICE_MUTANT"
	reached  = "COPPICE_MUTANTS_REACHED"
)

// selection is what a package with mutants has beside its files, with its name, the two variables
// of the environment, and the count of mutants.
const selection = `package %s

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

var mutantSelected = func() int {
	n, err := strconv.Atoi(os.Getenv(%q))
	if err != nil {
		return -1
	}
	return n
}()

var mutantsReached = os.Getenv(%q)

var mutantSeen [%d]atomic.Bool

func mutantIs(n int) bool {
	if mutantsReached != "" {
		mutantReached(n)
	}
	return n == mutantSelected
}

func mutantReached(n int) {
	if mutantSeen[n].Swap(true) {
		return
	}
	f, err := os.OpenFile(mutantsReached, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, n); err != nil {
		panic(err)
	}
}
`

// copyMutants writes the files of a package with some of its sites as mutants.
func copyMutants(scratch, folder, name string, sites []site, chosen []int) (*copied, error) {
	c := &copied{overlay: filepath.Join(scratch, "overlay.json"), places: map[int][]lines{}}
	replace := map[string]string{}
	byFile := map[string][]int{}
	for _, number := range chosen {
		byFile[sites[number].file] = append(byFile[sites[number].file], number)
	}
	for file, numbers := range byFile {
		replace[file] = filepath.Join(scratch, filepath.Base(file))
		if err := os.WriteFile(replace[file], c.file(sites, numbers), 0o600); err != nil {
			return nil, err
		}
	}
	added := "zz_mutant_selected.go"
	replace[filepath.Join(folder, added)] = filepath.Join(scratch, added)
	text := fmt.Sprintf(selection, name, selected, reached, len(sites))
	if err := os.WriteFile(filepath.Join(scratch, added), []byte(text), 0o600); err != nil {
		return nil, err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return nil, err
	}
	return c, os.WriteFile(c.overlay, list, 0o600)
}

// file returns a file with copies of the functions that mutants of it are in.
func (c *copied) file(sites []site, numbers []int) []byte {
	source := sites[numbers[0]].source
	var edits []edit
	var copies bytes.Buffer
	done := map[*function]bool{}
	copies.WriteString("\n")
	line := bytes.Count(source, []byte("\n")) + 2 // of what is appended
	for _, number := range numbers {
		s := &sites[number]
		f := s.in
		name := fmt.Sprintf("mutant%d_%s", number, source[f.name:f.name+f.length])
		edits = append(edits, edit{f.body, f.body,
			fmt.Sprintf(" if mutantIs(%d) { "+f.call+" };", number, name)})
		if !done[f] {
			done[f] = true
			edits = append(edits, f.names...)
		}
		own := changed(source, []edit{{f.name, f.name + f.length, name}, {s.start, s.end, s.text}},
			f.start, f.end)
		opens := bytes.Count(source[:f.body], []byte("\n")) + 1
		head := bytes.Count(source[:f.start], []byte("\n")) + 1
		to := line + bytes.Count(own, []byte("\n"))
		c.places[number] = []lines{{filepath.Base(s.file), head, opens},
			{filepath.Base(s.file), line, to}}
		line = to + 1
		copies.Write(append(own, '\n'))
	}
	return append(changed(source, edits, 0, len(source)), copies.Bytes()...)
}

// changed returns the bytes of a range with edits in it.
func changed(source []byte, edits []edit, from, to int) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	for _, e := range edits {
		out = append(append(out, source[from:e.start]...), e.text...)
		from = e.end
	}
	return append(out, source[from:to]...)
}
