package relations

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/gosource"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
)

// generated are packages of Go source that one program tests in the end, because compilers take
// longer to start than to compile a small model.
var generated struct {
	sync.Mutex
	models []generatedModel
}

type generatedModel struct {
	title        string
	source, test []byte
}

// sourceOf returns the model as Go source, nil where there is none.
func sourceOf(c *trial, o gosource.Options) []byte {
	m, trees := c.of(c.weighed).(*model.Ensemble)
	if !trees {
		return nil
	}
	var source bytes.Buffer
	var unsupported *codec.UnsupportedError
	if err := gosource.Write(&source, m, o); errors.As(err, &unsupported) {
		return nil
	} else if err != nil {
		c.Fatal(err)
	}
	return source.Bytes()
}

func needsSource(c *trial) string {
	if sourceOf(c, gosource.Options{}) == nil {
		return "the model is no ensemble of trees, or pools quantiles"
	}
	return ""
}

// generate makes a package of the model, and a test of it. By day it does so for one task of a
// subject.
func generate(c *trial) {
	if !tier.Night() && c.task != c.tasks()[0] {
		return
	}
	generated.Lock()
	defer generated.Unlock()
	o := gosource.Options{Package: fmt.Sprintf("model%d", len(generated.models))}
	source := sourceOf(c, o)
	var test bytes.Buffer
	m := c.of(c.weighed).(*model.Ensemble)
	rows := append(valuesOf(c.weighed.seen()), valuesOf(c.weighed.fresh)...)
	if err := gosource.WriteTest(&test, m, o, rows); err != nil {
		c.Fatal(err)
	}
	generated.models = append(generated.models,
		generatedModel{c.title + " " + c.task.String(), source, test.Bytes()})
}

// valuesOf returns rows as generated tests take them.
func valuesOf(f *data.Frame) [][]float64 {
	all := make([][]float64, f.Rows())
	for i := range all {
		for j := range f.Columns {
			x := math.NaN()
			switch c := &f.Columns[j]; {
			case f.IsMissing(i, j):
			case c.Codes() == nil:
				x = c.Number(i)
			case c.Code(i) == data.UnseenCode:
				x = -1
			default:
				x = float64(c.Code(i))
			}
			all[i] = append(all[i], x)
		}
	}
	return all
}

// runGenerated compiles all packages and runs their tests, as one program.
func runGenerated(t *testing.T) {
	if testing.Short() || len(generated.models) == 0 {
		return
	}
	folder := t.TempDir()
	write := func(name string, text []byte) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module generated\n\ngo 1.18\n"))
	var imports, runs bytes.Buffer
	for i, m := range generated.models {
		write(fmt.Sprintf("model%d/model.go", i), m.source)
		write(fmt.Sprintf("model%d/probes.go", i), m.test)
		fmt.Fprintf(&imports, "\t\"generated/model%d\"\n", i)
		fmt.Fprintf(&runs, "\tt.Run(%q, model%d.TestPredictions)\n", m.title, i)
	}
	write("all_test.go", []byte("package generated\n\nimport (\n\t\"testing\"\n"+imports.String()+
		")\n\nfunc TestAll(t *testing.T) {\n"+runs.String()+"}\n"))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", ".")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("generated source: %v\n%s", err, out)
	}
}
