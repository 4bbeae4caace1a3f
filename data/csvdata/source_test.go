package csvdata

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// failing is what helpers need of a *testing.T or a *rapid.T.
type failing interface {
	Helper()
	Fatal(args ...any)
}

func gzipped(t failing, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// write makes files in a new folder and returns their paths. Names alternate with contents.
func write(t *testing.T, namesAndContents ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i := 0; i < len(namesAndContents); i += 2 {
		path := filepath.Join(dir, namesAndContents[i])
		if err := os.WriteFile(path, []byte(namesAndContents[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

const longText = "a\tb\n1\tx\n2\ty\n" // named .csv, its tabs are found; named .tsv, they are known

func TestCompressed(t *testing.T) {
	const want = "a 1 2\nb x y {x|y}\n"
	for name, b := range map[string][]byte{
		"t.csv": gzipped(t, longText), "t.tsv.gz": gzipped(t, "\ufeff"+longText), "t.csv.gz": []byte(longText),
		"members.gz": append(gzipped(t, longText[:5]), gzipped(t, longText[5:])...),
	} {
		f, err := readBytes(context.Background(), Options{}, name, b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := tabletest.Render(f); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
}

func TestSeparatorByName(t *testing.T) {
	for name, want := range map[string]string{
		"t.csv": "a\tx 1\nb 2\n", "T.TSV": "a -\nx,b 1.2\n", "t.tsv.gz": "a -\nx,b 1.2\n", "t.tab.zst": "a -\nx,b 1.2\n",
	} {
		text := "a\tx,b\n\t1,2\n"
		if name == "t.csv" {
			text = "a\tx,b\n1,2\n"
		}
		f, err := readBytes(context.Background(), Options{}, name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := tabletest.Render(f); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
}

func TestDamagedCompression(t *testing.T) {
	text := strings.Repeat("1,2\n", 1000)
	b := gzipped(t, text)
	for _, n := range []int{4, 11, len(b) / 2, len(b) - 1} {
		_, err := readBytes(context.Background(), Options{NoHeader: true}, "t.csv", b[:n])
		want := "t.csv: the gzip data ends too early: the file is truncated"
		if err == nil || err.Error() != want || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("truncated to %d of %d bytes: %v", n, len(b), err)
		}
	}
	flipped := bytes.Clone(b)
	flipped[len(b)-3] ^= 1
	_, err := readBytes(context.Background(), Options{NoHeader: true}, "t.csv", flipped)
	if err == nil || !strings.HasPrefix(err.Error(), "t.csv: damaged gzip data: ") {
		t.Errorf("with a flipped bit: %v", err)
	}
	for _, inside := range []string{string(b), "\x28\xb5\x2f\xfdzstd"} {
		_, err := readBytes(context.Background(), Options{}, "t.csv", gzipped(t, inside))
		if !errors.Is(err, data.ErrText) || !strings.Contains(err.Error(), "inside gzip") {
			t.Errorf("%q in gzip: %v", inside[:2], err)
		}
	}
}

func TestSeveralFiles(t *testing.T) {
	paths := write(t, "a.csv", "x,y\n1,2\n3,4\n", "b.csv", "x,y\n", "c.csv",
		"\nx,y\n5,late\n\n6,7\n", "d.csv.gz", string(gzipped(t, "x;y\n8;9")))
	var note string
	o := Options{ReadOptions: data.ReadOptions{Log: func(format string,
		args ...any) {
		note = args[len(args)-1].(string)
	}}}
	f, err := Open(o, paths...).Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(f),
		"x 1 3 5 6 8\ny 2 4 late 7 9 {2|4|7|9|late}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if note != paths[2]+":3" {
		t.Errorf("the note names %q", note)
	}
	for row, want := range []string{"a.csv:2", "a.csv:3", "c.csv:3", "c.csv:5", "d.csv.gz:2"} {
		if got := filepath.Base(f.Locate(row)); got != want {
			t.Errorf("row %d at %s, want %s", row, got, want)
		}
	}
}

func TestSeveralFilesRegularLines(t *testing.T) {
	paths := write(t, "a.csv", "1,2\n3,4\n", "b.csv", "5,6\n7,8\n")
	f, err := Open(Options{NoHeader: true}, paths...).Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if f.Origin.Line != nil || f.Locate(3) != paths[1]+":2" {
		t.Errorf("Line %v, row 3 at %s", f.Origin.Line, f.Locate(3))
	}
}

func TestSeveralFilesThatDiffer(t *testing.T) {
	first := "x,y,z\n1,2,3\n"
	for second, want := range map[string]string{
		"x,y\n1,2\n":       `b.csv:1: the header has no column "z" of a.csv`,
		"x,q,z\n1,2,3\n":   `b.csv:1: the header has no column "y" of a.csv`,
		"x,y,z,q\n1,2,3\n": `b.csv:1: the header has column "q", which a.csv does not have`,
		"\nx,z,y\n1,2,3\n": `b.csv:2: column 2 is "z", in a.csv it is "y": the columns must have the same order`,
		"":                 `b.csv: the file is empty`,
	} {
		t.Chdir(t.TempDir())
		for name, text := range map[string]string{"a.csv": first, "b.csv": second} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(Options{}, "a.csv", "b.csv").Frame(context.Background()); err == nil ||
			err.Error() != want {
			t.Errorf("%q: got %v, want %s", second, err, want)
		}
	}
	paths := write(t, "a.csv", "1,2\n", "b.csv", "3,4,5\n")
	_, err := Open(Options{NoHeader: true}, paths...).Frame(context.Background())
	if err == nil || err.Error() != paths[1]+":1: 3 fields, the first row has 2" ||
		!errors.Is(err, ErrFields) {
		t.Errorf("without headers: %v", err)
	}
}

func TestStandardInput(t *testing.T) {
	paths := write(t, "a.csv", "x\n1\n")
	o := Options{ReadOptions: data.ReadOptions{Stdin: bytes.NewReader(gzipped(t, "x\n2\n3\n"))}}
	f, err := Open(o, paths[0], "-").Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := tabletest.Render(f); got != "x 1 2 3\n" || f.Locate(1) != "stdin:2" {
		t.Errorf("got %s, row 1 at %s", got, f.Locate(1))
	}
	if _, err := Open(o, "-", "-").Frame(context.Background()); !errors.Is(err, data.ErrOption) {
		t.Errorf("standard input twice: %v", err)
	}
	o.Stdin = io.MultiReader(strings.NewReader("x\n"), brokenReader{})
	if _, err := Open(o, "-").Frame(context.Background()); !errors.Is(err, errBroken) ||
		err.Error() != "stdin: the connection is broken" {
		t.Errorf("broken standard input: %v", err)
	}
}

var errBroken = errors.New("the connection is broken")

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errBroken }

func TestNoSuchFile(t *testing.T) {
	_, err := Open(Options{}, "absent.csv").Frame(context.Background())
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != "absent.csv: no such file" {
		t.Errorf("absent: %v", err)
	}
	dir := t.TempDir()
	if _, err = Open(Options{}, dir).Frame(context.Background()); err == nil ||
		err.Error() != dir+": the folder holds no tables" {
		t.Errorf("directory: %v", err)
	}
	if _, err = Open(Options{}).Frame(context.Background()); !errors.Is(err, data.ErrOption) {
		t.Errorf("no path: %v", err)
	}
}

func TestFileThatShrinks(t *testing.T) {
	paths := write(t, "a.csv", "x\n1\n2\nlate\n")
	sources, err := source.All(context.Background(), &data.ReadOptions{}, paths, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	o := &Options{}
	r := &reading{store: store{options: o}, tokens: table.Tokens(&o.ReadOptions, data.DefaultMissing), until: 10}
	if err := r.readAll(context.Background(), sources, blockSize); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], []byte("x\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err = r.readAgain(context.Background(), sources, blockSize)
	if err == nil || err.Error() != paths[0]+": the file changed while it was read" {
		t.Errorf("got %v", err)
	}
}
