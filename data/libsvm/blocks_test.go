package libsvm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
)

// Features that begin behind the first rows, labels, queries and side files are the same in blocks
// as in memory, whatever the options make of them.
func TestFeaturesInBlocks(t *testing.T) {
	texts := map[string]string{
		"one":     "1 2:5 1:6\n\n0 3:7 # c\n1\n0 2:nan 90000:1\n0 1:2 2:3 3:4\n",
		"two":     "0 7:1.5\n1 1:-1\n",
		"zero":    "0 4:1\n0 0:5 4:2\n1 2:9\n",
		"qid":     "1 qid:3 1:1\n2 qid:3 2:1\n0 qid:7 5:2\n",
		"lateqid": "1 1:1\n2 qid:3 2:1\n",
		"labels":  "1 1:1\n0 2:1\nno 1:2\n1 3:3\n",
		"dates":   "1 1:0\n0 1:86400 2:3600\n1 2:7\n",
		"side":    "1 1:1\n0 2:3\n1 1:2 3:4\n", "side.weight": "1\n2\n0.5\n", "side.query": "2\n1\n",
		"short": "1 1:1\n0 2:3\n1 1:2\n", "short.weight": "1\n2\n",
		"long": "1 1:1\n0 2:3\n", "long.query": "1\n2\n",
		"bad":  "1 1:1\n0 2:x\n",
		"same": "1 1:1\n0 2:3 2:4\n",
	}
	dir := t.TempDir()
	for name, text := range texts {
		name, side, found := strings.Cut(name, ".")
		if name += ".svm"; found {
			name += "." + side
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	two := &data.Schema{Fields: []data.Field{{Name: "f1"}, {Name: "f5"},
		{Name: "f2", Kind: data.Categorical, Levels: []string{"0", "5"}}}}
	for _, files := range []string{"one", "two", "zero", "qid", "lateqid", "labels", "dates", "side",
		"short", "long", "bad", "same", "one two", "two one", "one zero", "qid one", "one qid",
		"side side", "one side"} {
		var paths []string
		for _, f := range strings.Fields(files) {
			paths = append(paths, filepath.Join(dir, f+".svm"))
		}
		for name, o := range map[string]data.ReadOptions{
			"plain":       {},
			"missing":     {Absent: data.AbsentMissing},
			"categorical": {Categorical: []string{"f2", "f7", "f11"}},
			"sparse":      {Categorical: []string{"f3"}, Absent: data.AbsentMissing},
			"all":         {AllCategorical: true, Numeric: []string{"f1"}},
			"ignore":      {Ignore: []string{"f2", "f90000"}},
			"tokens":      {Missing: []string{"1", "0"}},
			"since":       {Dates: map[string]data.DateFormat{"f2": data.SinceSeconds}},
			"from 0":      {FirstIndex: data.FirstZero},
			"from 1":      {FirstIndex: data.FirstOne},
			"model":       {Schema: two, Also: []string{Label}, Optional: []string{Weight, Query}},
			"absent": {Schema: two, Also: []string{Label, "f4"}, Categorical: []string{"f4"},
				Absent: data.AbsentMissing},
			"model from 0": {Schema: two, Also: []string{Label}, FirstIndex: data.FirstZero},
		} {
			t.Run(files+"/"+name, func(t *testing.T) { reader.Together(t, o, paths...) })
		}
	}
}
