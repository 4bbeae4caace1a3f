// Package stores tests the command with a server of S3 in this process. It is in the module of the
// tools, so that the server's dependencies are no one else's.
package stores

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// command builds the command and returns a function that runs it in a new folder.
func command(t *testing.T) func(args ...string) (stdout, stderr string, status int) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "coppice.exe")
	build := exec.Command("go", "build", "-o", program, "./cmd/coppice")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return func(args ...string) (string, string, int) {
		cmd := exec.CommandContext(t.Context(), program, args...)
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
}

// table returns rows of a table as CSV.
func table(from, to int) string {
	var b strings.Builder
	b.WriteString("x,y,label\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "%d,%d,%s\n", i%17, i%5, []string{"no", "yes"}[i%17/9])
	}
	return b.String()
}

func TestTrainFromS3(t *testing.T) {
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	defer server.Close()
	put := func(path, content string) {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.URL+path, strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.DefaultClient.Do(q)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v %v", path, err, r)
		}
		r.Body.Close()
	}
	put("/bucket", "")
	put("/bucket/sales/day=1/a.csv", table(0, 500))
	put("/bucket/sales/day=2/a.csv", table(500, 1000))
	put("/bucket/sales/day=2/_SUCCESS", "")
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret-word",
		"AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	coppice := command(t)
	one := filepath.Join(t.TempDir(), "one.csv")
	both := strings.ReplaceAll(table(0, 500), "\n", ",1\n") +
		strings.ReplaceAll(strings.TrimPrefix(table(500, 1000), "x,y,label\n"), "\n", ",2\n")
	both = strings.Replace(both, "label,1", "label,day", 1)
	if err := os.WriteFile(one, []byte(both), 0o600); err != nil {
		t.Fatal(err)
	}
	good := func(args ...string) string {
		t.Helper()
		out, errs, status := coppice(args...)
		if status != 0 {
			t.Fatalf("%v: status %d: %s", args, status, errs)
		}
		return out
	}
	for model, data := range map[string]string{"a": "s3://bucket/sales", "b": "s3://bucket/sales/**/*.csv", "c": one} {
		good("train", data, "--label", "label", "--set", "trees=5", "-o", model)
	}
	if a, b := good("show", "a", "--json"), good("show", "c", "--json"); a != b {
		t.Errorf("the models of the bucket and of one file differ:\n%s\n%s", a, b)
	}
	if out := good("predict", "b", "s3://bucket/sales/day=2/a.csv"); strings.Count(out, "\n") != 501 {
		t.Errorf("predictions: %.200s", out)
	}
	for args, want := range map[string]string{
		"data s3://bucket/none.csv": "coppice: s3://bucket/none.csv: there is no such file, nor a folder with tables\n",
		"data s3://other/a.csv":     "coppice: s3://other/a.csv: there is no bucket \"other\"\n",
		"data s3://bucket/sales s3://bucket/sales/day=1/a.csv": "coppice: s3://bucket/sales/day=1/a.csv is named twice: " +
			"its rows would count twice (--allow-repeated reads it again)\n",
	} {
		out, errs, status := coppice(strings.Fields(args)...)
		if status == 0 || errs != want || out != "" {
			t.Errorf("%s: status %d: %q", args, status, errs)
		}
	}
}
