package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/native"
)

// Every format of show names the derived columns of a model. The model predicts from a table
// without them.
func TestDerivedColumns(t *testing.T) {
	dir := t.TempDir()
	path, table := filepath.Join(dir, "m.coppice"), filepath.Join(dir, "t.csv")
	var b bytes.Buffer
	if err := native.Encode(&b, codectest.Derived()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(table, []byte("b,x,a\nr,0,p\nr,0,\nr,1,q\ns,2,q\n,3,other\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"show", path, "-v"}, "derived   ts(a+b), ts(b = 1), count(a+b); importances list " +
			"those of several columns as a"},
		{[]string{"show", path}, "ts(a+b) <= 0.5"},
		{[]string{"show", path, "--json"}, `"derived": [`},
		{[]string{"show", path, "--format", "json"}, `"ts(a+b)"`},
		{[]string{"show", path, "--format", "dot"}, "ts(a+b)"},
		{[]string{"show", path, "--format", "svg"}, "count(a+b)"},
		{[]string{"show", path, table, "--label", "x", "--row", "1", "--format", "svg"},
			"the path of row 1."},
		{[]string{"show", path, "--format", "rules"}, "count(a+b) > 1"},
		// p r: 2.25 / 3 of 2 rows; - r: 1.25 / 2 of 1; the rest is unknown or low
		{[]string{"predict", path, table}, "prediction\n3\n2\n-1\n-1\n-1\n"},
	} {
		var out, errs bytes.Buffer
		err := cli.Run(context.Background(), &cli.Console{Out: &out, Err: &errs,
			Progress: &cli.Progress{}}, commands(), c.args)
		if err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%v: %v, %s%s, want %q", c.args, err, errs.String(), out.String(), c.want)
		}
	}
}
