package gosource_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/codec/gosource"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// BenchmarkGenerated predicts single rows by the engine. Beside that it reports how long the
// generated package of the same model takes to compile (s/compile) and to predict a row
// (generated-ns/op).
func BenchmarkGenerated(b *testing.B) {
	const columns = 28
	for _, size := range [][2]int{{100, 31}, {500, 31}, {500, 255}} {
		m := &model.Ensemble{Meta: model.Spec{Task: data.Regression},
			Trees: treetest.Boosted(size[0], size[1], columns), Output: make([]int32, size[0])}
		for k := range columns {
			m.Meta.Schema.Fields = append(m.Meta.Schema.Fields, data.Field{Name: fmt.Sprint("x", k)})
		}
		r := rand.New(rand.NewPCG(1, 2))
		rows := make([][]float64, 2000)
		for i := range rows {
			for range columns {
				rows[i] = append(rows[i], r.Float64())
			}
		}
		for form, nodes := range map[string]int{"": 0, "/ifs": 1 << 30, "/table": -1} {
			b.Run(fmt.Sprintf("%dx%d%s", size[0], size[1], form), func(b *testing.B) {
				compile, generated := timed(b, m, gosource.Options{Nodes: nodes}, rows)
				p, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Raw, Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				dst := make([]float64, 1)
				for i := 0; b.Loop(); i++ {
					if err := p.PredictRow(dst, rows[i%len(rows)]); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(compile.Seconds(), "s/compile")
				b.ReportMetric(generated, "generated-ns/op")
			})
		}
	}
}

var nanoseconds = regexp.MustCompile(`([0-9.]+) ns/op`)

// timed generates a package, compiles it, and runs its test and benchmark. It returns how long
// compilation and the prediction of a row took.
func timed(
	b *testing.B, m *model.Ensemble, o gosource.Options, rows [][]float64,
) (compile time.Duration, prediction float64) {
	b.Helper()
	folder := b.TempDir()
	var source, test bytes.Buffer
	if err := gosource.Write(&source, m, o); err != nil {
		b.Fatal(err)
	}
	if err := gosource.WriteTest(&test, m, o, rows); err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string][]byte{"go.mod": []byte("module generated\n\ngo 1.26\n"),
		"model.go": source.Bytes(), "model_test.go": test.Bytes(),
		// the compiler's cache has no package with this comment
		"fresh.go": fmt.Appendf(nil, "package model // %s\n", folder)} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	run := func(arguments ...string) []byte {
		cmd := exec.CommandContext(b.Context(), "go", arguments...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		return out
	}
	start := time.Now()
	run("build", ".")
	compile = time.Since(start)
	out := run("test", "-vet=off", "-bench=.", "-cpu=1", ".")
	found := nanoseconds.FindSubmatch(out)
	if found == nil {
		b.Fatalf("no benchmark in %s", out)
	}
	prediction, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return compile, prediction
}
