package paramfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestWrittenFilesReadBack writes flags and settings of any texts in each form, and reads them.
func TestWrittenFilesReadBack(t *testing.T) {
	for _, form := range syntaxes() {
		if form.write == nil {
			continue
		}
		t.Run(form.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { readBack(t, form, drawEntries(t)) })
			for _, text := range []string{"\t\n", "\n\t", " \n", "\r", "\u0085", "\t"} {
				readBack(t, form, []entry{{"a", node{text: text}}})
			}
		})
	}
}

func readBack(t rapid.TB, form syntax, want []entry) {
	text, err := form.write(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := form.parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	withoutLines(got)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(entry{}, node{})); diff != "" {
		t.Fatalf("%s\n%s", diff, text)
	}
}

// drawEntries draws what Save writes: texts, lists of texts, and a table of settings at the end.
func drawEntries(t *rapid.T) []entry {
	value := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "1", "007", "1.50", "1e5",
		"-0", "-0.5", "0.05", "true", "True", "null", "~", "no", "2024-01-01", "1_000", "0x1f", ".inf",
		"123456789012345678", "a: b", "# no comment", "[x]", " blanks ", "'", "a\nb", "=", "😀"}))
	key := rapid.StringMatching(`[a-z][a-z-]{0,8}`)
	var all []entry
	for _, k := range rapid.SliceOfNDistinct(key, 1, 6, rapid.ID).Draw(t, "keys") {
		n := node{text: value.Draw(t, "text")}
		if rapid.Bool().Draw(t, "is a list") {
			n = listOf(rapid.SliceOfN(value, 0, 3).Draw(t, "list"))
		}
		all = append(all, entry{k, n})
	}
	n := node{kind: table}
	for _, k := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9]{1,4}(\.[a-z_]{1,4})?`), 1,
		4, rapid.ID).Draw(t, "parameters") {
		n.table = append(n.table, entry{k, node{text: value.Draw(t, "value")}})
	}
	return append(all, entry{"SET", n})
}

func withoutLines(all []entry) {
	for i := range all {
		all[i].line = 0
		withoutLines(all[i].table)
		for j := range all[i].items {
			all[i].items[j].line = 0
		}
	}
}

// TestLines compares the line of each key, as faults name it.
func TestLines(t *testing.T) {
	for suffix, text := range map[string]string{
		".toml": "# about\nlabel = 'y'\n\n[set]\ntrees = 3\nloss.delta = 2\n[set.boosting]\ndrop=0.5\n",
		".yaml": "# about\nlabel: y\n\nset:\n  trees: 3\n  loss.delta: 2\n  boosting:\n    drop: 0.5\n",
		".json": "{\n\"label\":\n\"y\",\"set\": {\n\n\"trees\": 3,\n\"boosting\": {\"drop\": 0.5}}}\n",
		".conf": "# about\nlabel = y # why\n\ntrees=3\n",
	} {
		all, err := syntaxOf("x" + suffix).parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", suffix, err)
		}
		got := map[string]int{}
		collectLines(got, "", all)
		want := map[string]map[string]int{
			".toml": {"label": 2, "set": 4, "set.trees": 5, "set.loss": 6, "set.loss.delta": 6,
				"set.boosting": 7, "set.boosting.drop": 8},
			".yaml": {"label": 2, "set": 4, "set.trees": 5, "set.loss.delta": 6, "set.boosting": 7,
				"set.boosting.drop": 8},
			".json": {"label": 2, "set": 3, "set.trees": 5, "set.boosting": 6, "set.boosting.drop": 6},
			".conf": {"label": 2, "trees": 4},
		}[suffix]
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", suffix, diff)
		}
	}
}

func collectLines(lines map[string]int, above string, all []entry) {
	for _, e := range all {
		lines[above+e.key] = e.line
		collectLines(lines, above+e.key+".", e.table)
	}
}

// TestFaultsOfSyntax compares what is wrong with texts of each form, and the line.
func TestFaultsOfSyntax(t *testing.T) {
	deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
	for _, c := range []struct {
		suffix, text string
		line         int
		want         string
	}{
		{".toml", "a = 1\nb = \n", 2, "it is no TOML"},
		{".toml", "a = 1\na = 2\n", 2, "it is no TOML"},
		{".toml", "a = " + deep, 1, "nested too deep"},
		{".yaml", "a: 1\nb: [\n", 2, "it is no YAML"},
		{".yaml", "a: 1\na: 2\n", 2, `"a" stands in line 1 already`},
		{".yaml", "a: &x 1\nb: *x\n", 2, "aliases such as"},
		{".yaml", "a: 1\n---\nb: 2\n", 0, "want one document"},
		{".yaml", "just words\n", 1, "want lines of KEY: VALUE"},
		{".yaml", "? [a]\n: 1\n", 1, "a key must be a name"},
		{".yaml", "a: " + deep, 1, "nested too deep"},
		{".json", "{\n\"a\": 1,\n}", 3, "it is no JSON"},
		{".json", "{\"a\": 1,\n\"a\": 2}", 2, `"a" stands in line 1 already`},
		{".json", "[1]", 1, "want an object"},
		{".json", "{\"a\": " + deep + "}", 1, "nested too deep"},
		{".conf", "a = 1\nb\n", 2, "want NAME = VALUE"},
		{".conf", "a = 1\n\na=2\n", 3, `"a" stands in line 1 already`},
		{".conf", "a = \x00", 0, "no text"},
	} {
		_, err := syntaxOf("x" + c.suffix).parse([]byte(c.text))
		wrong, ok := err.(*lineError)
		if !ok || wrong.line != c.line || !strings.Contains(wrong.what, c.want) {
			t.Errorf("%s %q: got %#v, want line %d and %q", c.suffix, c.text, err, c.line, c.want)
		}
	}
}
