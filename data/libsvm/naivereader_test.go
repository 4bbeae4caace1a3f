package libsvm

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/testing/reference"
)

var (
	pairs  = regexp.MustCompile(`^([0-9]+):([^ \t\r]+)$`)
	number = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
)

// twin reads plain files by other means: one map for each row. It reports false where a text is
// none of its grammar, which is within the package's.
func twin(text string) (f *data.Frame, ok bool) {
	var label, query []float64
	var rows []map[string]float64
	names := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\r"), "#")
		words := strings.FieldsFunc(line,
			func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' })
		if len(words) == 0 {
			continue
		}
		// A label of more digits may be an integer beyond 2^53, which is a class and no number.
		if !number.MatchString(words[0]) || len(words[0]) > 15 {
			return nil, false
		}
		v, _ := strconv.ParseFloat(words[0], 64)
		label = append(label, v)
		words = words[1:]
		if len(words) > 0 && strings.HasPrefix(words[0], "qid:") {
			q, err := strconv.ParseInt(words[0][len("qid:"):], 10, 64)
			if err != nil || q > 1<<50 || q < -1<<50 {
				return nil, false
			}
			query, words = append(query, float64(q)), words[1:]
		}
		row := map[string]float64{}
		for _, word := range words {
			m := pairs.FindStringSubmatch(word)
			if m == nil || len(m[1]) > 15 || !number.MatchString(m[2]) {
				return nil, false
			}
			index, _ := strconv.Atoi(m[1])
			name := "f" + strconv.Itoa(index)
			if _, twice := row[name]; twice {
				return nil, false
			}
			row[name], _ = strconv.ParseFloat(m[2], 64)
			names[name] = true
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 || len(query) > 0 && len(query) < len(rows) ||
		len(rows)*(len(names)+2) > 1<<16 {
		return nil, false
	}
	columns := []data.NamedColumn{{Name: "label", Values: label}}
	if len(query) > 0 {
		columns = append(columns, data.NamedColumn{Name: "query", Values: query})
	}
	for index := range 1 << 20 {
		if len(names) == 0 {
			break
		}
		name := "f" + strconv.Itoa(index)
		if !names[name] {
			continue
		}
		delete(names, name)
		values := make([]float64, len(rows))
		for i, row := range rows {
			values[i] = row[name]
		}
		columns = append(columns, data.NamedColumn{Name: name, Values: values})
	}
	if len(names) > 0 {
		return nil, false
	}
	f, err := data.FromColumns(columns...)
	return f, err == nil
}

func checkAgainstTwin(t *testing.T, b []byte) {
	err := reader.Damaged(t, b)
	want, ok := twin(strings.TrimPrefix(string(b), "\ufeff"))
	if !ok || !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
		return
	}
	if err != nil {
		t.Fatalf("the twin reads what the reader refuses: %v", err)
	}
	got, err := readBytes(t.Context(), data.ReadOptions{}, "t", b)
	if err != nil {
		t.Fatal(err)
	}
	tabletest.Same(t, got, want, 0)
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{string(reader.File), "1 qid:7 1:1\n0 qid:8 0:2.5e3 # c\n",
		"1\r\n-1 3:+.5\r\n", "\ufeff1 1:1", "1 1:12345678901234567890 2:0.1",
		"1 1:1 1:1", "x 1:1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		checkAgainstTwin(t, b)
		reader.Fuzzed(t, b)
	})
}

// unpacked returns the text of a file of the shared data.
func unpacked(t *testing.T, path string) string {
	t.Helper()
	b, err := io.ReadAll(reference.Open(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Rows and features were counted with awk; the sums are taken over the words of the files, whatever
// columns they belong to.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		name           string
		rows, features int
	}{
		{"mushroom/libsvm/agaricus.txt.train", 6513, 117},
		{"mushroom/libsvm/agaricus.txt.test", 1611, 116},
		{"formats/lightgbm/categorical.data.gz", 7000, 8},
		{"lambdarank/rank.train.gz", 3005, 218},
		{"lambdarank/rank.test.gz", 768, 217},
		{"reuters-sparse/reuters.tst.libsvm.gz", 3299, 6955},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := tabletest.Shared(t, c.name)
			f, err := Open(data.ReadOptions{}, path).Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var labels, sum float64
			for line := range strings.Lines(unpacked(t, path)) {
				for i, word := range strings.Fields(line) {
					v, _ := strconv.ParseFloat(word[strings.IndexByte(word, ':')+1:], 64)
					if i == 0 {
						labels += v
					} else {
						sum += v
					}
				}
			}
			features := 0
			for j, field := range f.Schema.Fields {
				for _, v := range f.Columns[j].Numbers() {
					if field.Name == Label {
						labels -= v
					} else if field.Name != Query {
						sum -= v
					}
				}
				if field.Name[0] == 'f' {
					features++
				}
			}
			if f.Rows() != c.rows || features != c.features || labels != 0 || math.Abs(sum) > 1e-7 {
				t.Errorf("%d rows, %d features, the sums differ by %v and %v", f.Rows(), features,
					labels, sum)
			}
		})
	}
}

// In the query file of the ranking set 50 queries have 768 rows.
func TestQueries(t *testing.T) {
	f, err := Open(data.ReadOptions{}, tabletest.Shared(t, "lambdarank/rank.test.gz")).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: Label, Group: Query, Task: data.Ranking}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	if g := ds.Target.Group; len(g) != 768 || g[0] != 0 || g[11] != 0 || g[12] != 1 ||
		g[767] != 49 {
		t.Errorf("groups %v", g)
	}
}
