package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// result is what became of a mutant.
type result struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	What   string `json:"what"`
	Before string `json:"before"`
	After  string `json:"after"`
	Killed bool   `json:"killed"`
}

var errNotBuilt = errors.New("does not compile")

// try tests so many mutants of a package that compile. report is called with each.
func (o *options) try(ctx context.Context, folder string, report func(*result)) ([]result, error) {
	sites, err := o.sites(ctx, folder)
	if err != nil {
		return nil, err
	}
	tests := append([]string{folder}, o.with...)
	if passed, text, err := o.test(ctx, "", tests); err != nil && !errors.Is(err, errNotBuilt) {
		return nil, err
	} else if !passed {
		return nil, fmt.Errorf("the tests must pass before anything is changed:\n%s", text)
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	r := rand.New(rand.NewPCG(o.seed, 0))
	r.Shuffle(len(sites), func(i, k int) { sites[i], sites[k] = sites[k], sites[i] })
	results := []result{}
	for i := range sites {
		if len(results) == o.n {
			break
		}
		overlay, err := sites[i].overlay(scratch)
		if err != nil {
			return nil, err
		}
		passed, _, err := o.test(ctx, overlay, tests)
		if errors.Is(err, errNotBuilt) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found := sites[i].result(o.root, !passed)
		report(&found)
		results = append(results, found)
	}
	return results, nil
}

// sites returns the changes of all files of a package that are built here.
func (o *options) sites(ctx context.Context, folder string) ([]site, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=Dir,GoFiles", folder)
	cmd.Dir = o.root
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var listed struct {
		Dir     string
		GoFiles []string
	}
	if err := json.Unmarshal(text, &listed); err != nil {
		return nil, err
	}
	var all []site
	for _, name := range listed.GoFiles {
		found, err := sitesOf(filepath.Join(listed.Dir, name))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// overlay writes the changed file, and the file that makes the compiler read it.
func (s *site) overlay(scratch string) (string, error) {
	mutant := filepath.Join(scratch, "mutant.go")
	if err := os.WriteFile(mutant, s.changed(), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {s.file: mutant}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(scratch, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}

func (s *site) result(root string, killed bool) result {
	name, err := filepath.Rel(root, s.file)
	if err != nil {
		name = s.file
	}
	r := result{File: filepath.ToSlash(name), Line: s.line, What: s.what, Killed: killed}
	r.Before, r.After = s.lines()
	return r
}

// test runs tests with an overlay, "" = none. Tests that take longer than the limit do not pass.
// The error is errNotBuilt if what they test does not compile.
func (o *options) test(
	ctx context.Context, overlay string, packages []string,
) (passed bool, text string, err error) {
	// for what ignores the limit of go test
	limited, stop := context.WithTimeout(ctx, o.limit+time.Minute)
	defer stop()
	args := []string{"test", "-count=1", "-vet=off", "-failfast", "-timeout", o.limit.String()}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(limited, "go", append(args, packages...)...)
	cmd.Dir, cmd.WaitDelay = o.root, 5*time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		return false, "", ctx.Err()
	case err == nil:
		return true, out.String(), nil
	case strings.Contains(out.String(), "[build failed]") ||
		strings.Contains(out.String(), "[setup failed]"):
		return false, out.String(), errNotBuilt
	case errors.As(err, &exit) || limited.Err() != nil:
		return false, out.String(), nil
	}
	return false, out.String(), err
}
