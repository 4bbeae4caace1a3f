package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/coppice-ml/coppice/cmd/coppice/command"
)

// TestWrite finds a manual page for each command, with its flags, and the completions of all
// shells.
func TestWrite(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1767225600") // the first day of 2026
	folder := t.TempDir()
	if err := write(folder); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	for _, c := range command.Root().Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		page := read("man/coppice-" + c.Name() + ".1")
		for _, part := range []string{`"Jan 2026"`, ".SH EXAMPLE", strings.Fields(c.Short)[0]} {
			if !strings.Contains(page, part) {
				t.Errorf("the page of %s lacks %q", c.Name(), part)
			}
		}
	}
	if page := read("man/coppice-train.1"); !strings.Contains(page, `\fB--label\fP`) {
		t.Error("the page of train lacks the flag --label")
	}
	for shell, part := range map[string]string{"bash": "__start_coppice", "zsh": "#compdef coppice",
		"fish": "complete -c coppice", "powershell": "Register-ArgumentCompleter"} {
		if !strings.Contains(read("completions/coppice."+shell), part) {
			t.Errorf("the completions of %s lack %q", shell, part)
		}
	}
}

// TestPlan reads the plan of a release: the command for six platforms, without C, with the
// playground that this program makes, and files that there are.
func TestPlan(t *testing.T) {
	root := "../.."
	b, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var plan struct {
		Before struct{ Hooks []struct{ Cmd string } }
		Builds []struct {
			Main                      string
			Env, Flags, Tags, Ldflags []string
			Goos, Goarch              []string
		}
		Archives []struct{ Files []struct{ Src string } }
	}
	if err := yaml.Unmarshal(b, &plan); err != nil {
		t.Fatal(err)
	}
	if len(plan.Before.Hooks) != 1 || len(plan.Builds) != 1 || len(plan.Archives) != 1 {
		t.Fatalf("%d hooks, %d builds, %d archives, want one of each", len(plan.Before.Hooks),
			len(plan.Builds), len(plan.Archives))
	}
	folder, made := strings.CutPrefix(plan.Before.Hooks[0].Cmd, "go run -C tools ./release ../")
	own := &plan.Builds[0]
	if !made || len(own.Goos)*len(own.Goarch) != 6 || !slices.Equal(own.Env, []string{"CGO_ENABLED=0"}) ||
		!slices.Equal(own.Tags, []string{"playground", "arrow_json_stdlib"}) {
		t.Errorf("hook %q, build %+v", plan.Before.Hooks[0].Cmd, *own)
	}
	for _, f := range append(plan.Archives[0].Files, struct{ Src string }{own.Main}) {
		if strings.HasPrefix(f.Src, folder+"/") {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, f.Src)); err != nil {
			t.Error(err)
		}
	}
}
