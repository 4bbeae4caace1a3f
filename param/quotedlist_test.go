package param

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestListNames(t *testing.T) {
	for list, want := range map[string][]string{
		"":               {""},
		"a,b":            {"a", "b"},
		`"a,b",c`:        {"a,b", "c"},
		` "a ""b""" , c`: {`a "b"`, "c"},
		`5" pipe,3'`:     {`5" pipe`, "3'"},
		`"a"b,c`:         {`"a"b`, "c"},
	} {
		got, err := ListNames(list)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", list, got, err, want)
		}
	}
	for _, list := range []string{`"a`, `a,"b`, `a="b,c`, `"a""`} {
		if got, err := ListNames(list); err != ErrOpenQuote {
			t.Errorf("%s: %q, %v", list, got, err)
		}
	}
}

func TestCutSigns(t *testing.T) {
	for _, c := range []struct{ entry, first, last string }{
		{`a=1`, "a|1", "a|1"}, {`a=b=1`, "a|b=1", "a=b|1"}, {`"a=b"=1`, `"a=b"|1`, `"a=b"|1`},
		{`"a=b"`, `"a=b"|none`, `"a=b"|none`}, {`=1`, "|1", "|1"},
	} {
		for want, cut := range map[string]func(string, byte) (string, string, bool){c.first: CutSign, c.last: CutLastSign} {
			before, after, found := cut(c.entry, '=')
			if !found {
				after = "none"
			}
			if got := before + "|" + after; got != c.first && got != c.last || got != want {
				t.Errorf("%s: %s, want %s", c.entry, got, want)
			}
		}
	}
}

// Any names survive being written to a list and read from it.
func TestWrittenLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune(`ab ",=+:'é`))), 1, 5).Draw(t, "names")
		list := ""
		for i, name := range names {
			if i > 0 {
				list += ","
			}
			list += WriteName(name) + "=" + WriteName(name) + "+" + WriteName(name)
		}
		entries, err := SplitList(list, ',')
		if err != nil || len(entries) != len(names) {
			t.Fatalf("%q: %q, %v", list, entries, err)
		}
		for i, entry := range entries {
			before, after, _ := CutLastSign(entry, '=')
			parts, err := SplitList(after, '+')
			if err != nil || EntryName(before) != names[i] || len(parts) != 2 || EntryName(parts[1]) != names[i] {
				t.Fatalf("%q: %q of %q", names[i], entry, list)
			}
		}
	})
}

// Numbers and groups by name come back from their texts, whatever signs the names have, and values
// that Go code sets pass the checks of texts.
func TestListsComeBack(t *testing.T) {
	numbers := []Named{{Name: `a,"b"`, Value: 0.5}, {Name: "c=d+e", Value: 1e-7}}
	groups := [][]string{{"a+b", "c"}, {" d", `e"`}}
	read := func(text string) ([]Named, error) { return ParseNamed(text, "weight", "class", nil) }
	var n []Named
	var g [][]string
	set := Set{Parsed(&n, "n", "NAME=WEIGHT", read, WriteNamed, ""),
		Parsed(&g, "g", "NAME+NAME", ParseGroups, WriteGroups, "")}
	if err := set.Set([]string{"n=" + WriteNamed(numbers), "g=" + WriteGroups(groups)}); err != nil ||
		!reflect.DeepEqual(n, numbers) || !reflect.DeepEqual(g, groups) {
		t.Errorf("%v and %v, %v", n, g, err)
	}
	if b, err := json.Marshal(set); err != nil || string(b) != `{"n":"\"a,\"\"b\"\"\"=0.5,\"c=d+e\"=1e-07","g":"\"a+b\"+c,\" d\"+\"e\"\"\""}` {
		t.Errorf("%s, %v", b, err)
	}
	n[0].Value = -1
	if err := set.Validate(); err == nil || !strings.Contains(err.Error(), "is not a positive number; want NAME=WEIGHT") {
		t.Errorf("error %v", err)
	}
	if set.Reset(); n != nil || g != nil || set.Validate() != nil {
		t.Errorf("reset to %v and %v", n, g)
	}
}
