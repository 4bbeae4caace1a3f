package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// trial is what the mutants of a package are tried with.
type trial struct {
	*options
	folder  string // of the package
	name    string // of the package, and the path that it is imported by
	path    string
	sites   []site
	scratch string
	tests   []binary
}

// binary is the compiled tests of a package.
type binary struct {
	path, folder string
	reach        map[int][]string // by mutant: the tests that reach it
	took         map[string]time.Duration
}

// try tests so many mutants of a package that compile. report is called with each.
func (o *options) try(ctx context.Context, folder string, report func(*result)) ([]result, error) {
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	t := &trial{options: o, scratch: scratch}
	if err := t.list(ctx, folder); err != nil {
		return nil, err
	}
	chosen, err := t.build(ctx, folder)
	if err != nil {
		return nil, err
	}
	if err := t.findReach(ctx); err != nil {
		return nil, err
	}
	results := []result{}
	for _, number := range chosen {
		passed, err := t.run(ctx, number)
		if err != nil {
			return nil, err
		}
		found := t.sites[number].result(o.root, !passed)
		report(&found)
		results = append(results, found)
	}
	return results, nil
}

// list finds the package and its sites, in the order in which they are tried.
func (t *trial) list(ctx context.Context, folder string) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=Dir,Name,ImportPath,GoFiles", folder)
	cmd.Dir = t.root
	text, err := cmd.Output()
	if err != nil {
		return err
	}
	var listed struct {
		Dir, Name, ImportPath string
		GoFiles               []string
	}
	if err := json.Unmarshal(text, &listed); err != nil {
		return err
	}
	t.folder, t.name, t.path = listed.Dir, listed.Name, listed.ImportPath
	for _, name := range listed.GoFiles {
		found, err := sitesOf(filepath.Join(listed.Dir, name))
		if err != nil {
			return err
		}
		t.sites = append(t.sites, found...)
	}
	r := rand.New(rand.NewPCG(t.seed, 0))
	r.Shuffle(len(t.sites), func(i, k int) { t.sites[i], t.sites[k] = t.sites[k], t.sites[i] })
	if t.at == nil {
		return nil
	}
	t.sites = slices.DeleteFunc(t.sites, func(s site) bool {
		r := s.result(t.root, false)
		return !slices.Contains(t.at, fmt.Sprintf("%s:%d", r.File, r.Line))
	})
	return nil
}

// build compiles the tests with mutants, and returns these. Those that do not compile are left out,
// and others take their place.
func (t *trial) build(ctx context.Context, folder string) (chosen []int, err error) {
	next := 0
	for {
		for ; len(chosen) < t.n && next < len(t.sites); next++ {
			chosen = append(chosen, next)
		}
		if len(chosen) == 0 {
			return nil, nil
		}
		c, err := copyMutants(t.scratch, t.folder, t.name, t.sites, chosen)
		if err != nil {
			return nil, err
		}
		text, err := t.compile(ctx, c, append([]string{folder}, t.with...))
		if err == nil {
			return chosen, nil
		}
		left := slices.DeleteFunc(slices.Clone(chosen), func(n int) bool { return c.faulty(n, text) })
		if len(left) == len(chosen) {
			return nil, fmt.Errorf("%w\n%s", err, text)
		}
		chosen = left
	}
}

// compile makes the tests of packages, and returns what the compiler writes of an error.
func (t *trial) compile(ctx context.Context, c *copied, packages []string) (string, error) {
	t.tests = nil
	for i, p := range packages {
		path := filepath.Join(t.scratch, fmt.Sprintf("%d.test", i))
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-gcflags="+t.path+"=-e",
			"-overlay", c.overlay, "-o", path, p)
		cmd.Dir = t.root
		if text, err := cmd.CombinedOutput(); err != nil {
			return string(text), errors.Join(ctx.Err(), err)
		}
		where := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", p)
		where.Dir = t.root
		text, err := where.Output()
		if err != nil {
			return "", err
		}
		if _, err := os.Stat(path); err == nil { // there is none where a package has no tests
			t.tests = append(t.tests, binary{path, strings.TrimSpace(string(text)), map[int][]string{},
				map[string]time.Duration{}})
		}
	}
	return "", nil
}

var errorPlace = regexp.MustCompile(`(?m)^([^\s:]+\.go):(\d+):`)

// faulty reports whether one of the errors of a compiler is in the lines of a mutant.
func (c *copied) faulty(number int, text string) bool {
	for _, match := range errorPlace.FindAllStringSubmatch(text, -1) {
		line, _ := strconv.Atoi(match[2])
		for _, l := range c.places[number] {
			if l.file == filepath.Base(match[1]) && l.from <= line && line <= l.to {
				return true
			}
		}
	}
	return false
}

// findReach runs each test alone, and notes which mutants it reaches. Tests that fail before
// anything is changed show nothing, and are an error.
func (t *trial) findReach(ctx context.Context) error {
	list := filepath.Join(t.scratch, "reached")
	for _, b := range t.tests {
		names, _, err := t.start(ctx, &b, t.limit, nil, "-test.list", ".")
		if err != nil {
			return err
		}
		for name := range strings.Lines(names) {
			name = strings.TrimSpace(name)
			if strings.HasPrefix(name, "Benchmark") {
				continue
			}
			start := time.Now()
			text, passed, err := t.start(ctx, &b, t.limit, []string{reached + "=" + list},
				"-test.run", "^"+name+"$")
			b.took[name] = time.Since(start)
			if err != nil {
				return err
			}
			if !passed {
				return fmt.Errorf("the tests must pass before anything is changed:\n%s", text)
			}
			numbers, err := os.ReadFile(list)
			if errors.Is(err, os.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			if err := os.Remove(list); err != nil {
				return err
			}
			for line := range strings.Lines(string(numbers)) {
				n, _ := strconv.Atoi(strings.TrimSpace(line))
				if !slices.Contains(b.reach[n], name) { // which several processes of it may reach
					b.reach[n] = append(b.reach[n], name)
				}
			}
		}
	}
	return nil
}

// run runs the tests that reach a mutant with it: quick ones first, which kill most mutants. Tests
// that take far longer than without it do not pass.
func (t *trial) run(ctx context.Context, number int) (passed bool, err error) {
	for _, b := range t.tests {
		for _, names := range b.inTurns(number) {
			limit := 10 * time.Second
			for _, name := range names {
				limit += 10 * b.took[name]
			}
			_, passed, err := t.start(ctx, &b, min(limit, t.limit), []string{fmt.Sprintf("%s=%d", selected, number)},
				"-test.run", "^("+strings.Join(names, "|")+")$")
			if err != nil || !passed {
				return false, err
			}
		}
	}
	return true, nil
}

// inTurns returns the tests that reach a mutant in lists, each of which takes several times as long
// as the one before.
func (b *binary) inTurns(number int) (turns [][]string) {
	names := slices.Clone(b.reach[number])
	slices.SortStableFunc(names, func(x, y string) int { return cmp.Compare(b.took[x], b.took[y]) })
	most, sum := time.Second/4, time.Duration(0)
	for _, name := range names {
		if sum += b.took[name]; len(turns) == 0 || sum > most && len(turns) < 4 {
			turns, most = append(turns, nil), max(4*most, 2*sum)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], name)
	}
	return turns
}

// start runs compiled tests, with more variables of the environment.
func (t *trial) start(
	ctx context.Context, b *binary, limit time.Duration, env []string, args ...string,
) (text string, passed bool, err error) {
	// for what ignores the limit of the test
	limited, stop := context.WithTimeout(ctx, limit+10*time.Second)
	defer stop()
	args = append(args, "-test.failfast", fmt.Sprintf("-test.short=%v", t.short), "-test.timeout",
		limit.String())
	cmd := exec.CommandContext(limited, b.path, args...)
	cmd.Dir, cmd.WaitDelay = b.folder, 5*time.Second
	// random tests look for no smaller case, which takes long, and leave no file behind
	cmd.Env = slices.Concat(os.Environ(), env, []string{"RAPID_SHRINKTIME=0s", "RAPID_NOFAILFILE=true",
		fmt.Sprintf("RAPID_SEED=%d", t.seed)})
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case err == nil:
		return out.String(), true, nil
	case errors.As(err, &exit) || limited.Err() != nil:
		return out.String(), false, nil
	}
	return out.String(), false, err
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
