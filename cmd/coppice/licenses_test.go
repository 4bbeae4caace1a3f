package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// licensed is what a release contains beside the project's own code.
type licensed struct{ name, folder string }

// released are the platforms of the releases, as far as they need other modules.
var released = []string{"linux", "darwin", "windows"}

// TestLicenses compares licenses.txt with the modules that the command is made of. With
// COPPICE_UPDATE it writes the file again.
func TestLicenses(t *testing.T) {
	tier.NotShort(t, "lists the modules for three systems")
	const file = "command/licenses.txt"
	text := licensesOf(t, partsOf(t))
	if os.Getenv("COPPICE_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if of, err := os.ReadFile(file); string(of) != text || err != nil {
		t.Errorf("%s is not what the modules say, error %v: "+
			"run COPPICE_UPDATE=1 go test ./cmd/coppice -run TestLicenses", file, err)
	}
}

// partsOf lists the project, Go, and the modules of the command on all platforms.
func partsOf(t *testing.T) []licensed {
	t.Helper()
	root := strings.TrimSpace(printed(t, "", "env", "GOROOT"))
	var all []licensed
	for _, system := range released {
		listed := printed(t, system, "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
		for line := range strings.Lines(listed) {
			if name, folder, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				all = append(all, licensed{name, folder})
			}
		}
	}
	slices.SortFunc(all, func(a, b licensed) int { return strings.Compare(a.name, b.name) })
	own := []licensed{{"Coppice", "../.."}, {"the libraries of Go", root}}
	return append(own, slices.Compact(all)...)
}

// printed returns what the command go prints for a system, "" = this one.
func printed(t *testing.T, system string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", args...)
	if c.Env = os.Environ(); system != "" {
		c.Env = append(c.Env, "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
	}
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// licenseFile matches the names of files that a copy of a module has to hold.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|authors)(\W.*)?$`)

// licensesOf writes each text once, below the names of the parts that it is of. A part without a
// licence is a failure.
func licensesOf(t *testing.T, parts []licensed) string {
	t.Helper()
	var texts []string
	owners := map[string][]string{}
	for _, part := range parts {
		files, err := os.ReadDir(part.folder)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range files {
			if f.IsDir() || !licenseFile.MatchString(f.Name()) {
				continue
			}
			b, err := os.ReadFile(filepath.Join(part.folder, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n"))
			if _, known := owners[text]; !known {
				texts = append(texts, text)
			}
			owners[text] = append(owners[text], part.name)
			found = found || !strings.HasPrefix(strings.ToLower(f.Name()), "authors")
		}
		if !found {
			t.Errorf("%s has no licence in %s", part.name, part.folder)
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "Licences of the program coppice and of the %d parts that it is compiled from.\n", len(parts)-1)
	for _, text := range texts {
		fmt.Fprintf(&s, "\n%s\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(owners[text], "\n"),
			strings.Repeat("=", 80), text)
	}
	return s.String()
}
