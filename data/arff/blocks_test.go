package arff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
)

// Weights that begin behind the first rows, in any file, are the same column in blocks as in
// memory, whatever the options make of it.
func TestWeightsInBlocks(t *testing.T) {
	const header = "@relation t\n@attribute x real\n@attribute y {b,a}\n@attribute s string\n@data\n"
	texts := map[string]string{
		"none.arff":  header + "1,a,p\n2,b,q\n\n?,?,?\n",
		"late.arff":  header + "1,a,p\n2,b,q\n3,a,r,{2}\n{0 4}\n",
		"first.arff": header + "{1 a},{3}\n2,b,q\n",
		"column.arff": strings.Replace(header, "@data", "@attribute weight real\n@data", 1) +
			"1,a,p,7\n2,b,q,8\n",
		"both.arff": strings.Replace(header, "@data", "@attribute weight real\n@data", 1) +
			"1,a,p,7\n2,b,q,8,{2}\n",
	}
	dir := t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, files := range []string{"none", "late", "first", "column", "both", "none late", "late none",
		"first none", "none column", "column none", "late column", "column late"} {
		var paths []string
		for _, f := range strings.Fields(files) {
			paths = append(paths, filepath.Join(dir, f+".arff"))
		}
		for name, o := range map[string]data.ReadOptions{
			"plain":       {},
			"categorical": {Categorical: []string{"x", Weight}},
			"all":         {AllCategorical: true},
			"numeric":     {Numeric: []string{Weight}},
			"ignore":      {Ignore: []string{Weight, "s"}},
			"missing":     {Missing: []string{"1", "p"}},
		} {
			t.Run(files+"/"+name, func(t *testing.T) { suite.Together(t, o, paths...) })
		}
	}
}

// A model that needs weights reads them in a stream; of files without weights their lack is an
// error behind the last rows.
func TestStreamedWeights(t *testing.T) {
	schema := &data.Schema{Fields: []data.Field{{Name: Weight}, {Name: "x"}}}
	for text, want := range map[string]string{
		"1\n2,{5}\n": "1 5", "1,{3}\n2\n": "3 1",
		"1\n2\n": `t.arff: there is no column "weight" in any row`,
	} {
		o := data.ReadOptions{Schema: schema, BlockBytes: 1, Bytes: map[string][]byte{
			"t.arff": []byte("@attribute x real\n@data\n" + text)}}
		var got []string
		for part, err := range Open(o, "t.arff").Stream(t.Context()) {
			if err != nil {
				got = []string{err.Error()}
				break
			}
			for _, v := range part.Columns[0].Numbers() {
				got = append(got, data.NumberText(v, 64))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
