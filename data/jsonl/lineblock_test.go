package jsonl_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/jsonl"
	"github.com/coppice-ml/coppice/data/tabletest"
	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
)

// object returns an object of a row, with keys that may be absent, in another order, or new.
func object(r *rand.Rand, row int) string {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	pairs := []string{
		fmt.Sprintf(`"x":%v`, r.Float64()), fmt.Sprintf(`"y": %g`, r.NormFloat64()*1e-7),
		`"i":` + pick("1", "-0", "12345678901234567", "9007199254740993", "0", "1.50", "2e3", "null"),
		fmt.Sprintf(`"late":%d`, row), `"text" :` + pick(`"a"`, `"b c"`, `"\u0061"`, `"7"`, `""`, "null"),
		`"flag":` + pick("true", "false"), `"in":` + pick(`{"a":1}`, `{"a":2.5,"b":"x"}`, "null"),
	}
	if row > 4000 && r.IntN(50) == 0 {
		pairs[3] = `"late":"word"`
	}
	var own []string
	for _, p := range pairs {
		if r.IntN(8) > 0 {
			own = append(own, p)
		}
	}
	if r.IntN(20) == 0 {
		r.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
	}
	if r.IntN(500) == 0 {
		own = append(own, fmt.Sprintf(`"new%d":1`, row))
	}
	return pick("{", " { ") + strings.Join(own, pick(",", ", ", " ,")) + pick("}", " } ")
}

// Lines that several goroutines read ahead make the table, the notes and the error of an array of
// the same objects, which is read one by one.
func TestBlocksOfLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	objects := make([]string, 6000)
	for row := range objects {
		objects[row] = object(r, row)
	}
	duplicate := append([]string{}, objects...)
	duplicate[5000] = `{"x":1,"y":2,"x":3}`
	for name, c := range map[string]struct {
		objects []string
		o       data.ReadOptions
	}{
		"all":       {objects, data.ReadOptions{}},
		"forced":    {objects, data.ReadOptions{Numeric: []string{"late"}}},
		"texts":     {objects, data.ReadOptions{Categorical: []string{"x", "i"}, Verbatim: []string{"y"}}},
		"ignored":   {objects, data.ReadOptions{Ignore: []string{"x", "in"}, Missing: []string{"2000", "0"}}},
		"duplicate": {duplicate, data.ReadOptions{}},
	} {
		read := func(text string, threads int) string {
			o, notes := c.o, ""
			o.Threads, o.Bytes = threads, map[string][]byte{"t": []byte(text)}
			o.Log = func(format string, args ...any) { notes += fmt.Sprintf(format+"\n", args...) }
			f, err := jsonl.Open(o, "t").Frame(t.Context())
			if err != nil {
				return err.Error()
			}
			return notes + tabletest.Render(f)
		}
		want := read("["+strings.Join(c.objects, ",\n")+"]", 1)
		for _, threads := range []int{1, 2, 5} {
			for _, end := range []string{"\n", "\r\n"} {
				if got := read(strings.Join(c.objects, end), threads); got != want {
					at := 0
					for at < min(len(got), len(want)) && got[at] == want[at] {
						at++
					}
					t.Errorf("%s, %d threads: at %d\n%.300s\nwant\n%.300s", name, threads, at, got[at:], want[at:])
				}
			}
		}
	}
}
