package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// flowers writes a table whose label follows from its first column, but for some rows.
func flowers(t *testing.T, path string, columns string, wrong, shift int) {
	t.Helper()
	var b strings.Builder
	b.WriteString(columns + ",y\n")
	for i := range 120 {
		y := i*37%120 >= 60
		if wrong > 0 && i*7919%wrong == 0 {
			y = !y
		}
		fmt.Fprintf(&b, "%d,%d,%t\n", i*37%120+shift, i%7, y)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// databaseOf writes a table to the table flowers of a database.
func databaseOf(t *testing.T, table string) (path string) {
	t.Helper()
	path = table + ".db"
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	query := "create table flowers (a integer, b integer, y text)"
	for i, line := range strings.Split(strings.TrimSpace(string(read(t, table))), "\n")[1:] {
		values := strings.Split(line, ",")
		query += []string{"; insert into flowers values", ","}[min(i, 1)] +
			fmt.Sprintf(" (%s, %s, '%s')", values[0], values[1], values[2])
	}
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRetrainScript: good tables swap the model, of which the last three stay. A table that makes a
// worse model, and one without a column, leave all as it is, with status 4.
func TestRetrainScript(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the script is one of sh, which is not installed")
	}
	folder := t.TempDir()
	model, table := filepath.Join(folder, "m.coppice"), filepath.Join(folder, "t.csv")
	flowers(t, table, "a,b", 0, 0)
	works(t, "train", table, "--label", "y", "--learner", "cart", "--test", "0.3", "--quiet-checks",
		"-o", model)
	from := []string{"TABLE=" + table}
	run := func() (string, int) {
		cmd := exec.Command("sh", filepath.Join("..", "..", "deploy", "retrain.sh"))
		cmd.Env = append(append(os.Environ(), from...), "MODEL="+model, "TEST=0.3", "FAIL_IF=auc<0.75")
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && cmd.ProcessState == nil {
			t.Fatal(err, exit)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	models := [][]byte{read(t, model)} // the latest first
	for shift := range 4 {
		flowers(t, table, "a,b", 0, shift+1)
		if from = from[:1]; shift == 3 {
			from = append(from, "DB=sqlite:"+databaseOf(t, table), "SQL=select * from flowers")
		}
		if out, status := run(); status != 0 {
			t.Fatalf("status %d: %s", status, out)
		}
		models = append([][]byte{read(t, model)}, models...)
	}
	for i, want := range models[:4] {
		name := model
		if i > 0 {
			name = fmt.Sprint(model, ".", i)
		}
		if !bytes.Equal(read(t, name), want) || i > 0 && bytes.Equal(want, models[0]) {
			t.Errorf("%s is not the model of %d trainings ago", name, i)
		}
	}
	if names, _ := filepath.Glob(model + "*"); len(names) != 4 {
		t.Errorf("the files are %q, want the model and three older ones", names)
	}
	from = from[:1]
	flowers(t, table, "a,b", 2, 0)
	if out, status := run(); status != 4 || !strings.Contains(out, "m.coppice.new.rejected") {
		t.Errorf("a worse model: status %d: %s", status, out)
	}
	flowers(t, table, "x,b", 0, 0)
	if out, status := run(); status != 4 || !strings.Contains(out, "missing_columns is 1") {
		t.Errorf("a missing column: status %d: %s", status, out)
	}
	if !bytes.Equal(read(t, model), models[0]) || !bytes.Equal(read(t, model+".1"), models[1]) {
		t.Error("a table that is not fit changes the models")
	}
}

// TestRetrainManifest: the CronJob and the unit of systemd run the script with variables that it
// has, and the image holds it by the name that they call.
func TestRetrainManifest(t *testing.T) {
	jobs := manifests(t, "retrain.yaml")
	if len(jobs) != 1 || jobs[0].Kind != "CronJob" || jobs[0].Spec.ConcurrencyPolicy != "Forbid" ||
		jobs[0].Spec.Schedule == "" {
		t.Fatalf("%+v", jobs)
	}
	at := func(name string) string { return filepath.Join("..", "..", "deploy", name) }
	script := string(read(t, at("retrain.sh")))
	c := jobs[0].Spec.JobTemplate.Spec.Template.Spec.Containers[0]
	for _, e := range c.Env {
		if !regexp.MustCompile(`\$\{` + e.Name + `\b`).MatchString(script) {
			t.Errorf("the script has no variable %s", e.Name)
		}
	}
	name := c.Command[0]
	if copied := "COPY deploy/retrain.sh /bin/" + name + "\n"; !bytes.Contains(read(t, at("Dockerfile")), []byte(copied)) {
		t.Errorf("the image has no %s", name)
	}
	service, timer := string(read(t, at("coppice-retrain@.service"))), string(read(t, at("coppice-retrain@.timer")))
	if start := "ExecStart=/usr/local/bin/" + name + "\n"; !strings.Contains(service, start) ||
		!strings.Contains(timer, "deploy/retrain.sh /usr/local/bin/"+name+"\n") {
		t.Errorf("the unit does not start %s, or nothing installs it", name)
	}
	if verify, err := exec.LookPath("systemd-analyze"); err == nil {
		if out, err := exec.Command(verify, "calendar", "*-*-* 02:00:00").CombinedOutput(); err != nil ||
			!strings.Contains(timer, "OnCalendar=*-*-* 02:00:00\n") {
			t.Errorf("%v: %s", err, out)
		}
		folder := t.TempDir() // units with a program that exists here
		for unit, text := range map[string]string{name + "@x.service": service, name + "@x.timer": timer} {
			text = strings.ReplaceAll(text, "/usr/local/bin/"+name, "/bin/true")
			if err := os.WriteFile(filepath.Join(folder, unit), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.Command(verify, "--man=no", "verify", filepath.Join(folder, name+"@x.service"),
			filepath.Join(folder, name+"@x.timer")).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("the units are not right: %v: %s", err, out)
		}
	}
}
