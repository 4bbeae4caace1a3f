package catalog_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/bag"
	"github.com/coppice-ml/coppice/learn/bayes"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/learn/knn"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/learn/network"
	"github.com/coppice-ml/coppice/learn/portfolio"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/learn/svm"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/param"
)

var update = flag.Bool("update", false, "write the comments of the fields of learners")

// The fields of a learner are documented by what its parameters declare: godoc shows the help, the
// range and the default. go test ./learn/catalog -run TestFieldDocs -update writes the comments.
func TestFieldDocs(t *testing.T) {
	for file, l := range map[string]learn.Learner{
		"../bag/bag.go":             bag.New(catalog.Resolve),
		"../bayes/bayes.go":         bayes.New(),
		"../c45/c45.go":             c45.New(),
		"../calibrate/calibrate.go": calibrate.New(catalog.Resolve),
		"../cart/learner.go":        cart.New(),
		"../c45/id3.go":             c45.NewID3(),
		"../isolation/isolation.go": isolation.New(),
		"../knn/knn.go":             knn.New(),
		"../linear/linear.go":       linear.New(),
		"../linear/logistic.go":     linear.NewLogistic(),
		"../network/network.go":     network.New(),
		"../c45/rules.go":           c45.NewRules(),
		"../portfolio/portfolio.go": portfolio.New(catalog.Resolve),
		"../stack/stack.go":         stack.New(catalog.Resolve),
		"../svm/svm.go":             svm.New(),
		"../vote/vote.go":           vote.New(catalog.Resolve),
		"../gbm/learner.go":         gbm.New(),
		"../forest/learner.go":      forest.New(),
		"../anyboost/anyboost.go":   anyboost.New(catalog.Resolve),
		"../adaboost/adaboost.go":   adaboost.New(catalog.Resolve),
	} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := documented(string(source), reflect.TypeOf(l).Elem().Name(), l.Params())
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if want == string(source) {
			continue
		}
		if !*update {
			t.Errorf("%s: comments of fields are not what the parameters declare: -update writes "+
				"them", file)
			continue
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// documented returns a source file whose struct of a learner has the comments of its parameters. A
// field that is no parameter keeps its comment, and must have one.
func documented(source, learner string, params param.Set) (string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.ParseComments)
	if err != nil {
		return "", err
	}
	at := func(p token.Pos) int { return files.Position(p).Offset }
	line := func(p token.Pos) int { return files.Position(p).Line }
	object := file.Scope.Lookup(learner)
	fields := object.Decl.(*ast.TypeSpec).Type.(*ast.StructType).Fields
	var b strings.Builder
	b.WriteString(source[:at(fields.Opening)+1])
	last := line(fields.Opening)
	for _, f := range fields.List {
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if b.WriteString("\n"); line(start) > last+1 {
			b.WriteString("\n")
		}
		last = line(f.End())
		name := f.Names[0].Name
		p := params.Lookup(parameterOf(name))
		switch {
		case p != nil && len(f.Names) == 1:
			b.WriteString(comment(p))
		case ast.IsExported(name) && (f.Doc == nil || len(f.Names) > 1):
			return "", fmt.Errorf("field %s is no parameter and has no comment", name)
		case f.Doc != nil:
			b.WriteString(source[at(f.Doc.Pos())-1:at(f.Doc.End())] + "\n")
		}
		b.WriteString("\t" + name + " " + source[at(f.Type.Pos()):at(f.Type.End())])
		if f.Comment != nil {
			b.WriteString(" " + f.Comment.List[0].Text)
		}
	}
	b.WriteString("\n" + source[at(fields.Closing):])
	return b.String(), nil
}

// parameterOf returns the name of the parameter of a field: cat_l2 of CatL2.
func parameterOf(field string) string {
	var b strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// comment returns what a parameter declares as the comment of a field, 100 columns wide.
func comment(p *param.Param) string {
	def := p.Default
	if def == "" {
		def = `""`
	}
	text := fmt.Sprintf("%s. Parameter %s: %s; default %s.", strings.TrimSuffix(p.Help, "."),
		p.Name, strings.ReplaceAll(p.Range, "|", ", "), def)
	first, rest := text[:1], text[1:]
	var lines []string
	row := ""
	for word := range strings.FieldsSeq(strings.ToUpper(first) + rest) {
		if row != "" && len(row)+1+len(word) > 93 {
			lines, row = append(lines, row), ""
		}
		row = strings.TrimPrefix(row+" "+word, " ")
	}
	lines = append(lines, row)
	return "\t// " + strings.Join(lines, "\n\t// ") + "\n"
}

func TestParameterOf(t *testing.T) {
	var got []string
	for _, field := range []string{"Trees", "L2", "CatL2", "MinChildWeight"} {
		got = append(got, parameterOf(field))
	}
	if want := []string{"trees", "l2", "cat_l2", "min_child_weight"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
