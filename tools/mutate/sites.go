package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

// site is one change of a file: some of its bytes become others.
type site struct {
	file       string
	source     []byte
	start, end int
	text       string
	line       int
	what       string    // in words
	in         *function // that it is in
}

// swaps are what operators become.
var swaps = map[token.Token][]string{
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.EQL: {"!="}, token.NEQ: {"=="}, token.LAND: {"||"}, token.LOR: {"&&"},
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"},
}

// sitesOf returns all changes of a file, in the order of its syntax.
func sitesOf(path string) ([]site, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{set: set, path: path, source: source}
	for _, d := range file.Decls {
		if body, is := d.(*ast.FuncDecl); is && body.Body != nil {
			if f.in = f.function(body); f.in != nil {
				ast.Inspect(body.Body, f.visit)
			}
		}
	}
	return f.found, nil
}

// finder gathers the sites of a file.
type finder struct {
	set    *token.FileSet
	path   string
	source []byte
	in     *function // that is visited
	found  []site
}

// add makes a site of what lies between two places.
func (f *finder) add(from, to token.Pos, text, what string) {
	at := f.set.Position(from)
	f.found = append(f.found, site{file: f.path, source: f.source, start: at.Offset,
		end: f.set.Position(to).Offset, text: text, line: at.Line, what: what, in: f.in})
}

// text is the source between two places.
func (f *finder) text(from, to token.Pos) string {
	return string(f.source[f.set.Position(from).Offset:f.set.Position(to).Offset])
}

// visit adds the sites of a node.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		for _, other := range swaps[n.Op] {
			f.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other,
				n.Op.String()+" becomes "+other)
		}
	case *ast.IfStmt:
		if strings.HasPrefix(f.text(n.Cond.Pos(), n.Cond.End()), "invariant.On") {
			return false // builds leave it out, and so do tests without its tag
		}
		f.add(n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond.Pos(), n.Cond.End())+")",
			"condition negated")
	case *ast.BasicLit:
		f.number(n)
	case *ast.CallExpr:
		return !f.checks(n)
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
			f.add(n.Pos(), n.End(), other, n.Name+" becomes "+other)
		}
	case *ast.ReturnStmt:
		f.result(n)
	case *ast.BlockStmt:
		for _, s := range n.List {
			f.statement(s)
		}
	case *ast.CaseClause:
		for _, s := range n.Body {
			f.statement(s)
		}
	}
	return true
}

// number changes an integer by one.
func (f *finder) number(n *ast.BasicLit) {
	if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
		for _, other := range []string{strconv.FormatInt(v+1, 10), strconv.FormatInt(v-1, 10)} {
			f.add(n.Pos(), n.End(), other, n.Value+" becomes "+other)
		}
	}
}

// result drops the error that a function returns.
func (f *finder) result(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	if name, is := last.(*ast.Ident); is && name.Name == "err" {
		f.add(last.Pos(), last.End(), "nil", "error not returned")
	}
}

// statement removes a statement that does not declare anything.
func (f *finder) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return
		}
	case *ast.ReturnStmt:
		if len(s.Results) > 0 {
			return
		}
	case *ast.ExprStmt:
		if f.checks(s.X) {
			return
		}
	case *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt, *ast.SendStmt:
	default:
		return
	}
	f.add(s.Pos(), s.End(), "", "statement removed")
}

// lines returns the lines of the change, as they were and as they are.
func (s *site) lines() (before, after string) {
	from := strings.LastIndexByte(string(s.source[:s.start]), '\n') + 1
	to := len(s.source)
	if n := strings.IndexByte(string(s.source[s.end:]), '\n'); n >= 0 {
		to = s.end + n
	}
	return strings.TrimSpace(string(s.source[from:to])),
		strings.TrimSpace(string(s.source[from:s.start]) + s.text + string(s.source[s.end:to]))
}

// checks reports whether an expression is a check of invariants.
func (f *finder) checks(x ast.Expr) bool {
	call, is := x.(*ast.CallExpr)
	return is && f.text(call.Fun.Pos(), call.Fun.End()) == "invariant.Check"
}

// offset is where a place is in the source.
func (f *finder) offset(at token.Pos) int { return f.set.Position(at).Offset }
