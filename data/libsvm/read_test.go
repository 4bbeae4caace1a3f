package libsvm

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

var reader = tabletest.Reader{
	Open: Open, Sniff: Sniff, Name: "t.libsvm",
	File: []byte("# two features\n+1 2:1.5 70000:3\n\n-1 2:-2 # and nothing\n1 70000:nan\n"),
	Want: "label 1 -1 1\nf2 1.5 -2 0\nf70000 3 0 -\n", Number: "f2",
	Forced: "f2 1.5 -2 0 {-2|0|1.5}\n", Line: 4,
}

func TestReader(t *testing.T) { reader.Run(t) }

func TestGoodText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    data.ReadOptions
		want       string
	}{
		{"no features", "1\n2\n", data.ReadOptions{}, "label 1 2\n"},
		{"no last newline", "1 1:2\n2 1:37", data.ReadOptions{}, "label 1 2\nf1 2 37\n"},
		{"blanks, CR LF, a byte order mark", "\ufeff 1  1:2 \t3:4 \r\n2\r\n", data.ReadOptions{}, "label 1 2\nf1 2 0\nf3 4 0\n"},
		{"any order", "1 3:1 1:2\n", data.ReadOptions{}, "label 1\nf1 2\nf3 1\n"},
		{"forms of numbers", "-1.5e1 1:+2 2:.5 3:1e3 4:-inf 5:0.10\n", data.ReadOptions{}, "label -15\nf1 2\nf2 0.5\nf3 1000\nf4 -Inf\nf5 0.1\n"},
		{"from 0", "1 0:2\n2 007:3\n", data.ReadOptions{}, "label 1 2\nf0 2 0\nf7 0 3\n"},
		{"far features", "1 65536:1 4000000000:2\n", data.ReadOptions{}, "label 1\nf65536 1\nf4000000000 2\n"},
		{"missing", "? 1:? 2:NA\n1 1:-9\n", data.ReadOptions{}, "label - 1\nf1 - -9\nf2 - 0\n"},
		{"missing, own tokens", "1 1:-9 2:-9.0\n", data.ReadOptions{Missing: []string{"-9"}}, "label 1\nf1 -\nf2 -\n"},
		{"labels that are texts", "1 1:1\nspam 1:2\n+1.50\n", data.ReadOptions{}, "label 1 spam 1.5 {1|1.5|spam}\nf1 1 2 0\n"},
		{"queries", "2 qid:7 1:1\n0 qid:7\n1 qid:08 1:3\n", data.ReadOptions{}, "label 2 0 1\nquery 7 7 8\nf1 1 0 3\n"},
		{"a comment of pairs", "1 1:1 # 2:3\n#1 3:4\n", data.ReadOptions{}, "label 1\nf1 1\n"},
		{"a model's features", "1 5:1 1:2\n0\n",
			data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{
				{Name: "f9"}, {Name: "f1", Kind: data.Categorical, Levels: []string{"2"}}, {Name: "x"}, {Name: "f8", Kind: data.Categorical, Levels: []string{"0"}}}}},
			"f9 0 0\nf1 2 ? {2}\nf8 0 0 {0}\n"},
		{"absent values are missing", "1 1:1 2:0\n2 1:?\n", data.ReadOptions{Absent: data.AbsentMissing}, "label 1 2\nf1 1 -\nf2 0 -\n"},
		{"a model's absent values", "1 1:1\n0\n",
			data.ReadOptions{Schema: &data.Schema{AbsentValues: data.AbsentMissing, Fields: []data.Field{{Name: "f1"}, {Name: "f2"}}}}, "f1 1 -\nf2 - -\n"},
		{"not as in the model", "1 1:1\n0\n",
			data.ReadOptions{Absent: data.AbsentZero, Schema: &data.Schema{AbsentValues: data.AbsentMissing, Fields: []data.Field{{Name: "f1"}}}}, "f1 1 0\n"},
		{"ignored features need not occur", "1 1:1 2:2\n", data.ReadOptions{Ignore: []string{"f2", "f3", "label"}}, "f1 1\n"},
	} {
		reader.Good(t, c.name, c.text, c.options, c.want)
	}
}

func TestBadText(t *testing.T) {
	for _, c := range []struct {
		text, want string
		reason     error
	}{
		{"", "t.libsvm: there are no rows", data.ErrEmpty},
		{"# nothing\n", "t.libsvm: there are no rows", data.ErrEmpty},
		{"1 1:1\n1:2 3:4\n", `t.libsvm:2: the line begins with "1:2", not with a label`, data.ErrFormat},
		{"1 x:1\n", `t.libsvm:1: "x:1" is not a pair index:value`, data.ErrFormat},
		{"1 -1:1\n", `t.libsvm:1: "-1:1" is not a pair index:value`, data.ErrFormat},
		{"1 1\n", `t.libsvm:1: "1" is not a pair index:value`, data.ErrFormat},
		{"1 1:\n", `t.libsvm:1: the value in "1:" is not a number`, data.ErrNumber},
		{"1 1:2x\n", `t.libsvm:1: the value in "1:2x" is not a number`, data.ErrNumber},
		{"1 1: 2\n", `t.libsvm:1: the value in "1:" is not a number`, data.ErrNumber},
		{"1 1:2 2:3 1:4\n", "t.libsvm:1: feature 1 occurs twice in the row", data.ErrFormat},
		{"1 1:2 1:0\n", "t.libsvm:1: feature 1 occurs twice in the row", data.ErrFormat},
		{"1 99999999999999999999:2\n", `t.libsvm:1: "99999999999999999999:2": an index of a feature is at most 922337203685477579`, data.ErrLimit},
		{"1 qid:x 1:2\n", "t.libsvm:1: qid:x: the query must be an integer", data.ErrNumber},
		{"1 qid:1.5\n", "t.libsvm:1: qid:1.5: the query must be an integer", data.ErrNumber},
		{"1 1:2 qid:1\n", `t.libsvm:1: "qid:1" is not a pair index:value`, data.ErrFormat},
		{"1 qid:1 1:2\n\n1 1:2\n", "t.libsvm:3: the row has no qid, the rows before it have one", data.ErrFormat},
		{"1 1:2\n1 qid:1 1:2\n", "t.libsvm:2: the row has a qid, the rows before it have none", data.ErrFormat},
		{"1 1:2\n\xff 1:2\n", `t.libsvm:2: column "label": "\xff" is not UTF-8 text (data.ReadOptions.Encoding windows-1252 reads what Windows wrote in Western Europe)`, data.ErrText},
		{"1 \x00\n", "t.libsvm:1: this is binary data, not LibSVM", data.ErrText},
	} {
		reader.Bad(t, c.text, data.ReadOptions{}, c.want, c.reason)
	}
}

// write makes files in a new folder, which becomes the current one. Names alternate with contents.
func write(t *testing.T, namesAndContents ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for i := 0; i < len(namesAndContents); i += 2 {
		if err := os.WriteFile(namesAndContents[i], []byte(namesAndContents[i+1]),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSideFiles(t *testing.T) {
	write(t, "a", "1 1:1\n0 1:2\n2\n", "a.weight", "0.5\n2\n\n1\n", "a.query", "0\n2\n1\n", "b",
		"1 2:1\n", "b.weight", "3", "b.query", "1\n")
	f, err := Open(data.ReadOptions{}, "a", "b").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(f),
		"label 1 0 2 1\nweight 0.5 2 1 3\nquery 1 1 2 3\nf1 1 2 0 0\nf2 0 0 0 1\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	f, err = Open(data.ReadOptions{Ignore: []string{"weight", "query"}}, "a").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(f), "label 1 0 2\nf1 1 2 0\n"; got != want {
		t.Errorf("ignored: got\n%swant\n%s", got, want)
	}
}

func TestBadSideFiles(t *testing.T) {
	for _, c := range []struct {
		names string // of files and contents
		want  string
	}{
		{"a|1 1:1\n2\n|a.weight|1\n", "a:2: a.weight has no weight for this row: it is too short"},
		{"a|1 1:1\n2\n|a.weight|1\n2\n3\n", "a.weight:3: this is for more rows than a has"},
		{"a|1 1:1\n2\n|a.weight|1\nx\n", `a.weight:2: "x" is not a number`},
		{"a|1 1:1\n2\n|a.query|1\n", "a:2: a.query has no query for this row: its sizes add up to less than the rows"},
		{"a|1 1:1\n2\n|a.query|3\n", "a.query:1: this is for more rows than a has"},
		{"a|1 1:1\n2\n|a.query|2\n0\n", "a.query:2: this is for more rows than a has"},
		{"a|1 1:1\n2\n|a.query|1.5\n", "a.query:1: the size of a query must be a number of rows"},
		{"a|1 qid:3 1:1\n2\n|a.query|2\n", "a:1: the row has a qid, and a query file gives the queries too: remove one of them"},
		{"a|1\n|a.weight|1\n|b|2\n", "b: some of the files have weights beside them (b.weight), others have none"},
		{"b|2\n|a|1\n|a.query|1\n", "a: some of the files have queries beside them (a.query), others have none"},
	} {
		parts := strings.Split(c.names, "|")
		write(t, parts...)
		paths := []string{parts[0]}
		for i := 2; i < len(parts); i += 2 {
			if filepath.Ext(parts[i]) == "" {
				paths = append(paths, parts[i])
			}
		}
		_, err := Open(data.ReadOptions{}, paths...).Frame(t.Context())
		tabletest.CheckError(t, err)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got\n%v\nwant\n%s", c.names, err, c.want)
		}
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"1 1:2 3:4\n": true, "# c\n\n+1 qid:3": true, "-1.5\t7:1e": true, "1,2\n": false, "1\n2 1:1\n": false, "a 1:2": false, "": false, "1 x:2": false,
		"12:30 1:2": false, "1 1\n": false, "2020 1:30,5\n": true,
	} {
		if Sniff([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// readBytes reads a table from memory.
func readBytes(
	ctx context.Context, o data.ReadOptions, name string, b []byte,
) (*data.Frame, error) {
	o.Bytes = map[string][]byte{name: b}
	return Open(o, name).Frame(ctx)
}
